import { MIMEType } from "node:util";

/** Reads a media type (RFC 9110, section 8.3.1); `undefined` if it is not one. */
export function readMediaType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

/** Tells whether a media type, without parameters, falls under another or under a range such as `text/*`. */
export function fallsUnder(essence: string, declared: string): boolean {
  const range = (readMediaType(declared)?.essence ?? declared).toLowerCase();
  return range === essence || range === "*/*" || (range.endsWith("/*") && essence.startsWith(range.slice(0, -1)));
}

export function isForm(essence: string): boolean {
  return essence === "application/x-www-form-urlencoded" || essence === "multipart/form-data";
}
