import { attempt, messageOf } from "../../contract/failures.ts";
import { isLoopback } from "../../contract/defaultAddress.ts";
import { isFieldValue } from "../../spec/headerFields.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { parseJson } from "../../values/json.ts";
import {
  bodyInit,
  serializeRequest,
  type SampleRequest,
  type SerializedRequest,
} from "../../samples/serializeRequest.ts";
import type { PlacedViolation } from "./violationMarks.ts";

export type Received = Exclude<Awaited<ReturnType<typeof sendRequest>>, NoResponse>;

/** The reason why there is no response, with the parts of the request that caused it. */
export interface NoResponse {
  readonly outcome: string;
  readonly violations: readonly PlacedViolation[];
}

/** The receiver of requests: a server, or the mock in the page. */
export interface Answerer {
  /** Its name in a sentence. */
  readonly name: string;
  /** The line below a response that says where it's from. */
  readonly signature: string;
  readonly isMock: boolean;
  /** The place of the control that selects it. */
  readonly place: string;
  /** The base of the paths of operations, without a slash at its end. */
  readonly server: string;
  /** The text to show while it handles a request. */
  readonly progress: string;
  /** A button that resets it, if it's a mock. */
  readonly reset: () => HTMLElement | undefined;
  readonly answer: (request: Request) => Promise<Response>;
  /** Explains why there is no response. */
  readonly explain: (error: unknown) => Promise<string> | string;
}

/** Sends a request without the browser's cookies. Never rejects. */
export async function sendRequest(request: SampleRequest, answerer: Answerer, signal: AbortSignal) {
  const written = serializeRequest({ ...request, server: answerer.server });
  const prepared = prepare(written, signal);
  if (!(prepared instanceof Request)) return prepared;
  const start = performance.now();
  let response: Response | undefined;
  try {
    response = await answerer.answer(prepared);
    if (response.type === "opaqueredirect")
      return { outcome: "There is no response to show.", violations: [redirected(answerer)] };
    const body = await readBody(response);
    const omitted = Object.keys(written.headers).filter((name) => !prepared.headers.has(name));
    // Only browsers may set these headers (Fetch Standard, section 2.2.2).
    const omission = omitted.length > 0 ? `Browsers don't let pages send ${omitted.join(" and ")}.` : "";
    // From sending the request to the last byte of the response.
    return { response, ...body, omission, milliseconds: performance.now() - start };
  } catch (error) {
    const { name, place } = answerer;
    if (signal.aborted) return { outcome: `Canceled. ${name} may have received the request.`, violations: [] };
    const broken = `${name} received the request, but the connection broke during the response.`;
    const message = response === undefined ? await answerer.explain(error) : broken;
    return { outcome: "There is no response.", violations: [{ place, message }] };
  }
}

/** Browsers don't tell pages where a redirect leads. */
function redirected({ name, place }: Answerer): PlacedViolation {
  const reason = "this form doesn't follow, because another server could get the credentials";
  const advice =
    "Run the request's code for curl with the option -i to see the target in Location. If you trust it, enter its address here.";
  return { place, message: `${name} redirects the request, and ${reason}. ${advice}` };
}

function prepare({ method, url, headers: all, body }: SerializedRequest, signal: AbortSignal): Request | NoResponse {
  const outcome = "The request wasn't sent.";
  const headers = Object.entries(all).filter(([name]) => name !== "Cookie");
  const violations = headers.flatMap(([name, value]) => {
    const wrong = Array.from(value).find((character) => !isFieldValue(character));
    return wrong === undefined ? [] : [{ place: `header:${name}`, message: `A header can't contain “${wrong}”.` }];
  });
  if (violations.length > 0) return { outcome, violations };
  try {
    return new Request(url, {
      ...{ method, headers, signal, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" },
      // Browsers would send all headers except Authorization to the target (Fetch Standard, section 4.4).
      redirect: "manual",
      ...(body && { body: bodyInit(body) }),
    });
  } catch (error) {
    return { outcome, violations: [{ place: "", message: `Browsers can't send it: ${messageOf(error)}` }] };
  }
}

async function readBody(response: Response) {
  const body = await response.arrayBuffer();
  const text = attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(body));
  return readBodyText(response, body, text);
}

/** The body of a response, which is JSON or other text, or else bytes. */
export function readBodyText({ headers }: Response, body: ArrayBuffer, text: string | undefined) {
  const contentType = headers.get("content-type") ?? "";
  return {
    contentType,
    bytes: body.byteLength,
    body,
    text,
    json: isJson(contentType) ? parseJson(text ?? "") : undefined,
  };
}

/** Browsers report every failure alike, so that pages can't explore a network. This finds out as much as it can. */
export async function explainSilence(url: string): Promise<string> {
  const { origin, protocol, hostname } = new URL(url);
  if (!navigator.onLine) return "The browser is offline.";
  if (location.protocol === "https:" && protocol === "http:" && !isLoopback(hostname)) {
    return `This page was loaded over https, so browsers don't let it send requests to ${origin}, which isn't encrypted.`;
  }
  const init: RequestInit = { method: "HEAD", credentials: "omit", signal: AbortSignal.timeout(3000) };
  const answers = async (mode: RequestMode) =>
    (await fetch(origin, { ...init, mode }).catch(() => undefined)) !== undefined;
  const arrival = "It may have received the request.";
  const broken = "The connection broke before the response";
  if (await answers("cors")) {
    if (origin === location.origin) return `${broken}, but ${origin} answers now. ${arrival}`;
    return `${broken}, or ${origin} doesn't accept this request from pages of other origins (CORS). ${arrival}`;
  }
  // Without CORS, pages learn only whether there is a response.
  if (await answers("no-cors")) {
    return `${origin} doesn't let pages of other origins read its responses (CORS). ${arrival} curl doesn't have this limit.`;
  }
  return `No server responds at ${origin}. Check the address, and that the server is running. If it was running, it may have received the request.`;
}
