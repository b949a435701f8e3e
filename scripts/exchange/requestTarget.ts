import { splitOnce } from "../values/text.ts";
import { splitCookies } from "../spec/headerFields.ts";
import { percentDecode } from "../values/percentEncoding.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { maskAndCut, withoutAuthority } from "./secrets.ts";

/** The parts of a request-target (RFC 9112, section 3.2). */
export interface Target {
  /** The path as received, percent-encoded, without the query. */
  readonly path: string;
  /** The path's segments, percent-decoded. */
  readonly segments: readonly string[];
  /** A repeated name has a list. */
  readonly query: Readonly<Record<string, string | string[]>>;
}

/** Reads a request-target in origin-form or absolute-form. Drops the authority and any credentials in it. */
export function readTarget(requestTarget: string): Target | Refusal {
  const target = withoutAuthority(requestTarget);
  if (!target.startsWith("/")) {
    const message = "The request-target must be a path that begins with a slash.";
    return refusalOf(400, { code: "syntax", in: "path", message, expected: "/" });
  }
  const [withoutFragment = ""] = target.split("#", 1);
  const [path = "", ...queryParts] = withoutFragment.split("?");
  const segments: string[] = [];
  for (const segment of path.slice(1).split("/")) {
    const decoded = percentDecode(segment);
    if (decoded === undefined) return brokenEscape("path", segment);
    segments.push(decoded);
  }
  const queryText = queryParts.join("?");
  if (percentDecode(queryText) === undefined) {
    const broken = queryText.split("&").find((pair) => percentDecode(pair) === undefined) ?? "";
    const [name = ""] = broken.split("=");
    return brokenEscape("query", name);
  }
  return { path, segments, query: queryText === "" ? {} : readPairs(queryText) };
}

/** Reads `name=value` pairs (https://url.spec.whatwg.org/#concept-urlencoded-parser). */
export function readPairs(text: string): Target["query"] {
  const pairs = text.split("&").filter((pair) => pair !== "");
  return joinPairs(
    pairs.map((pair) => {
      const [name, value = ""] = splitOnce(pair, "=");
      return [decodePair(name), decodePair(value)];
    }),
  );
}

/** Reads a Cookie header. A value that isn't percent-encoded UTF-8 stays as it is. */
export function readCookies(header = ""): Target["query"] {
  const pairs = splitCookies(header).map((pair) => splitOnce(pair, "="));
  return joinPairs(pairs.map(([name, value = ""]) => [name, percentDecode(value) ?? value]));
}

/** Values by name. A repeated name has a list. */
export function joinPairs(pairs: readonly (readonly [name: string, value: string])[]): Target["query"] {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (Array.isArray(known)) known.push(value);
    else values.set(name, known === undefined ? value : [known, value]);
  }
  return Object.fromEntries(values);
}

function decodePair(text: string): string {
  return percentDecode(text.replaceAll("+", " ")) ?? text;
}

function brokenEscape(place: "path" | "query", text: string): Refusal {
  const message =
    `The ${place} is not percent-encoded UTF-8, in ${JSON.stringify(maskAndCut(text))}: ` +
    `a "%" must be followed by two hexadecimal digits (RFC 3986, section 2.1), and is itself written "%25".`;
  return refusalOf(400, { code: "syntax", in: place, message });
}
