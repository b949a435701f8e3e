import { credentialsIn, type Exchange } from "../exchange/exchange.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { hasLongNumber } from "../values/text.ts";
import type { DescribedBody } from "../exchange/checkResponse.ts";
import { describeBody, type DescribedValue } from "../exchange/describedValues.ts";
import { exactInteger } from "../exchange/schema/prepareSchema.ts";
import type { Secrets } from "../exchange/secrets.ts";
import { typesOf } from "../spec/schemas.ts";
import type { VerifiedExchange } from "../exchange/observation.ts";

/** Finds doubts in a response. `json`: its body, if it is described. */
export function checkHabits(context: VerifiedExchange, json: DescribedBody | undefined, secrets: Secrets): void {
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
