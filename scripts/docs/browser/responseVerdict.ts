import { capitalize } from "../../values/text.ts";
import { isOpen, judgeResponse, withReceived } from "../../exchange/judgeResponse.ts";
import { isBinaryType } from "../../spec/binary.ts";
import { describeSyntaxError } from "../../values/jsonPlaces.ts";
import { essenceOf } from "../../spec/mediaTypes.ts";
import { isDefaultStatus, isSuccessStatus } from "../../spec/statusKeys.ts";
import type { ExchangeData } from "../model/tryItData.ts";
import { documentOf, missingFields, placeViolations } from "./schemaViolations.ts";
import type { Received } from "./sendRequest.ts";

interface Verdict {
  readonly verdict: string;
  /** The CSS class of the verdict. */
  readonly tone: "good" | "bad" | "";
  readonly remarks: readonly string[];
}

/** What a response shows about the contract, in words. */
export function readVerdict(data: ExchangeData, received: Received, isMock: boolean): Verdict {
  const verdict = verdictOn(data, received);
  const isProblem = essenceOf(received.contentType) === "application/problem+json";
  // The mock explains its own errors like this, whatever the contract says about failures.
  if (verdict.tone !== "good" && isMock && isProblem)
    return { verdict: "The mock made this error. The contract doesn't describe it.", tone: "", remarks: [] };
  return verdict;
}

/** The remarks are about what the contract leaves open. */
function kept(...remarks: readonly string[]): Verdict {
  return { verdict: "The response follows the contract.", tone: "good", remarks };
}

function incomparable(reason: string, ...remarks: readonly string[]): Verdict {
  return { verdict: `Nothing to compare: ${reason}.`, tone: "", remarks };
}

function parse({ json, text }: Received) {
  if (json !== undefined) return { value: json };
  return { rule: text === undefined ? "is not UTF-8" : describeSyntaxError(text) };
}

function verdictOn(data: ExchangeData, received: Received): Verdict {
  const { response, contentType, body, bytes } = received;
  const { responses, request, isPresenceUnspecified: mayLack } = data;
  const { status } = response;
  const document = documentOf(data.responseDefinitions);
  const told: Record<"unchecked" | "violation", string[]> = { unchecked: [], violation: [] };
  const judged = judgeResponse({
    ...{ responses, document, method: request.method, status, fields: Object.fromEntries(response.headers) },
    ...{ hasHiddenFields: response.type === "cors", body: new Uint8Array(body) },
    isSuccess: isSuccessStatus(String(status)),
    parse: () => parse(received),
    tell: (kind, _keys, fact) => {
      if (kind === "violation" || kind === "unchecked") told[kind].push(`${capitalize(withReceived(fact))}.`);
    },
  });
  const { described, content, body: { violations = [], unchecked } = {} } = judged;
  const sentences = (some: typeof violations) =>
    placeViolations(some, "The body", mayLack).map(({ message }) => message);
  const broken = [...told.violation, ...sentences(violations)];
  if (broken.length > 0) return { verdict: "The response violates the contract:", tone: "bad", remarks: broken };
  const reasons = unchecked === undefined ? told.unchecked : sentences([unchecked]);
  if (reasons.length > 0) return { verdict: "The response can't be checked:", tone: "", remarks: reasons };
  if (described === undefined) {
    const listed = responses.map((one) => one.status).join(", ") || "none";
    return incomparable(`the contract doesn't list the status ${status}`, `It lists ${listed}.`);
  }
  if (request.method === "HEAD" || bytes === 0) return kept();
  if (content === undefined || isOpen(document, content.schema)) {
    return isDefaultStatus(described.status)
      ? incomparable("the contract specifies neither this status nor its body")
      : kept("The contract doesn't specify this body.");
  }
  if (isBinaryType(contentType)) return kept("Files aren't checked.");
  if (judged.body === undefined) return kept("Only JSON bodies are checked.");
  const missing = missingFields(violations);
  const lack = `It lacks ${missing.join(", ")}. The contract doesn't specify whether each field is always present.`;
  return missing.length > 0 ? kept(lack) : kept();
}
