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

/** Decodes a gzip body, up to the limit of bodies. Other codings stay as they are, and are refused with the body. */
export async function decodeContent(
  headers: Headers,
  bytes: Uint8Array,
  { size }: Pick<BodyLimits, "size">,
): Promise<DecodedContent | Refusal> {
  const { "content-encoding": coding = "", ...others } = headers;
  // A recipient treats `x-gzip` as `gzip` (RFC 9110, section 8.4.1.3).
  const isGzip = ["gzip", "x-gzip"].includes(coding.trim().toLowerCase());
  // Without content, some clients send the header, too.
  if (!isGzip || bytes.length === 0) return { headers, bytes };
  const stream = new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream("gzip"));
  const decoded = await readStream(stream, size).catch(() => undefined);
  if (decoded === undefined)
    return refusalOf(400, { code: "syntax", ...wholeBody, ...sentenceOn("The body", "is not gzip") });
  return decoded === "too large" ? tooLarge(size) : { headers: others, bytes: decoded };
}
