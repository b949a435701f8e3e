import { setTimeout } from "node:timers/promises";
import { isDigits } from "../values/text.ts";
import { joinFields, type Exchange } from "./exchange.ts";
import { requestServer, type EventStream } from "./requestServer.ts";
import { bodyInit, type SerializedRequest } from "../samples/serializeRequest.ts";

export type Send = ReturnType<typeof createSender>;

/** Options for sending requests. */
interface SenderOptions {
  /** Requests a second. */
  readonly rate: number;
  /** The time limit of a whole response, in milliseconds. */
  readonly callTime: number;
  /** Sends one request, by default over HTTP. */
  readonly request?: typeof requestServer;
  /** Gets the content of an event stream, which then isn't read. */
  readonly takeStream?: (stream: EventStream) => void;
}

/** The maximum number of retries after a 429. */
const maxRepetitions = 3;
/** The maximum wait for a retry, in milliseconds. */
const maxWait = 60_000;

/**
 * Makes a function that sends a limited number of requests a second. After a 429 (RFC 6585, section 4), it waits as the
 * response says, and retries a few times. It doesn't follow redirects, and never rejects.
 */
export function createSender({ rate, callTime, request = requestServer, takeStream }: SenderOptions) {
  let next = 0;
  const wait = (time: number, signal: AbortSignal) => setTimeout(time, undefined, { signal }).catch(() => undefined);
  const sendOnce = async ({ body, ...written }: SerializedRequest, stop: AbortSignal): Promise<Exchange> => {
    const pause = next - Date.now();
    if (pause > 0) await wait(pause, stop);
    next = Date.now() + 1_000 / rate;
    return request({ ...written, body: body && bodyInit(body) }, callTime, stop, takeStream);
  };
  return async (written: SerializedRequest, stop: AbortSignal): Promise<Exchange> => {
    let exchange = await sendOnce(written, stop);
    for (let count = 0; count < maxRepetitions && !stop.aborted; count += 1) {
      const pause = waitAfter(exchange);
      if (pause === undefined || pause > maxWait) break;
      await wait(pause, stop);
      exchange = await sendOnce(written, stop);
    }
    return exchange;
  };
}

/** The milliseconds that a 429 asks to wait (RFC 9110, section 10.2.3), by default 1,000. `undefined` without a 429. */
function waitAfter({ response }: Exchange): number | undefined {
  if (response?.status !== 429) return undefined;
  const { "retry-after": after = "1" } = joinFields(response.headers);
  const time = isDigits(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return Number.isNaN(time) ? 1_000 : Math.max(0, time);
}
