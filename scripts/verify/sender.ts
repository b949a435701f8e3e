import { setTimeout } from "node:timers/promises";
import { messageOf } from "../contract/failures.ts";
import { bodyInit, type WrittenRequest } from "../samples/writeRequest.ts";
import { isObject } from "../spec/json.ts";
import type { Exchange, ExchangeMessage } from "./exchange.ts";

/** In bytes, without its content coding. Of a larger body, the rest is not read. */
const largestBody = 5 * 1024 * 1024;

interface SendOptions {
  /** Requests a second. */
  readonly rate: number;
  /** Time that a response may take as a whole, in milliseconds. */
  readonly callTime: number;
}

export type Send = ReturnType<typeof createSender>;

/** Makes a function that sends requests, no faster than allowed, and follows no redirects. It never rejects. */
export function createSender({ rate, callTime }: SendOptions) {
  let next = 0;
  return async ({ method, url, headers, body }: WrittenRequest, stop: AbortSignal): Promise<Exchange> => {
    let request: ExchangeMessage = { headers: Object.entries(headers), body: undefined };
    const signal = AbortSignal.any([stop, AbortSignal.timeout(Math.ceil(callTime + Math.max(0, next - Date.now())))]);
    try {
      await setTimeout(Math.max(0, next - Date.now()), undefined, { signal });
      next = Date.now() + 1_000 / rate;
      const written = new Request(url, { method, headers, ...(body && { body: bodyInit(body) }) });
      const bytes = body && (await written.bytes());
      request = { headers: [...written.headers], body: bytes };
      const options = { method, headers: written.headers, redirect: "manual", signal } as const;
      const response = await fetch(url, { ...options, ...(bytes && { body: bytes }) });
      const { status } = response;
      const target = URL.parse(response.headers.get("location") ?? "", url)?.origin;
      if (status >= 300 && status < 400 && target !== undefined && target !== new URL(url).origin) {
        await response.body?.cancel();
        throw new Error(`the server redirects to ${target}, which is not followed`);
      }
      const received = { status, headers: [...response.headers], body: await readBytes(response) };
      return { method, url, request, response: received };
    } catch (error) {
      const cause = isObject(error) && isObject(error["cause"]) ? error["cause"] : error;
      const isLate = signal.aborted && !stop.aborted;
      const failure = isLate ? `no whole response came within ${callTime / 1_000} s` : messageOf(cause);
      return { method, url, request, response: undefined, failure };
    }
  };
}

async function readBytes({ body }: Response): Promise<Uint8Array> {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    size += read.value.length;
    if (size > largestBody) throw new Error(`the body is larger than ${largestBody / 1_048_576} MiB`);
    pieces.push(read.value);
  }
  return Buffer.concat(pieces);
}
