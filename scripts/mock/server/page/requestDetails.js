// @ts-check
import { button, code, countOf, element, members } from "./dom.js";
import { jsonBlock } from "./jsonLines.js";
import { requestActions } from "./requestActions.js";
import { hasBody } from "./requestCopies.js";
import { durationOf, statusMark } from "./requestRow.js";

/** @import { RequestEntry } from "../../mockTypes.ts" */
/**
 * What requests need to know of the page.
 *
 * @typedef {{
 *   readonly hasDocs: boolean,
 *   readonly hasUpstream: boolean,
 *   readonly isForAll: boolean,
 *   readonly showRule: (kind: string, id: string) => void,
 *   readonly edit: (title: string, text: string, send?: (text: string) => Promise<unknown>) => void,
 *   readonly addOverride: (rule: string, session: string) => Promise<unknown>,
 * }} Surroundings
 */

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
export function describeRequest(entry, surroundings) {
  const { violations, reason, note, exception } = entry;
  return [
    requestActions(entry, surroundings),
    // The list has the reason, too.
    violations === undefined ? reason !== undefined && element("p", "reason", reason) : violationList(violations),
    note !== undefined && element("p", "note", note),
    exception !== undefined && code(exception),
    element("div", "exchange", requestPart(entry), responsePart(entry, surroundings)),
  ];
}

/** @param {readonly string[]} violations */
function violationList(violations) {
  const count = element("p", "", `${countOf(violations.length, "violation")} of the contract`);
  // Only those of a proxy can be in either.
  const isOfBoth = violations.some((text) => text.startsWith("response: "));
  const texts = violations.map((text) => (isOfBoth ? text : text.replace("request: ", "")));
  return element("div", "violations", count, element("ul", "", ...texts.map((text) => element("li", "", text))));
}

/** @param {RequestEntry} entry */
function requestPart(entry) {
  const { method, target, path = {}, query = {}, headers, time, session } = entry;
  const received = new Date(time).toLocaleString();
  return element(
    "section",
    "",
    element("h3", "", "Request"),
    element("code", "line-of-request", `${method} ${target}`),
    requestBody(entry),
    members({ ...path, ...query, session, received }),
    headers && headerList(headers),
  );
}

/** @param {RequestEntry} entry */
function requestBody(entry) {
  const { headers, body } = entry;
  if (body !== undefined) return jsonBlock(body, remarksOn("request", entry));
  if (headers === undefined) return element("p", "hint", "Its headers and body aren't kept.");
  return element(
    "p",
    "hint",
    hasBody(entry) ? "Its body isn't kept: it wasn't read, or isn't valid JSON." : "It has no body.",
  );
}

/** @param {Readonly<Record<string, string>>} headers */
function headerList(headers) {
  const summary = element("summary", "", `Headers ${Object.keys(headers).length}`);
  return element("details", "headers", summary, members(headers));
}

/**
 * What the violations in a request or response say about values of its body, by JSON Pointer.
 *
 * @param {"request" | "response"} side
 * @param {RequestEntry} entry
 */
function remarksOn(side, { pointers = [], violations = [] }) {
  /** @type {Map<string, string>} */
  const remarks = new Map(side === "request" ? pointers.map((pointer) => [pointer, ""]) : []);
  for (const text of violations) {
    const [, pointer, remark = ""] = new RegExp(`^${side}: (/.*?) in the body (.*)`).exec(text) ?? [];
    // The line shows a scalar that was received.
    const [rule = "", received = ""] = remark.split("; received ");
    if (pointer === undefined) continue;
    remarks.set(pointer, received.startsWith("an object") ? remark : rule);
    // The value tells which items of a list are meant.
    remarks.set(`${pointer} ${received}`, rule);
  }
  return remarks;
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function responsePart(entry, surroundings) {
  const { status, milliseconds, responseBody, fault } = entry;
  const broken = fault?.delivery && deliveries[fault.delivery];
  const took = element("span", "took", durationOf(milliseconds));
  return element(
    "section",
    "",
    element("h3", "", "Response ", statusMark(entry), took),
    broken && element("p", "hint", `${broken} Without the fault, the status is ${status}.`),
    ruleLinks(entry, surroundings),
    responseBody === undefined
      ? element("p", "hint", "Its body is empty, or isn't kept.")
      : jsonBlock(responseBody, remarksOn("response", entry)),
  );
}

/**
 * The rules that the response comes from. Those of one session are on the page.
 *
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function ruleLinks({ override, fault }, { showRule, isForAll }) {
  const rules = Object.entries({ override, fault: fault?.rule }).flatMap(([kind, id]) =>
    id === undefined ? [] : [{ kind, id }],
  );
  const links = rules.map(({ kind, id }) => {
    const name = `${kind} ${id}`;
    return isForAll
      ? element("span", "", name)
      : button(name, () => {
          showRule(kind, id);
        });
  });
  return links.length > 0 && element("p", "made", "Made by ", ...links);
}

/** @satisfies {Readonly<Record<string, string>>} */
const deliveries = {
  reset: "The connection was reset, so the client got no response.",
  truncated: "The connection was closed halfway through the response.",
  none: "The client got no response, and the connection stayed open.",
};
