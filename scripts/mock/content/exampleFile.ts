import { bytesOfBase64 } from "../../values/bytes.ts";
import { essenceOf } from "../../spec/mediaTypes.ts";

/** An empty page. PDF readers find its objects without the cross-reference table that larger files have. */
const page = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`;

/** A single pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/**
 * The file that the mock sends if the contract has no example. It can be opened if the mock knows the media
 * type.
 */
export function exampleFile(mediaType: string): Uint8Array {
  const essence = essenceOf(mediaType);
  if (essence === "application/pdf") return new TextEncoder().encode(page);
  return essence === "image/png" ? bytesOfBase64(pixel) : new TextEncoder().encode("An example file.\n");
}
