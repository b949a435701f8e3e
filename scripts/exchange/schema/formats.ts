/**
 * Formats of JSON Schema 2020-12 (Validation, section 7.3) and of OpenAPI's registry of formats. All checks
 * take linear time.
 */
import { attempt } from "../../contract/failures.ts";
import { readDateTime } from "../../spec/dateTimes.ts";

/** The checked formats of texts. `idn-hostname` is missing because it needs Unicode tables. */
export const textFormats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date-time", isDateTime],
  ["date", isDate],
  ["time", isTime],
  ["duration", isDuration],
  ["email", isEmail],
  ["idn-email", (text) => isEmail(toAscii(text))],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", isUri],
  ["uri-reference", isUriReference],
  ["iri", (text) => isUri(toAscii(text))],
  ["iri-reference", (text) => isUriReference(toAscii(text))],
  ["uri-template", isUriTemplate],
  ["url", isUrl],
  ["uuid", isUuid],
  ["json-pointer", isJsonPointer],
  ["relative-json-pointer", isRelativeJsonPointer],
  ["regex", isRegularExpression],
  ["byte", isBase64],
]);

/** The checked formats of numbers. Integers above 2^53 are rounded before any check. */
export const numberFormats: ReadonlyMap<string, (value: number) => boolean> = new Map([
  ["int8", (value) => isIntegerFrom(value, -(2 ** 7), 2 ** 7 - 1)],
  ["int16", (value) => isIntegerFrom(value, -(2 ** 15), 2 ** 15 - 1)],
  ["int32", (value) => isIntegerFrom(value, -(2 ** 31), 2 ** 31 - 1)],
  ["int64", (value) => isIntegerFrom(value, -(2 ** 63), 2 ** 63)],
  ["uint8", (value) => isIntegerFrom(value, 0, 2 ** 8 - 1)],
  ["uint16", (value) => isIntegerFrom(value, 0, 2 ** 16 - 1)],
  ["uint32", (value) => isIntegerFrom(value, 0, 2 ** 32 - 1)],
  ["uint64", (value) => isIntegerFrom(value, 0, 2 ** 64)],
]);

function isIntegerFrom(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** RFC 3339, section 5.6: a `full-date`. */
function isDate(text: string): boolean {
  return isDateTime(`${text}T00:00:00Z`);
}

/** RFC 3339, section 5.6. */
function isDateTime(text: string): boolean {
  return readDateTime(text) !== undefined;
}

const timeForm = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

const minutesOfDay = 24 * 60;

/** RFC 3339, section 5.6: a `full-time`. A leap second is the last one of a day in UTC. */
function isTime(text: string): boolean {
  const [found, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = timeForm.exec(text) ?? [];
  if (found === undefined || second !== "60") return found !== undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const minuteInUtc = Number(hour) * 60 + Number(minute) - offset;
  return (minuteInUtc + minutesOfDay) % minutesOfDay === minutesOfDay - 1;
}

const date = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";
const time = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const duration = new RegExp(`^P(?:${date}(?:${time})?|${time}|\\d+W)$`);

/** RFC 3339, appendix A, where no unit between two others may be missing. */
function isDuration(text: string): boolean {
  return duration.test(text);
}

const longestAddress = 320;
const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const quotedText = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;

/** RFC 5321, section 4.1.2: a `Mailbox`. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || text.length > longestAddress) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (!atoms.test(local) && !quotedText.test(local)) return false;
  if (!domain.startsWith("[") || !domain.endsWith("]")) return isHostname(domain);
  const literal = domain.slice(1, -1);
  return literal.startsWith("IPv6:") ? isIpv6(literal.slice(5)) : isIpv4(literal);
}

/** RFC 1123, section 2.1. */
function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split(".").every((label) => label.length <= 63 && /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(label));
}

/** RFC 2673, section 3.2: four numbers without leading zeros. */
function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** RFC 4291, section 2.2. */
function isIpv6(text: string): boolean {
  return /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]`);
}

/**
 * Returns whether a text has only URI characters. A single expression would overflow the stack for long
 * texts.
 */
function isUriText(text: string): boolean {
  return !/[^\w.~!$&'()*+,;=:@/?%-]/.test(text) && hasWholeEscapes(text);
}

function hasWholeEscapes(text: string): boolean {
  return !/%(?![\da-f]{2})/i.test(text);
}

const scheme = /^[a-z][a-z\d+.-]*:/i;

/** RFC 3986, section 3. */
function isUri(text: string): boolean {
  return scheme.test(text) && isUriReference(text);
}

/** RFC 3986, section 4.1: a URI, or a relative reference. */
function isUriReference(text: string): boolean {
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
  const [host, end] = server.startsWith("[") ? splitAfter(server, "]") : splitAt(server, ":");
  const port = server.startsWith("[") ? end.replace(/^:/, "") : end;
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
function splitAt(text: string, separator: string): readonly [string, string] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index + separator.length)];
}

/** The text up to and including a sign, and the rest. */
function splitAfter(text: string, sign: string): readonly [string, string] {
  const index = text.indexOf(sign);
  return index === -1 ? [text, ""] : [text.slice(0, index + 1), text.slice(index + 1)];
}

const templateVariable = /^(?:\w|%[\da-f]{2})+(?:\.(?:\w|%[\da-f]{2})+)*(?::[1-9]\d{0,3}|\*)?$/i;

/** RFC 6570, section 2. */
function isUriTemplate(text: string): boolean {
  const [first = "", ...parts] = text.split("{");
  return (
    isTemplateLiteral(first) &&
    parts.every((part) => {
      const [expression, literal] = splitAt(part, "}");
      const variables = expression.replace(/^[+#./;?&=,!@|]/, "").split(",");
      return part.includes("}") && variables.every((one) => templateVariable.test(one)) && isTemplateLiteral(literal);
    })
  );
}

function isTemplateLiteral(text: string): boolean {
  return !/[\0- "<>\\^`{|}\x7f]/.test(text) && hasWholeEscapes(text);
}

/** A URL with an authority, as browsers read it. */
function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S*$/i.test(text) && URL.canParse(text);
}

/** RFC 9562, section 4. */
function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** RFC 6901, section 3. */
function isJsonPointer(text: string): boolean {
  return (text === "" || text.startsWith("/")) && !/~(?![01])/.test(text);
}

/** Relative JSON Pointers, section 3: a number of levels up, then a pointer, or `#` for the key. */
function isRelativeJsonPointer(text: string): boolean {
  const [up = ""] = /^(?:0|[1-9]\d*)(?:[+-][1-9]\d*)?/.exec(text) ?? [];
  const rest = text.slice(up.length);
  return up !== "" && (rest === "#" || isJsonPointer(rest));
}

/** ECMA-262, section 22.2.1. */
function isRegularExpression(text: string): boolean {
  return attempt(() => new RegExp(text, "u")) !== undefined;
}

/** RFC 4648, section 4. */
function isBase64(text: string): boolean {
  const padding = text.indexOf("=");
  const isPadded = padding === -1 || /^={1,2}$/.test(text.slice(padding));
  return text.length % 4 === 0 && isPadded && !/[^a-z\d+/=]/i.test(text);
}

/**
 * Replaces non-ASCII characters with letters. Internationalized forms allow them wherever letters are
 * allowed.
 */
function toAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/gu, "a");
}
