import { isSafe, type Generation } from "../contract/generation.ts";
import type { readResources } from "../contract/resources.ts";
import type { DescribedBody } from "../exchange/checkResponse.ts";
import { secretsOf } from "../exchange/secrets.ts";
import { parseExactJson } from "../spec/json.ts";
import type { Observation, VerifiedExchange } from "./observation.ts";
import { createPageCheck } from "./pageCheck.ts";
import { createResourceCheck } from "./resourceDoubts.ts";
import { checkHabits } from "./responseDoubts.ts";

/**
 * Makes a function that finds doubts about an exchange: about its response, about pages, and about the resource.
 * `path`: the values of path parameters. `json`: the body, if it is described. `told`: the earlier observations.
 * `isComplete` is as in {@link createResourceCheck}.
 */
export function createDoubtCheck(
  generation: Generation,
  resources: ReturnType<typeof readResources>,
  isComplete: boolean,
) {
  const pages = createPageCheck(resources, isComplete);
  const secrets = secretsOf([generation]);
  const doubtsAbout = createResourceCheck(generation.name, isComplete, secrets);
  return (
    context: VerifiedExchange,
    path: Readonly<Record<string, string>>,
    json: DescribedBody | undefined,
    told: readonly Observation[],
  ): readonly Observation[] => {
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
