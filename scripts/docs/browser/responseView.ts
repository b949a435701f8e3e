import { countOf } from "../../contract/text.ts";
import type { TryItData } from "../model/tryItData.ts";
import { checkResponse } from "./checkResponse.ts";
import { button, element } from "./elements.ts";
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
    element("figcaption", {}, "Body", button("Copy", { "data-copy": whole })),
    shown.length < whole.length || isCut ? hint(note) : undefined,
    element("pre", { tabindex: "0", role: "region", "aria-label": "Body of the response" }, element("code", {}, shown)),
  );
}

function hint(text: string): HTMLElement {
  return element("p", { class: "hint" }, text);
}

/** Deeper JSON is shown as it came: indented, it could be thousands of times as long. */
const maximumNesting = 100;

/** How deep the brackets of a text are nested, those in strings included. */
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
