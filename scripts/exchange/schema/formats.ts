/**
 * Formats of JSON Schema 2020-12 (Validation, section 7.3) and of OpenAPI's registry of formats. All checks
 * take linear time.
 */
import { attempt } from "../../contract/failures.ts";
import {
  hasWholeEscapes,
  isDate,
  isDateTime,
  isEmail,
  isHostname,
  isIpv4,
  isIpv6,
  isUri,
  isUriReference,
  isUuid,
  splitAt,
} from "../../values/textFormats.ts";

/** The checked formats of texts. `idn-hostname` needs Unicode tables, as do labels of hostnames that begin with `xn--`. */
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

/**
 * The checked formats of numbers: `int8` to `int64`, and `uint8` to `uint64`. Integers above 2^53 are rounded before
 * any check.
 */
export const numberFormats: ReadonlyMap<string, (value: number) => boolean> = new Map(
  [8, 16, 32, 64].flatMap((bits) => [
    [`int${bits}`, (value) => isIntegerFrom(value, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)],
    [`uint${bits}`, (value) => isIntegerFrom(value, 0, 2 ** bits - 1)],
  ]),
);

function isIntegerFrom(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
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
