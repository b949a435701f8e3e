import { setTimeout } from "node:timers/promises";
import { joinFields, type Exchange } from "../exchange/exchange.ts";
import { requestServer } from "../exchange/requestServer.ts";
import { bodyInit, type WrittenRequest } from "../samples/writeRequest.ts";

export type Send = ReturnType<typeof createSender>;

/**
 * Makes a function that sends so many requests a second, and waits so many milliseconds for each whole response. It
 * follows no redirects, and never rejects.
 */
export function createSender({ rate, callTime }: Readonly<Record<"callTime" | "rate", number>>) {
  let next = 0;
  return async ({ body, ...written }: WrittenRequest, stop: AbortSignal): Promise<Exchange> => {
    await setTimeout(Math.max(0, next - Date.now()), undefined, { signal: stop }).catch(() => undefined);
    next = Date.now() + 1_000 / rate;
    const exchange = await requestServer({ ...written, body: body && bodyInit(body) }, callTime, stop);
    const { status = 0, headers = [] } = exchange.response ?? {};
    const target = URL.parse(joinFields(headers)["location"] ?? "", written.url)?.origin;
    if (status < 300 || status >= 400 || target === undefined || target === new URL(written.url).origin)
      return exchange;
    return { ...exchange, response: undefined, failure: `the server redirects to ${target}, which is not followed` };
  };
}
