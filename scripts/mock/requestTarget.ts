import { percentDecode } from "../contract/jsonPointer.ts";
import { shorten, type Refusal, refusalOf } from "./problemDetails.ts";

/** What a request-target (RFC 9112, section 3.2) asks for. */
export interface Target {
  /** As received, still percent-encoded, without the query. */
  readonly path: string;
  /** The path's segments, percent-decoded. */
  readonly segments: readonly string[];
  /** A name that was sent several times has a list. */
  readonly query: Readonly<Record<string, string | string[]>>;
}

/** Reads a request-target in origin-form or absolute-form. An authority, and the credentials in it, is dropped. */
export function readTarget(requestTarget: string): Target | Refusal {
  const target = withoutAuthority(requestTarget);
  if (!target.startsWith("/")) {
    return refusalOf(400, [
      { in: "path", message: "The request-target must be a path that begins with a slash.", expected: "/" },
    ]);
  }
  const [path = "", ...queryParts] = withoutFragment(target).split("?");
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
  return { path, segments, query: queryText === "" ? {} : readQuery(queryText) };
}

/** The same request-target with the value of each parameter that may be a credential replaced, for logs. */
export function maskTarget(requestTarget: string, isSecret: (name: string) => boolean): string {
  const target = withoutAuthority(requestTarget);
  const start = target.indexOf("?");
  if (start < 0) return target;
  const pairs = target.slice(start + 1).split("&");
  const masked = pairs.map((pair) => {
    const [name = ""] = pair.split("=");
    return isSecret(percentDecode(name) ?? name) ? `${name}=***` : pair;
  });
  return `${target.slice(0, start)}?${masked.join("&")}`;
}

function readQuery(text: string): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else list.push(value);
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list.join() : list]));
}

function withoutAuthority(target: string): string {
  const [authority] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(target) ?? [""];
  const rest = target.slice(authority.length);
  return authority !== "" && !rest.startsWith("/") ? `/${rest}` : rest;
}

function withoutFragment(target: string): string {
  const [before = ""] = target.split("#", 1);
  return before;
}

function brokenEscape(place: "path" | "query", text: string): Refusal {
  return refusalOf(400, [
    {
      in: place,
      message:
        `The ${place} is not percent-encoded UTF-8, in ${JSON.stringify(shorten(text))}: ` +
        `a "%" must be followed by two hexadecimal digits (RFC 3986, section 2.1), and is itself written "%25".`,
    },
  ]);
}
