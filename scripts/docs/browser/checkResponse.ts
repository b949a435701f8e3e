import { essenceOf, fallsUnder, isJson } from "../../spec/mediaTypes.ts";
import { responseOf } from "../../spec/openapi.ts";
import type { TryItData } from "../model/tryItData.ts";
import { schemaViolations } from "./schemaViolations.ts";
import type { Received } from "./sendRequest.ts";

const unspecifiedBody = "The contract doesn't specify this body.";

/**
 * Compares status, media type and body with what the contract says of them. The remarks are the violations; or, if the
 * contract is kept, the points that it leaves open.
 */
export function checkResponse({ responses, request, responseDefinitions }: TryItData, received: Received) {
  const { response, bytes, json, isCut } = received;
  const described = responseOf(responses, response.status);
  if (described === undefined) {
    const listed = responses.map(({ status }) => status).join(", ") || "none";
    return outcome(false, `The status ${response.status} is not in the contract, which lists ${listed}.`);
  }
  // RFC 9110, section 9.3.2.
  if (request.method === "HEAD") return outcome(true);
  const { content } = described;
  if (content.length === 0) return bytes === 0 ? outcome(true) : outcome(true, unspecifiedBody);
  const listed = content.map(({ mediaType }) => mediaType).join(", ");
  if (bytes === 0) return outcome(false, `The body is empty; the contract has ${listed}.`);
  const mediaType = essenceOf(received.contentType);
  // The most specific one is meant (OpenAPI 3.1.1, section 4.8.17): that with the fewest asterisks.
  const [found] = content
    .filter((one) => fallsUnder(mediaType, one.mediaType))
    .sort((a, b) => a.mediaType.split("*").length - b.mediaType.split("*").length);
  if (found === undefined)
    return outcome(false, `The media type ${mediaType || "(none)"} is not in the contract, which has ${listed}.`);
  if (isCut) return outcome(true, "The body was not read to its end, so it was not checked.");
  if (isJson(mediaType) && json === undefined) return outcome(false, "The body is not JSON.");
  if (found.schema === true) return outcome(true, unspecifiedBody);
  if (json === undefined) return outcome(true, "A body that is no JSON is not checked.");
  const violations = schemaViolations(found.schema, responseDefinitions, json, "The body");
  return outcome(violations.length === 0, ...violations.map(({ message }) => message));
}

function outcome(isKept: boolean, ...remarks: readonly string[]) {
  return { isKept, remarks };
}
