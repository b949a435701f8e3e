import { isBinaryType } from "../../spec/binary.ts";
import { contentOfType, essenceOf, isJson } from "../../spec/mediaTypes.ts";
import { responseOf } from "../../spec/openapi.ts";
import type { TryItData } from "../model/tryItData.ts";
import { html, htmlList, type Html } from "../parts/html.ts";
import { element, fromTemplate } from "./elements.ts";
import { resetButton } from "./mockServer.ts";
import { codeBlock } from "../parts/highlight.ts";
import { schemaViolations } from "./schemaViolations.ts";
import type { Received } from "./sendRequest.ts";

/** The reason phrases of status codes, which HTTP/2 and HTTP/3 do not carry: those that Node.js knows, when this is bundled. */
declare const reasonPhrases: Readonly<Record<string, string>>;

const maximumShown = 100_000;

/** A server's response: its status, time and size, whether it keeps the contract, its headers and its body. */
export function responseView(data: TryItData, received: Received, isMock: boolean) {
  const { response, milliseconds, bytes } = received;
  const status = `${response.status} ${response.statusText || (reasonPhrases[response.status] ?? "")}`.trim();
  const { verdict, tone, remarks } = judge(data, received, isMock);
  const size = sizeText(bytes);
  const overview = html`<p class="status ${response.status < 400 ? "good" : "bad"}">
      ${status}<span class="hint"> ${Math.round(milliseconds)} ms, ${size}</span>
    </p>
    <div class="verdict ${tone}">
      <p>${verdict}</p>
      ${htmlList(remarks)}
    </div>`;
  const reset = isMock && response.status === 404 ? [resetButton(data.request.server)] : [];
  const isFile = bytes > 0 && (received.text === undefined || isBinaryType(received.contentType));
  const body = isFile ? fileLink(data, received) : fromTemplate(bodyView(received));
  return { status, verdict, parts: [fromTemplate(overview), ...reset, fromTemplate(headersView(response)), body] };
}

function sizeText(bytes: number): string {
  return (bytes / 1000).toLocaleString("en", { style: "unit", unit: "kilobyte", maximumSignificantDigits: 3 });
}

/** A link that saves a body that is no text, under the name that the response or else the contract gives it. */
function fileLink({ options }: TryItData, { response, body, bytes, contentType }: Received): HTMLElement {
  const [, given] = /filename="?([^";]+)/i.exec(response.headers.get("content-disposition") ?? "") ?? [];
  const name = given ?? options.saved?.name ?? "response.bin";
  const href = URL.createObjectURL(new Blob([body], { type: contentType }));
  return element(
    "p",
    { class: "file" },
    element("a", { href, download: name }, `Save ${name}`),
    ` (${sizeText(bytes)})`,
  );
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

/** Remarks are violations; if the contract is kept, what it leaves open. */
function checkResponse({ responses, request, responseDefinitions }: TryItData, received: Received) {
  const { response, bytes, json } = received;
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
  const found = contentOfType(content, received.contentType);
  if (found === undefined)
    return outcome(false, `The media type ${mediaType || "(none)"} is not in the contract, which has ${listed}.`);
  if (isJson(mediaType) && json === undefined) return outcome(false, "The body is not JSON.");
  if (isBinaryType(mediaType)) return outcome(true, "A file is not checked.");
  if (found.schema === true) return outcome(true, unspecifiedBody);
  if (json === undefined) return outcome(true, "A body that is no JSON is not checked.");
  const violations = schemaViolations(found.schema, responseDefinitions, json, "The body");
  return outcome(violations.length === 0, ...violations.map(({ message }) => message));
}

function outcome(isKept: boolean, ...remarks: readonly string[]) {
  return { isKept, remarks };
}

function headersView({ headers, type }: Response): Html {
  const rows = Array.from(
    headers,
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`,
  );
  const note = "The response comes from another origin: a page sees the headers that the server exposes.";
  return html`<details>
    <summary>Headers (${rows.length})</summary>
    ${type === "cors" ? hint(note) : undefined}
    <dl class="headers">${rows}</dl>
  </details>`;
}

function bodyView({ bytes, text = "", json }: Received): Html {
  if (bytes === 0) return hint("The body is empty.");
  // Indented, a long body could be thousands of times as long.
  const whole = json === undefined || text.length > maximumShown ? text : JSON.stringify(json, null, 2);
  const shown = whole.slice(0, maximumShown);
  const [part, all] = [shown, whole].map(({ length }) => length.toLocaleString("en"));
  return html`<figure class="panel">
    <figcaption>Body<button type="button" class="copy" data-copy="${whole}">Copy</button></figcaption>
    ${part === all ? undefined : hint(`The first ${part} of ${all} characters; Copy takes all.`)}
    ${codeBlock(shown, json === undefined ? "" : "json", "Body of the response")}
  </figure>`;
}

function hint(text: string): Html {
  return html`<p class="hint">${text}</p>`;
}
