import type { Headers } from "../../exchange/exchange.ts";
import { refusalOf, sentenceOn, wholeBody, type Refusal } from "../../exchange/refusal.ts";
import { readStream } from "../../exchange/requestContent.ts";
import { tooLarge } from "./fetchRequest.ts";
import type { BodyLimits } from "./mockRequest.ts";

/** The content of a request without its coding. */
interface DecodedContent {
  /** Without Content-Encoding. */
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Decodes a gzip body, up to the limit of bodies. Refuses other codings. */
export async function decodeContent(
  headers: Headers,
  bytes: Uint8Array,
  { size }: Pick<BodyLimits, "size">,
): Promise<DecodedContent | Refusal> {
  const { "content-encoding": coding = "", ...others } = headers;
  const name = coding.trim().toLowerCase();
  // Without content, some clients send the header, too.
  if (bytes.length === 0 || ["", "identity"].includes(name)) return { headers: others, bytes };
  // A recipient treats `x-gzip` as `gzip` (RFC 9110, section 8.4.1.3).
  if (!["gzip", "x-gzip"].includes(name)) {
    const message = "Of the codings in Content-Encoding, only gzip is supported, once.";
    const violation = { in: "header", name: "Content-Encoding", message, expected: ["gzip", "identity"] } as const;
    return refusalOf(415, { code: "content-coding", ...violation }, { "accept-encoding": "gzip, identity" });
  }
  const stream = new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream("gzip"));
  const decoded = await readStream(stream, size).catch(() => undefined);
  if (decoded === undefined)
    return refusalOf(400, {
      code: "syntax",
      ...wholeBody,
      ...sentenceOn("The body", "is not one complete gzip member"),
    });
  return decoded === "too large" ? tooLarge(size) : { headers: others, bytes: decoded };
}
