import type { Exchange, ExchangeMessage } from "../../scripts/exchange/exchange.ts";

/** The text of an HTTP Archive (HAR 1.2) with some exchanges, as a browser writes it. */
export function writeHar(exchanges: readonly Exchange[]): string {
  const entries = exchanges.map(({ method, url, request, response }) => ({
    request: { method, url, headers: headersOf(request), postData: contentOf(request) },
    response: response && { status: response.status, headers: headersOf(response), content: contentOf(response) },
  }));
  return JSON.stringify({ log: { version: "1.2", entries } });
}

function headersOf({ headers }: ExchangeMessage) {
  return headers.map(([name, value]) => ({ name, value }));
}

function contentOf({ body }: ExchangeMessage) {
  return body && { size: body.length, text: Buffer.from(body).toString("base64"), encoding: "base64" };
}
