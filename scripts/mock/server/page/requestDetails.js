// @ts-check
import { bodyRemarks, describeDoubt } from "./bodyRemarks.js";
import { button, code, element, link, members } from "./dom.js";
import { jsonBlock } from "./jsonLines.js";
import { requestActions } from "./requestActions.js";
import { hasBody } from "./requestCopies.js";
import { countViolations, durationOf, hasLeft, isViolation, listViolations, statusMark } from "./requestRow.js";

/** @import { RequestEntry } from "../../mockTypes.ts" */
/** @import { Finding } from "./bodyRemarks.js" */
/**
 * What requests need to know of the page.
 *
 * @typedef {{
 *   readonly hasDocs: boolean,
 *   readonly hasUpstream: boolean,
 *   readonly isForAll: boolean,
 *   readonly showRule: (kind: string, id: string) => boolean,
 *   readonly edit: (title: string, text: string, send?: (text: string) => Promise<unknown>) => void,
 *   readonly addOverride: (rule: string, session: string) => Promise<unknown>,
 * }} Surroundings
 */

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
export function describeRequest(entry, surroundings) {
  const { exception } = entry;
  return [
    requestActions(entry, surroundings),
    ...remarksOn(entry),
    exception !== undefined && code(exception),
    element("div", "exchange", requestPart(entry, surroundings), responsePart(entry, surroundings)),
  ];
}

/** @param {RequestEntry} entry */
function remarksOn(entry) {
  const { violations, reason, note = "", findings = [] } = entry;
  const doubts = findings.filter((one) => !isViolation(one));
  // The list has the reason, too.
  const cause = violations === undefined ? reason && element("p", "reason", reason) : violationList(entry);
  return [cause, doubts.length > 0 && doubtList(doubts), note !== "" && element("p", "note", note)];
}

/** @param {RequestEntry} entry */
function violationList(entry) {
  const all = listViolations(entry);
  // Only a proxy finds some in responses.
  const isMixed = new Set(all.map(({ direction }) => direction)).size > 1;
  const where = !isMixed && all[0]?.direction === "response" ? " in the response" : "";
  const texts = all.map(({ direction, message }) => (isMixed ? `${direction}: ${message}` : message));
  return textList("violations", `${countViolations(entry)} of the contract${where}`, texts);
}

/** @param {readonly Finding[]} doubts */
function doubtList(doubts) {
  const title = "The contract doesn't specify which properties of the response are always present";
  return textList("violations open", title, doubts.map(describeDoubt));
}

/**
 * @param {string} className
 * @param {string} title
 * @param {readonly string[]} texts
 */
function textList(className, title, texts) {
  const items = texts.map((text) => element("li", "", text));
  return element("div", className, element("p", "", title), element("ul", "", ...items));
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function requestPart(entry, { isForAll }) {
  const { method, target, path = {}, query = {}, headers, time } = entry;
  const received = new Date(time).toLocaleString();
  const session = isForAll ? link(entry.session ?? "(none)", sessionAddress(entry)) : entry.session;
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
  if (body !== undefined) return jsonBlock(body, bodyRemarks("request", entry));
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
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function responsePart(entry, surroundings) {
  const { status, milliseconds, responseBody, fault } = entry;
  const broken = deliveries[fault?.delivery ?? (hasLeft(entry) ? "left" : "")];
  const took = element("span", "took", durationOf(milliseconds));
  return element(
    "section",
    "",
    element("h3", "", "Response ", statusMark(entry), took),
    broken && element("p", "hint", `${broken} The mock handled the request as usual, with the status ${status}.`),
    appliedRules(entry, surroundings),
    responseBody === undefined
      ? broken === undefined && element("p", "hint", "Its body is empty, or isn't kept.")
      : jsonBlock(responseBody, bodyRemarks("response", entry)),
  );
}

/**
 * The rules that applied, with links to them. Those of one session are on the page.
 *
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function appliedRules(entry, { showRule, isForAll }) {
  const { override, fault } = entry;
  const rules = Object.entries({ override, fault: fault?.rule }).flatMap(([kind, id]) =>
    id === undefined ? [] : [{ kind, id }],
  );
  const links = rules.map(({ kind, id }) => {
    const name = `${kind} ${id}`;
    if (isForAll) return link(name, sessionAddress(entry, name));
    const shown = button(name, () => {
      if (!showRule(kind, id)) shown.replaceWith(`${name} (removed since)`);
    });
    return shown;
  });
  return links.length > 0 && element("p", "applied", `Rule${links.length > 1 ? "s" : ""} applied: `, ...links);
}

/**
 * The address of this page with the session of a request, and with one of its rules open.
 *
 * @param {RequestEntry} entry
 * @param {string} [rule]
 */
function sessionAddress({ session }, rule) {
  return `?${new URLSearchParams({ ...(session !== undefined && { session }), ...(rule !== undefined && { rule }) })}`;
}

/** @type {Readonly<Record<string, string>>} */
const deliveries = {
  reset: "The connection was reset, so the client got no response.",
  truncated: "The connection was closed halfway through the response.",
  left: "The client left before the response.",
  none: "The client got no response, and the connection stayed open.",
};
