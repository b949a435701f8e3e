import { attempt, messageOf } from "../../contract/failures.ts";
import { isLoopback } from "../../contract/defaultAddress.ts";
import { isFieldValue } from "../../spec/headerFields.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { parseJson } from "../../spec/json.ts";
import { bodyInit, writeRequest, type SampleRequest, type WrittenRequest } from "../../samples/writeRequest.ts";
import type { PlacedViolation } from "./violationMarks.ts";

export type Received = Exclude<Awaited<ReturnType<typeof sendRequest>>, NoResponse>;

/** Why there is no response, with the parts of the request that are to blame. */
export interface NoResponse {
  readonly outcome: string;
  readonly violations: readonly PlacedViolation[];
}

/** Whoever answers requests: a server, or the mock in the page. */
export interface Answerer {
  /** As a sentence names it. */
  readonly name: string;
  /** As a response says whom it's from. */
  readonly signature: string;
  readonly isMock: boolean;
  /** The place of the control that chooses it. */
  readonly place: string;
  /** Where it finds the paths of operations, without a slash at its end. */
  readonly server: string;
  /** Says that it has been asked. */
  readonly progress: string;
  /** A button that resets it, if it's a mock. */
  readonly reset: () => HTMLElement | undefined;
  readonly answer: (request: Request) => Promise<Response>;
  /** Says why there is no response. */
  readonly explain: (error: unknown) => Promise<string> | string;
}

/** Sends a request without the cookies that the browser has. Never rejects. */
export async function sendRequest(request: SampleRequest, answerer: Answerer, signal: AbortSignal) {
  const written = writeRequest({ ...request, server: answerer.server });
  const prepared = prepare(written, signal);
  if (!(prepared instanceof Request)) return prepared;
  const start = performance.now();
  let response: Response | undefined;
  try {
    response = await answerer.answer(prepared);
    const body = await readBody(response);
    const omitted = Object.keys(written.headers).filter((name) => !prepared.headers.has(name));
    // Names that are the browser's own (Fetch Standard, section 2.2.2).
    const omission = omitted.length > 0 ? `Browsers do not let pages send ${omitted.join(" and ")}.` : "";
    // From sending to the last byte.
    return { response, ...body, omission, milliseconds: performance.now() - start };
  } catch (error) {
    const { name, place } = answerer;
    if (signal.aborted) return { outcome: `Canceled. ${name} may have received the request.`, violations: [] };
    const broken = `${name} received the request, but its response broke off.`;
    const message = response === undefined ? await answerer.explain(error) : broken;
    return { outcome: "There is no response.", violations: [{ place, message }] };
  }
}

function prepare({ method, url, headers: all, body }: WrittenRequest, signal: AbortSignal): Request | NoResponse {
  const outcome = "The request was not sent.";
  const headers = Object.entries(all).filter(([name]) => name !== "Cookie");
  const violations = headers.flatMap(([name, value]) => {
    const wrong = Array.from(value).find((character) => !isFieldValue(character));
    return wrong === undefined ? [] : [{ place: `header:${name}`, message: `A header cannot contain “${wrong}”.` }];
  });
  if (violations.length > 0) return { outcome, violations };
  try {
    return new Request(url, {
      ...{ method, headers, signal, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" },
      ...(body && { body: bodyInit(body) }),
    });
  } catch (error) {
    return { outcome, violations: [{ place: "", message: `Browsers cannot make it: ${messageOf(error)}` }] };
  }
}

async function readBody(response: Response) {
  const body = await response.arrayBuffer();
  const contentType = response.headers.get("content-type") ?? "";
  const text = attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(body));
  return {
    contentType,
    bytes: body.byteLength,
    body,
    text,
    json: isJson(contentType) ? parseJson(text ?? "") : undefined,
  };
}

/** Browsers say the same of every failure, so that pages cannot look into a network; what can be told is told. */
export async function explainSilence(url: string): Promise<string> {
  const { origin, protocol, hostname } = new URL(url);
  if (!navigator.onLine) return "The browser is offline.";
  if (location.protocol === "https:" && protocol === "http:" && !isLoopback(hostname)) {
    return `This page came over https, and browsers let such a page send nothing to ${origin}, which is not encrypted.`;
  }
  const init: RequestInit = { method: "HEAD", credentials: "omit", signal: AbortSignal.timeout(3000) };
  const answers = async (mode: RequestMode) =>
    (await fetch(origin, { ...init, mode }).catch(() => undefined)) !== undefined;
  const arrival = "It may have received the request.";
  const broken = "The connection broke before there was a response";
  if (await answers("cors")) {
    if (origin === location.origin) return `${broken}, but ${origin} answers now. ${arrival}`;
    return `${broken}, or ${origin} does not take this request from pages of other origins (CORS). ${arrival}`;
  }
  // Without CORS, pages learn whether there is an answer, and no more.
  if (await answers("no-cors")) {
    return `${origin} does not let pages of other origins read its responses (CORS). ${arrival} curl is not limited in this way.`;
  }
  return `Nothing answers at ${origin}. Check the address, and that the server is running. If it was running, it may have received the request.`;
}
