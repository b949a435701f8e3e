import { isBinaryType } from "../../spec/binary.ts";
import { fileNameIn } from "../../spec/headerFields.ts";
import { countOf, isDigits } from "../../values/text.ts";
import { equalJson, parseExactJson } from "../../values/json.ts";
import { reasonPhrase } from "../../spec/reasonPhrases.ts";
import type { ExchangeData } from "../model/tryItData.ts";
import { html, htmlList, type Html } from "../../values/html.ts";
import { element, fromTemplate } from "./elements.ts";
import { codeBlock } from "../parts/highlight.ts";
import { readVerdict } from "./responseVerdict.ts";
import type { Answerer, Received } from "./sendRequest.ts";

const maximumShown = 100_000;

/**
 * A response: status, time, size, verdict, headers and body. `name` begins with "Response". `note` says why the request may
 * be a mistake.
 */
export function responseView(data: ExchangeData, received: Received, answerer: Answerer, name: string, note?: string) {
  const { response, milliseconds, bytes } = received;
  const status = `${response.status} ${response.statusText || reasonPhrase(response.status)}`.trim();
  const { verdict, tone, remarks } = readVerdict(data, received, answerer.isMock);
  const size = sizeText(bytes);
  const doubt = note && `The request ${note}.`;
  const overview = html`${doubt && html`<p class="verdict doubt">${doubt}</p>`}
    <p class="status ${response.status < 400 ? "good" : "bad"}">
      ${status}<span class="hint"> ${Math.round(milliseconds)} ms, ${size}</span>
    </p>
    ${hint(answerer.signature)}
    <div class="verdict ${doubt && tone === "good" ? "" : tone}">
      <p>${verdict}</p>
      ${htmlList(remarks)}
    </div>
    ${waitLine(response, answerer)}`;
  const reset = response.status === 404 ? [answerer.reset()].filter((button) => button !== undefined) : [];
  const isFile = bytes > 0 && (received.text === undefined || isBinaryType(received.contentType));
  const body = isFile
    ? fileLink(data, received)
    : fromTemplate(bodyView(received, `Body of the ${name.toLowerCase()}`));
  return { status, verdict, parts: [fromTemplate(overview), ...reset, fromTemplate(headersView(response)), body] };
}

function sizeText(bytes: number): string {
  return (bytes / 1000).toLocaleString("en", { style: "unit", unit: "kilobyte", maximumSignificantDigits: 3 });
}

/** A link that saves a body that isn't text. The name comes from the response, or else from the contract. */
function fileLink({ options }: ExchangeData, { response, body, bytes, contentType }: Received): HTMLElement {
  const given = fileNameIn(response.headers.get("content-disposition") ?? "");
  const name = given ?? options.saved?.name ?? "response.bin";
  const href = URL.createObjectURL(new Blob([body], { type: contentType }));
  return element(
    "p",
    { class: "file" },
    element("a", { href, download: name }, `Save ${name}`),
    ` (${sizeText(bytes)})`,
  );
}

/** How long the answerer asks to wait: seconds, or a date (RFC 9110, section 10.2.3). Nothing if it doesn't ask. */
function waitLine({ headers }: Response, { name }: Answerer): Html | undefined {
  const wait = headers.get("retry-after");
  if (wait === null) return undefined;
  return hint(`${name} asks to wait ${isDigits(wait) ? countOf(wait, "second") : `until ${wait}`} (Retry-After).`);
}

function headersView({ headers, type }: Response): Html {
  const rows = Array.from(
    headers,
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`,
  );
  const note = "The response comes from another origin, so the page sees only the headers that the server exposes.";
  return html`<details>
    <summary>Headers (${rows.length})</summary>
    ${type === "cors" ? hint(note) : undefined}
    <dl class="headers">${rows}</dl>
  </details>`;
}

function bodyView({ bytes, text = "", json }: Received, label: string): Html {
  if (bytes === 0) return hint("The body is empty.");
  // With indentation, a long body could become thousands of times longer.
  const isLong = text.length > maximumShown;
  // Numbers that JavaScript would round keep their digits.
  const isKept = json === undefined || isLong || !equalJson(json, parseExactJson(text));
  const whole = isKept ? text : JSON.stringify(json, null, 2);
  const shown = whole.slice(0, maximumShown);
  const [part, all] = [shown, whole].map(({ length }) => length.toLocaleString("en"));
  return html`<figure class="panel">
    <figcaption>Body<button type="button" class="copy" data-copy="${whole}">Copy</button></figcaption>
    ${part === all ? undefined : hint(`The first ${part} of ${all} characters. Copy copies all.`)}
    ${codeBlock(shown, json === undefined ? "" : "json", label)}
  </figure>`;
}

function hint(text: string): Html {
  return html`<p class="hint">${text}</p>`;
}
