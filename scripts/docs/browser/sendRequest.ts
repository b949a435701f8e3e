import { messageOf } from "../../contract/failures.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { parseJson } from "../../spec/json.ts";
import { bodyInit, writeRequest, type SampleRequest, type WrittenRequest } from "../../samples/writeRequest.ts";

/** A response whose body has been read. */
export type Received = Exclude<Awaited<ReturnType<typeof sendRequest>>, string>;

/** More of a body is not read, as it may have no end. */
const maximumBytes = 5_000_000;

/**
 * Sends a request without the cookies that the browser has. Without a response, it resolves to a sentence that says why;
 * it never rejects.
 */
export async function sendRequest(request: SampleRequest, signal: AbortSignal) {
  const written = writeRequest(request);
  const prepared = prepare(written);
  if (typeof prepared === "string") return prepared;
  const start = performance.now();
  try {
    const response = await fetch(prepared, { signal });
    const body = await readBody(response);
    // From sending to the last byte.
    return { response, ...body, milliseconds: performance.now() - start };
  } catch {
    return signal.aborted ? "Canceled." : explainFailure(written.url);
  }
}

/** Parts of a request that a page cannot send, each as a sentence. */
export function unsendable(request: SampleRequest): readonly string[] {
  const written = writeRequest(request);
  const prepared = prepare(written);
  if (typeof prepared === "string") return [prepared];
  // Header names that are the browser's own are left out without a word (Fetch Standard, section 2.2.2).
  const names = Object.keys(written.headers).filter((name) => !prepared.headers.has(name));
  return names.map(
    (name) => `Browsers do not let pages set the header ${name}: this form sends the request without it.`,
  );
}

function prepare({ method, url, headers, body }: WrittenRequest): Request | string {
  try {
    return new Request(url, {
      method,
      headers: Object.entries(headers).filter(([name]) => name !== "Cookie"),
      ...(body && { body: bodyInit(body) }),
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    return `The browser cannot make this request: ${messageOf(error)}`;
  }
}

/** A body as text, and as the value of its JSON; each is `undefined` if it is none. One that is cut goes on after `bytes`. */
async function readBody(response: Response) {
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
  return { contentType, bytes, text, json: isJson(contentType) ? parseJson(text ?? "") : undefined, isCut };
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
