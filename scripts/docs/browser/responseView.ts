import { countOf } from "../../contract/text.ts";
import { essenceOf, fallsUnder, isJson } from "../../spec/mediaTypes.ts";
import { responseOf } from "../../spec/openapi.ts";
import type { TryItData } from "../model/tryItData.ts";
import { button, element } from "./elements.ts";
import { schemaViolations } from "./schemaViolations.ts";
import type { Received } from "./sendRequest.ts";
import { readViolations } from "./violationMarks.ts";

/** The reason phrases of status codes, which HTTP/2 and HTTP/3 do not carry: those that Node.js knows, when this is bundled. */
declare const reasonPhrases: Readonly<Record<string, string>>;

/** As many characters of a body are shown. */
const maximumShown = 100_000;

/** A server's response: its status, time and size, whether it keeps the contract, its headers and its body. */
export function responseView(data: TryItData, received: Received, server: string) {
  const { response, milliseconds, bytes, isCut } = received;
  const status = `${response.status} ${response.statusText || (reasonPhrases[response.status] ?? "")}`.trim();
  const { verdict, tone, remarks } = judge(data, received, data.isMock && server === data.request.server);
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
      headersView(response),
      bodyView(received),
    ],
  };
}

function judge(data: TryItData, received: Received, isMock: boolean) {
  const { isKept, remarks } = checkResponse(data, received);
  if (isKept) return { verdict: "The response keeps the contract.", tone: "good", remarks };
  // The mock answers with problem details of its own, whatever the contract says of failures.
  if (!isMock || !/^application\/problem\+json/i.test(received.contentType))
    return { verdict: "The response does not keep the contract:", tone: "bad", remarks };
  const isRefusal = readViolations(received.json).length > 0;
  const verdict = isRefusal
    ? "The mock refused the request, because it does not keep the contract."
    : "The mock returned an error of its own, which is not in the contract.";
  return { verdict, tone: "", remarks: [] };
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
    {},
    element("figcaption", {}, "Body", button("Copy", { class: "copy", "data-copy": whole })),
    shown.length < whole.length || isCut ? hint(note) : undefined,
    element("pre", { tabindex: "0", role: "region", "aria-label": "Body of the response" }, element("code", {}, shown)),
  );
}

function hint(text: string): HTMLElement {
  return element("p", { class: "hint" }, text);
}

/** Deeper JSON is shown as it came: indented, it could be thousands of times as long. */
const maximumNesting = 100;

/** Depth to which the brackets of a text are nested, those in strings included. */
function nesting(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const bracket of text.match(/[[\]{}]/g) ?? []) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, "byte");
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
