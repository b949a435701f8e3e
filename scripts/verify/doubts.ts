import { isSafe, type Generation } from "../contract/generation.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { readResources } from "../contract/resources.ts";
import type { CheckDoubts } from "../exchange/checkExchange.ts";
import type { DescribedBody } from "../exchange/checkResponse.ts";
import { describeBody, type DescribedValue } from "../exchange/describedValues.ts";
import { credentialsIn, type Exchange } from "../exchange/exchange.ts";
import type { VerifiedExchange } from "../exchange/observation.ts";
import { exactInteger } from "../exchange/schema/prepareSchema.ts";
import { secretsOf, type Secrets } from "../exchange/secrets.ts";
import { typesOf } from "../spec/schemas.ts";
import { parseExactJson } from "../values/json.ts";
import { hasLongNumber } from "../values/text.ts";
import { createPageCheck } from "./pageCheck.ts";
import { createResourceCheck } from "./resourceDoubts.ts";

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

/** Finds doubts in a response. `json`: its body, if it is described. */
function checkHabits(context: VerifiedExchange, json: DescribedBody | undefined, secrets: Secrets): void {
  const { operation, exchange, responseFields, response, observe } = context;
  const tell = (code: string, message: string, received: string) => {
    observe("doubt", pointerTo(operation, "responses"), { code, direction: "response", message, received });
  };
  const schemes = operation.security.flat().filter(({ prefix }) => prefix !== "");
  // RFC 9110, section 15.5.2.
  if (response.status === 401 && schemes.length > 0 && responseFields["www-authenticate"] === undefined)
    tell("WWW-Authenticate", "a 401 response has the header WWW-Authenticate", "none");
  const text = Buffer.from(response.body ?? []).toString();
  const repeated = credentialsIn(exchange, secrets).filter((credential) => text.includes(credential));
  const isSearched = json !== undefined && (hasLongNumber(text) || repeated.length > 0);
  const described = isSearched ? describeBody(operation.document, json.value, json.schema) : [];
  for (const { path } of described.filter(isTooLarge))
    tell(exactInteger, `${path} is a safe integer for JavaScript`, "one beyond 2^53");
  const isExpected = repeated.every((credential) => described.some((one) => isListed(one, credential)));
  if (!isExpected) tell("repeated-credentials", "the body does not repeat the request's credentials", "one of them");
  for (const name of headersWithCredential(exchange, secrets))
    tell("repeated-credentials", "the headers do not repeat the request's credentials", `one of them in ${name}`);
}

function isTooLarge({ value, schemas }: DescribedValue): boolean {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false;
  const types = schemas.flatMap(typesOf);
  return types.length === 0 || types.includes("integer");
}

/** Checks whether the contract lists a property for a value, such as the secret of a client. */
function isListed({ value, schemas }: DescribedValue, credential: string): boolean {
  return value === credential && schemas.length > 0;
}

/** The response headers that repeat a credential of the request. A server may set the same cookie again. */
function headersWithCredential(exchange: Exchange, secrets: Secrets): readonly string[] {
  const credentials = credentialsIn(exchange, secrets);
  const headers = (exchange.response?.headers ?? []).filter(([name]) => name.toLowerCase() !== "set-cookie");
  return headers
    .filter(([, value]) => credentials.some((credential) => value.includes(credential)))
    .map(([name]) => name);
}
