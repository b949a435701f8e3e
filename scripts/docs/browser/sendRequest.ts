import { messageOf } from "../../contract/failures.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { parseJson } from "../../spec/json.ts";
import { bodyInit, writeRequest, type SampleRequest } from "../../samples/writeRequest.ts";

/** A response whose body has been read. */
export interface Received {
  readonly response: Response;
  readonly contentType: string;
  /** From sending to the last byte, in milliseconds. */
  readonly milliseconds: number;
  readonly bytes: number;
  /** The body as text; `undefined` if it is none. */
  readonly text: string | undefined;
  /** The value of a body that is JSON. */
  readonly json: { readonly value: unknown } | undefined;
  /** True if the body goes on after the bytes that were read. */
  readonly isCut: boolean;
}

/** Why there is no response, in words. */
export interface NoResponse {
  readonly failure: string;
}

/** More of a body is not read, as it may have no end. */
const maximumBytes = 5_000_000;

/** Sends a request without the cookies that the browser has. Never rejects. */
export async function sendRequest(request: SampleRequest, signal: AbortSignal): Promise<Received | NoResponse> {
  const { method, url, headers, body: content } = writeRequest(request);
  const sent = Object.entries(headers).filter(([name]) => name !== "Cookie");
  let prepared: Request;
  try {
    prepared = new Request(url, {
      method,
      headers: sent,
      ...(content && { body: bodyInit(content) }),
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    return { failure: `The browser cannot make this request: ${messageOf(error)}` };
  }
  const start = performance.now();
  try {
    const response = await fetch(prepared, { signal });
    const body = await readBody(response);
    return { response, ...body, milliseconds: performance.now() - start };
  } catch {
    return { failure: signal.aborted ? "Canceled." : explainFailure(url) };
  }
}

/** Parts of a request that a page cannot send, each as a sentence. */
export function unsendable(request: SampleRequest): readonly string[] {
  const { headers, method } = writeRequest(request);
  const names = Object.keys(headers).filter((name) => name === "Cookie" || !isSendable(name));
  return [
    ...(/^(?:connect|trace|track)$/i.test(method) ? [`Browsers do not let pages send ${method} requests.`] : []),
    ...names.map((name) => `Browsers do not let pages set the header ${name}: this form sends the request without it.`),
  ];
}

/** Header names that are the browser's own are left out without a word (Fetch Standard, section 2.2.2). */
function isSendable(name: string): boolean {
  try {
    return new Request("http://localhost", { headers: { [name]: "x" } }).headers.has(name);
  } catch {
    return true;
  }
}

async function readBody(response: Response): Promise<Omit<Received, "response" | "milliseconds">> {
  const chunks: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && bytes < maximumBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.byteLength;
  }
  const isCut = bytes >= maximumBytes;
  if (isCut) await reader?.cancel();
  const contentType = response.headers.get("content-type") ?? "";
  const text = decode(await new Blob(chunks).arrayBuffer(), isCut);
  const value = isJson(contentType) && text !== undefined ? parseJson(text) : undefined;
  return { contentType, bytes, text, json: value === undefined ? undefined : { value }, isCut };
}

function decode(content: ArrayBuffer, isCut: boolean): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: !isCut }).decode(content);
  } catch {
    return undefined;
  }
}

/** Browsers say the same of every failure, so that pages cannot look into a network; what can be told is told. */
function explainFailure(url: string): string {
  const { origin, protocol, hostname } = new URL(url);
  if (!navigator.onLine) return "The browser is offline.";
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (location.protocol === "https:" && protocol === "http:" && !isLocal) {
    return `This page came over https, and browsers let such a page send nothing to ${origin}, which is not encrypted.`;
  }
  if (origin === location.origin) return `${origin} did not answer: is it still running?`;
  return `There is no answer from ${origin} that this page may read. Either nothing answers there, or the server does not allow requests from pages of other origins (CORS). The browser's console says which; curl is not limited in this way.`;
}
