import type { Exchange } from "../../scripts/exchange/exchange.ts";
import type { Secrets } from "../../scripts/exchange/secrets.ts";
import { harEntry, harFrame } from "../../scripts/verify/har.ts";

/** The text of an archive with some exchanges, as the proxy writes it. */
export function writeHar(exchanges: readonly Exchange[], secrets: Secrets): string {
  const credentials = new Set<string>();
  const { head, foot } = harFrame();
  return head + exchanges.map((exchange) => harEntry(exchange, secrets, credentials)).join(",") + foot;
}
