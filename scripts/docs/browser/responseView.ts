import { countOf } from "../../contract/text.ts";
import { essenceOf, fallsUnder, isJson } from "../../spec/mediaTypes.ts";
import { responseOf } from "../../spec/openapi.ts";
import type { TryItData } from "../model/tryItData.ts";
import { button, element, fromTemplate } from "./elements.ts";
import { resetButton } from "./mockServer.ts";
import { codeBlock } from "../parts/highlight.ts";
import { schemaViolations } from "./schemaViolations.ts";
import type { Received } from "./sendRequest.ts";

/** The reason phrases of status codes, which HTTP/2 and HTTP/3 do not carry: those that Node.js knows, when this is bundled. */
declare const reasonPhrases: Readonly<Record<string, string>>;

/** As many characters of a body are shown. */
const maximumShown = 100_000;

/** A server's response: its status, time and size, whether it keeps the contract, its headers and its body. */
export function responseView(data: TryItData, received: Received, isMock: boolean) {
  const { response, milliseconds, bytes, isCut } = received;
  const status = `${response.status} ${response.statusText || (reasonPhrases[response.status] ?? "")}`.trim();
  const { verdict, tone, remarks } = judge(data, received, isMock);
  const size = ` ${Math.round(milliseconds)} ms, ${isCut ? "more than " : ""}${sizeText(bytes)}`;
  const items = remarks.map((remark) => element("li", {}, remark));
  const list = items.length > 0 ? element("ul", {}, ...items) : undefined;
  const statusTone = response.status < 400 ? "good" : "bad";
  return {
    status,
    verdict,
    parts: [
      element("p", { class: `status ${statusTone}` }, status, element("span", { class: "hint" }, size)),
      element("div", { class: `verdict ${tone}` }, element("p", {}, verdict), list),
      ...(isMock && response.status === 404 ? [resetButton(data.request.server)] : []),
      headersView(response),
      bodyView(received),
    ],
  };
}

function judge(data: TryItData, received: Received, isMock: boolean) {
  const { isKept, remarks } = checkResponse(data, received);
  if (isKept) return { verdict: "The response keeps the contract.", tone: "good", remarks };
  const isProblem = essenceOf(received.contentType) === "application/problem+json";
  // Whatever the contract says of failures, the mock explains its own in this way.
  if (isMock && isProblem)
    return { verdict: "This error is the mock's own: the contract does not describe it.", tone: "", remarks: [] };
  return { verdict: "The response does not keep the contract:", tone: "bad", remarks };
}

const unspecifiedBody = "The contract doesn't specify this body.";

/**
 * Compares status, media type and body with what the contract says of them. The remarks are the violations; or, if the
 * contract is kept, the points that it leaves open.
 */
function checkResponse({ responses, request, responseDefinitions }: TryItData, received: Received) {
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

function headersView({ headers, type }: Response): HTMLElement {
  const rows = [...headers].flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  const note = "The response comes from another origin: a page sees the headers that the server exposes.";
  return element(
    "details",
    {},
    element("summary", {}, `Headers (${rows.length / 2})`),
    type === "cors" ? hint(note) : undefined,
    element("dl", { class: "headers" }, ...rows),
  );
}

function bodyView({ bytes, text, json, contentType, isCut }: Received): HTMLElement {
  if (bytes === 0) return hint("The body is empty.");
  if (text === undefined) return hint(`The body is not text${contentType && `: ${contentType}`}.`);
  const whole = json === undefined || nesting(text) > maximumNesting ? text : JSON.stringify(json, null, 2);
  const shown = whole.slice(0, maximumShown);
  const note = isCut
    ? `The body has not ended yet: these are its first ${sizeText(bytes)}.`
    : `The first ${shown.length.toLocaleString("en")} of ${whole.length.toLocaleString("en")} characters; Copy takes all.`;
  return element(
    "figure",
    { class: "panel" },
    element("figcaption", {}, "Body", button("Copy", { class: "copy", "data-copy": whole })),
    shown.length < whole.length || isCut ? hint(note) : undefined,
    fromTemplate(codeBlock(shown, json === undefined ? "" : "json", "Body of the response")),
  );
}

function hint(text: string): HTMLElement {
  return element("p", { class: "hint" }, text);
}

/** Deeper JSON is shown as it came: indented, it could be thousands of times as long. */
const maximumNesting = 100;

/** Depth to which the brackets of a text are nested, those in strings included. */
function nesting(text: string): number {
  let depth = 0;
  const depths = (text.match(/[[\]{}]/g) ?? []).map((bracket) => (depth += /[[{]/.test(bracket) ? 1 : -1));
  return depths.reduce((deepest, one) => Math.max(deepest, one), 0);
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, "byte");
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
