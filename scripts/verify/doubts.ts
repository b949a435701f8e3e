import { isSafe, type Generation } from "../contract/generation.ts";
import { readResources } from "../contract/resources.ts";
import type { CheckDoubts } from "../exchange/checkExchange.ts";
import { secretsOf } from "../exchange/secrets.ts";
import { parseExactJson } from "../values/json.ts";
import { createPageCheck } from "./pageCheck.ts";
import { createResourceCheck } from "./resourceDoubts.ts";
import { checkHabits } from "./responseDoubts.ts";

/**
 * Makes a function that finds doubts about an exchange: about its response, about pages, and about the resource.
 * `isComplete` is as in {@link createResourceCheck}.
 */
export function createDoubtCheck(generation: Generation, isComplete: boolean): CheckDoubts {
  const resources = readResources([generation]);
  const pages = createPageCheck(resources, isComplete);
  const secrets = secretsOf([generation]);
  const doubtsAbout = createResourceCheck(generation.name, isComplete, secrets);
  return (context, path, json, told) => {
    const { operation, exchange, isSuccess } = context;
    // Identifiers beyond 2^53 must differ.
    const value = json && (parseExactJson(Buffer.from(context.response.body ?? []).toString()) ?? json.value);
    if (isSuccess) pages.check(context, value);
    if (isSuccess && !isSafe(operation)) pages.forget();
    checkHabits(context, json, secrets);
    const resource = resources.get(operation);
    if (resource === undefined) return [];
    const body = parseExactJson(Buffer.from(exchange.request.body ?? []).toString());
    const doubts = doubtsAbout({ ...context, resource, path, body, value });
    // A contradiction is already an observation about the response.
    const isWrong = told.some(({ kind }) => kind === "contradiction");
    return doubts.filter((doubt) => !isWrong || doubt.exchange !== exchange);
  };
}
