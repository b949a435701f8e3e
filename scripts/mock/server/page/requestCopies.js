// @ts-check
/* What can be made of an entry: a command line, the same request, and an override with its response. */

import { isViolation, mostListed } from "./requestRow.js";

/** @import { RequestEntry } from "../../mockTypes.ts" */

/** In place of a secret, which the mock doesn't keep. */
const mask = "***";

/** Header fields that belong to a connection or a client rather than to a request. */
const incidental = new Set(
  "accept-encoding accept-language connection content-length host keep-alive transfer-encoding user-agent".split(" "),
);

/** @param {RequestEntry} entry */
export function hasBody({ headers = {} }) {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Why an entry doesn't tell the whole request. `undefined` if it does.
 *
 * @param {RequestEntry} entry
 */
export function missingPart(entry) {
  const { target, headers = {}, body } = entry;
  if (entry.headers === undefined)
    return "the mock keeps headers and bodies only if an operation has the path and method";
  if (!isWhole(target)) return "its path isn't kept whole";
  if (!hasBody(entry)) return undefined;
  if (body === undefined) return "its body isn't kept";
  const wrong = (entry.findings ?? []).filter(({ direction }) => direction === "request");
  if (wrong.length >= mostListed) return "the mock hides its texts and numbers, because it doesn't list all violations";
  if (entry.described?.includes("body")) return "its body is too large to be kept";
  const mediaType = headers["content-type"] ?? "";
  return /[/+]json/.test(mediaType) || typeof body === "string" ? undefined : "its body is kept as values, not as text";
}

/**
 * Why this page can't send a request again. `undefined` if it can.
 *
 * @param {RequestEntry} entry
 */
export function whyNotAgain(entry) {
  const { target } = entry;
  const url = urlOf(target);
  // Browsers resolve dot segments, which could turn the request into one for the mock itself.
  const isChanged = url === undefined || url.pathname + url.search !== target;
  return isChanged && isWhole(target) ? "browsers would change its path" : missingPart(entry);
}

/** @param {string} target */
function isWhole(target) {
  return target.startsWith("/") && !target.endsWith("…");
}

/** @param {string} target */
function urlOf(target) {
  return URL.parse(location.origin + target) ?? undefined;
}

/** @param {RequestEntry} entry */
export async function sendAgain({ method, target, headers = {}, body }) {
  const content = body === undefined || method === "GET" || method === "HEAD" ? null : textOf(body, headers);
  const init = { method, headers, body: content, redirect: /** @type {const} */ ("manual") };
  return fetch(location.origin + target, { ...init, credentials: "omit", cache: "no-store" });
}

/**
 * @param {unknown} body
 * @param {Readonly<Record<string, string>>} headers
 */
function textOf(body, headers) {
  const isJson = /[/+]json/.test(headers["content-type"] ?? "");
  return typeof body === "string" && !isJson ? body : JSON.stringify(body);
}

/**
 * A command line for POSIX shells that sends a request. Secrets are variables of the shell.
 *
 * @param {RequestEntry} entry
 * @returns {{ readonly command: string, readonly variables: readonly string[] }}
 */
export function curlOf({ method, target, headers = {}, body }) {
  /** @type {Set<string>} */
  const variables = new Set();
  /** @param {string} text */
  const quote = (text) => {
    const [first = "", ...others] = text.split(mask);
    let quoted = singleQuoted(first);
    let before = first;
    for (const rest of others) {
      const name = variableFor(before);
      variables.add(name);
      quoted += `"$${name}"${rest === "" ? "" : singleQuoted(rest)}`;
      before = rest;
    }
    return quoted;
  };
  const isDefault = method === "GET" && body === undefined;
  const option = method === "HEAD" ? "--head " : `-X ${method} `;
  // curl would take brackets for several URLs, and resolve dot segments.
  const asWritten = /[[\]{}]|\/\./.test(target) ? "--globoff --path-as-is " : "";
  const sent = Object.entries(headers).filter(([name]) => !incidental.has(name) && !name.startsWith("sec-"));
  const parts = [
    `curl ${asWritten}${isDefault ? "" : option}${quote(location.origin + target)}`,
    ...sent.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(textOf(body, headers))}`]),
  ];
  return { command: parts.join(" \\\n  "), variables: [...variables] };
}

/**
 * Within single quotes, only the closing quote is special.
 *
 * @param {string} text
 */
function singleQuoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A variable for a secret, named by the last word before it: `token=` makes `SECRET_TOKEN`. A request can't name
 * other variables of the shell.
 *
 * @param {string} before
 */
function variableFor(before) {
  const word = before.match(/\w+/g)?.at(-1) ?? "";
  return word.toLowerCase() === "bearer" ? "API_KEY" : `SECRET_${word.toUpperCase()}`;
}

/**
 * An override that answers the next such request as this one was answered. `undefined` if the request isn't for
 * an operation, or if it got no response.
 *
 * @param {RequestEntry} entry
 */
export function overrideLike({ operation, generation, path = {}, status, responseBody, ...entry }) {
  const delivery = entry.fault?.delivery;
  if (operation === undefined || (delivery !== undefined && delivery !== "truncated")) return undefined;
  const isKept = responseBody !== undefined && entry.described?.includes("responseBody") !== true;
  const violates = (entry.findings ?? []).some((one) => isViolation(one) && one.direction === "response");
  const isProblem = typeof responseBody === "object" && responseBody !== null && "detail" in responseBody;
  return {
    ...{ operation, generation },
    ...(Object.keys(path).length > 0 && { when: { path } }),
    respond: {
      status,
      ...(isProblem && { headers: { "content-type": "application/problem+json" } }),
      ...(isKept && { body: responseBody }),
      // The contract doesn't describe the problem details of the mock.
      ...((violates || isProblem) && { unchecked: true }),
    },
    times: 1,
  };
}
