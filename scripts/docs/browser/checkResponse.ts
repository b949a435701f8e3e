import { isJson, responseOf } from "../../contract/openapi.ts";
import type { TryItData } from "../tryItData.ts";
import { allowsAnything } from "./editableSchema.ts";
import { fieldPath, findMismatches } from "./matchSchema.ts";
import type { Received } from "./sendRequest.ts";

/** Whether a response is as the contract says. */
export interface ContractCheck {
  readonly isKept: boolean;
  /** What is not as the contract says; or, if all is, what the contract leaves open. */
  readonly remarks: readonly string[];
}

export const unspecifiedBody = "The contract doesn't specify this body.";

/** Compares status, media type and body with what the contract says of them. */
export function checkResponse(data: TryItData, received: Received): ContractCheck {
  const { responses, request } = data;
  const response = responseOf(responses, received.status);
  if (response === undefined) {
    const listed = responses.map(({ status }) => status).join(", ") || "none";
    return broken(`The status ${received.status} is not in the contract, which lists ${listed}.`);
  }
  // RFC 9110, section 9.3.2.
  if (request.method === "HEAD") return kept();
  const { content } = response;
  if (content.length === 0) return kept(...(received.bytes === 0 ? [] : [unspecifiedBody]));
  const listed = content.map(({ mediaType }) => mediaType).join(", ");
  if (received.bytes === 0) return broken(`The body is empty; the contract has ${listed}.`);
  const mediaType = received.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const found = ["", "subtype", "type"].flatMap((wildcard) => {
    const [type = ""] = mediaType.split("/");
    const wanted = wildcard === "" ? mediaType : wildcard === "subtype" ? `${type}/*` : "*/*";
    return content.filter((one) => essence(one.mediaType) === wanted);
  })[0];
  if (found === undefined) {
    return broken(`The media type ${mediaType || "(none)"} is not in the contract, which has ${listed}.`);
  }
  if (received.isCut) return kept("The body was not read to its end, so it was not checked.");
  if (isJson(mediaType) && received.json === undefined) return broken("The body is not JSON.");
  if (allowsAnything(found.schema, data.responseDefinitions)) return kept(unspecifiedBody);
  if (received.json === undefined) return kept("A body that is no JSON is not checked.");
  const mismatches = findMismatches(found.schema, data.responseDefinitions, received.json.value);
  if (mismatches.length === 0) return kept();
  return {
    isKept: false,
    remarks: mismatches.map(
      ({ pointer, message }) => `${pointer === "" ? "The body" : fieldPath(pointer)}: ${message}`,
    ),
  };
}

function essence(mediaType: string): string {
  return mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
}

function kept(...remarks: readonly string[]): ContractCheck {
  return { isKept: true, remarks };
}

function broken(remark: string): ContractCheck {
  return { isKept: false, remarks: [remark] };
}
