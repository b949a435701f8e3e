/**
 * Formats of JSON Schema 2020-12 (Validation, section 7.3). All checks take linear time. `exchange` has the others,
 * which clients don't check.
 */
import { readDateTime } from "./dateTimes.ts";

/** RFC 3339, section 5.6: a `full-date`. */
export function isDate(text: string): boolean {
  return isDateTime(`${text}T00:00:00Z`);
}

/** RFC 3339, section 5.6. */
export function isDateTime(text: string): boolean {
  return readDateTime(text) !== undefined;
}

const maxAddressLength = 320;
const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const quotedText = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;

/** RFC 5321, section 4.1.2: a `Mailbox`. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || text.length > maxAddressLength) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (!atoms.test(local) && !quotedText.test(local)) return false;
  if (!domain.startsWith("[") || !domain.endsWith("]")) return isHostname(domain);
  const literal = domain.slice(1, -1);
  return literal.startsWith("IPv6:") ? isIpv6(literal.slice(5)) : isIpv4(literal);
}

/** RFC 1123, section 2.1. */
export function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split(".").every((label) => label.length <= 63 && /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(label));
}

/** RFC 2673, section 3.2: four numbers without leading zeros. */
export function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** RFC 4291, section 2.2. */
export function isIpv6(text: string): boolean {
  return /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]`);
}

/**
 * Returns whether a text has only URI characters. A single expression would overflow the stack for long
 * texts.
 */
function isUriText(text: string): boolean {
  return !/[^\w.~!$&'()*+,;=:@/?%-]/.test(text) && hasWholeEscapes(text);
}

export function hasWholeEscapes(text: string): boolean {
  return !/%(?![\da-f]{2})/i.test(text);
}

const scheme = /^[a-z][a-z\d+.-]*:/i;

/** RFC 3986, section 3. */
export function isUri(text: string): boolean {
  return scheme.test(text) && isUriReference(text);
}

/** RFC 3986, section 4.1: a URI, or a relative reference. */
export function isUriReference(text: string): boolean {
  const rest = text.replace(scheme, "");
  const [beforeFragment = "", ...fragments] = rest.split("#");
  const [hierarchy, query] = splitAt(beforeFragment, "?");
  if (fragments.length > 1 || !isUriText(fragments.join("")) || !isUriText(query)) return false;
  if (!hierarchy.startsWith("//")) {
    // In a relative reference, text before a colon would be a scheme.
    const isRelative = rest === text;
    const [first = ""] = hierarchy.split("/");
    return isUriText(hierarchy) && !(isRelative && first.includes(":"));
  }
  const [authority, path] = splitAt(hierarchy.slice(2), "/");
  return isUriText(path) && isAuthority(authority);
}

/** RFC 3986, section 3.2. */
function isAuthority(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [userinfo, server] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  // An IP address in brackets contains colons, too.
  const colon = server.indexOf(":", server.indexOf("]") + 1);
  const [host, port] = colon === -1 ? [server, ""] : [server.slice(0, colon), server.slice(colon + 1)];
  if (!/^\d*$/.test(port) || !isUriPart(userinfo)) return false;
  return host.startsWith("[") ? isIpLiteral(host) : isUriPart(host) && !host.includes(":");
}

function isIpLiteral(text: string): boolean {
  const address = text.slice(1, -1);
  return text.endsWith("]") && (isIpv6(address) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address));
}

/** Returns whether a text can be the userinfo or the host of an authority. */
function isUriPart(text: string): boolean {
  return isUriText(text) && !/[@/?]/.test(text);
}

/** The text before the first of several separators, and the text from there on. */
export function splitAt(text: string, separator: string): readonly [string, string] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index + separator.length)];
}

/** RFC 9562, section 4. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
