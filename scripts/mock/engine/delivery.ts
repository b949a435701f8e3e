import type { MockRequest } from "../respond/mockRequest.ts";
import type { Answer } from "../response/answer.ts";

const mostPieces = 20;

/** Waits some milliseconds. If the client goes away meanwhile, resolves to `false` at once. */
export function pause(milliseconds: number, { whenGone }: MockRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      stop();
      resolve(true);
    }, milliseconds);
    const stop = whenGone(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

/** Tells whether the connection breaks before a response: the content that should break may not be there. */
export function isReset({ delivery, body }: Answer, method: string): boolean {
  return delivery === "reset" || (delivery === "truncated" && (body === undefined || method === "HEAD"));
}

/** Tells whether a response goes out as it is: whole and at once. */
export function isWhole({ delivery, bytesPerSecond, body }: Answer, method: string): boolean {
  return body === undefined || method === "HEAD" || (delivery !== "truncated" && bytesPerSecond === undefined);
}

export function bytesOf(content: Uint8Array | string): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
}

/**
 * The content of an answer as it goes out, slowly or cut off. Throws where it ends too early, and returns when the client
 * goes away.
 */
export async function* contentPieces(
  { body = "", delivery, bytesPerSecond }: Answer,
  request: MockRequest,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const bytes = bytesOf(body);
  const end = delivery === "truncated" ? Math.floor(bytes.length / 2) : bytes.length;
  const size = bytesPerSecond === undefined ? end : Math.ceil(bytesPerSecond / mostPieces);
  for (let start = 0; start < end; start += size) {
    if (bytesPerSecond !== undefined && !(await pause((size * 1000) / bytesPerSecond, request))) return;
    yield bytes.slice(start, Math.min(start + size, end));
  }
  if (delivery === "truncated") throw new TypeError("terminated");
}
