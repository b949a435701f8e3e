import { essenceOf, fallsUnder, isJson } from "../../spec/mediaTypes.ts";
import { responseOf } from "../../spec/openapi.ts";
import type { TryItData } from "../model/tryItData.ts";
import { schemaViolations } from "./schemaViolations.ts";
import type { Received } from "./sendRequest.ts";

/** A response compared with the contract. */
export interface ContractCheck {
  readonly isKept: boolean;
  /** The violations; or, if there are none, the points that the contract leaves open. */
  readonly remarks: readonly string[];
}

const unspecifiedBody = "The contract doesn't specify this body.";

/** Compares status, media type and body with what the contract says of them. */
export function checkResponse(data: TryItData, received: Received): ContractCheck {
  const { responses, request } = data;
  const { status } = received.response;
  const response = responseOf(responses, status);
  if (response === undefined) {
    const listed = responses.map((one) => one.status).join(", ") || "none";
    return broken(`The status ${status} is not in the contract, which lists ${listed}.`);
  }
  // RFC 9110, section 9.3.2.
  if (request.method === "HEAD") return fits();
  const { content } = response;
  if (content.length === 0) return fits(...(received.bytes === 0 ? [] : [unspecifiedBody]));
  const listed = content.map(({ mediaType }) => mediaType).join(", ");
  if (received.bytes === 0) return broken(`The body is empty; the contract has ${listed}.`);
  const mediaType = essenceOf(received.contentType);
  // The most specific one is meant (OpenAPI 3.1.1, section 4.8.17): that with the fewest asterisks.
  const [found] = content
    .filter((one) => fallsUnder(mediaType, one.mediaType))
    .sort((a, b) => a.mediaType.split("*").length - b.mediaType.split("*").length);
  if (found === undefined) {
    return broken(`The media type ${mediaType || "(none)"} is not in the contract, which has ${listed}.`);
  }
  if (received.isCut) return fits("The body was not read to its end, so it was not checked.");
  if (isJson(mediaType) && received.json === undefined) return broken("The body is not JSON.");
  if (found.schema === true) return fits(unspecifiedBody);
  if (received.json === undefined) return fits("A body that is no JSON is not checked.");
  const violations = schemaViolations(found.schema, data.responseDefinitions, received.json.value, "The body");
  return { isKept: violations.length === 0, remarks: violations.map(({ message }) => message) };
}

function fits(...remarks: readonly string[]): ContractCheck {
  return { isKept: true, remarks };
}

function broken(remark: string): ContractCheck {
  return { isKept: false, remarks: [remark] };
}
