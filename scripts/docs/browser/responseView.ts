import { countOf } from "../../contract/text.ts";
import { checkResponse, type ContractCheck } from "./checkResponse.ts";
import type { TryItData } from "../model/tryItData.ts";
import { button, element } from "./elements.ts";
import type { Received } from "./sendRequest.ts";
import { statusLine } from "./statusPhrases.ts";
import { readViolations } from "./violationMarks.ts";

/** As many characters of a body are shown. */
const maximumShown = 100_000;

/** A response: its status, time and size, whether it keeps the contract, its headers and its body. */
export function responseView(data: TryItData, received: Received, isMock: boolean): readonly HTMLElement[] {
  const { status, statusText, milliseconds, bytes, isCut } = received;
  const size = `${isCut ? "more than " : ""}${sizeText(bytes)}`;
  return [
    element(
      "p",
      { class: `status ${status < 400 ? "good" : "bad"}` },
      statusLine(status, statusText),
      element("span", { class: "hint" }, ` ${Math.round(milliseconds)} ms, ${size}`),
    ),
    verdictView(data, received, isMock),
    headersView(received),
    ...bodyView(received),
  ];
}

function verdictView(data: TryItData, received: Received, isMock: boolean): HTMLElement {
  const verdict: ContractCheck = checkResponse(data, received);
  // The mock answers with problem details of its own, whatever the contract says of failures.
  if (isMock && !verdict.isKept && /^application\/problem\+json/i.test(received.contentType)) {
    const isRefusal = readViolations(received.json?.value).length > 0;
    const title = isRefusal
      ? "The mock refused the request, because it does not keep the contract."
      : "The mock returned an error of its own, which is not in the contract.";
    return element("p", { class: "verdict" }, title);
  }
  const title = verdict.isKept ? "The response keeps the contract." : "The response does not keep the contract:";
  const remarks = verdict.remarks.map((remark) => element("li", {}, remark));
  return element(
    "div",
    { class: `verdict ${verdict.isKept ? "good" : "bad"}` },
    element("p", {}, title),
    remarks.length === 0 ? undefined : element("ul", {}, ...remarks),
  );
}

function headersView({ headers, hidesHeaders }: Received): HTMLElement {
  const rows = headers.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  return element(
    "details",
    {},
    element("summary", {}, `Headers (${headers.length})`),
    hidesHeaders
      ? element(
          "p",
          { class: "hint" },
          "The response comes from another origin: a page sees the headers that the server exposes.",
        )
      : undefined,
    element("dl", { class: "headers" }, ...rows),
  );
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

function bodyView({ bytes, text, json, contentType, isCut }: Received): readonly HTMLElement[] {
  if (bytes === 0) return [element("p", { class: "hint" }, "The body is empty.")];
  if (text === undefined)
    return [element("p", { class: "hint" }, `The body is not text${contentType === "" ? "" : `: ${contentType}`}.`)];
  const whole = json === undefined || nesting(text) > maximumNesting ? text : JSON.stringify(json.value, null, 2);
  const shown = whole.slice(0, maximumShown);
  const copy = button("Copy", { "data-copy": whole });
  const note = isCut
    ? `The body has not ended yet: these are its first ${sizeText(bytes)}.`
    : `The first ${shown.length.toLocaleString("en")} of ${whole.length.toLocaleString("en")} characters; Copy takes all.`;
  return [
    element(
      "figure",
      {},
      element("figcaption", {}, "Body", copy),
      shown.length < whole.length || isCut ? element("p", { class: "hint" }, note) : undefined,
      element(
        "pre",
        { tabindex: "0", role: "region", "aria-label": "Body of the response" },
        element("code", {}, shown),
      ),
    ),
  ];
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, "byte");
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
