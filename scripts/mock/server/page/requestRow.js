// @ts-check
import { countOf, element, expandable } from "./dom.js";
import { describeRequest } from "./requestDetails.js";

/** @import { RequestEntry } from "../../mockTypes.ts" */
/** @import { Finding } from "./bodyRemarks.js" */
/** @import { Surroundings } from "./requestDetails.js" */

/**
 * Whether someone should look at a request: it failed, breaks the contract, met a fault, or its client
 * didn't wait for the response.
 *
 * @param {RequestEntry} entry
 */
export function isProblem(entry) {
  const { status, violations, fault } = entry;
  return status >= 400 || violations !== undefined || fault !== undefined || hasLeft(entry);
}

/** @param {RequestEntry} entry */
export function hasLeft({ left }) {
  return left === true;
}

/**
 * A row has the operation in a column of its own, and below it what there is to say about the request.
 *
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
export function requestRow(entry, surroundings) {
  const { time, method, target, operation = "", milliseconds } = entry;
  const remarks = remarksOn(entry, surroundings).flatMap((remark, index) => (index === 0 ? [remark] : [" · ", remark]));
  const summary = [
    element("span", `method ${method.toLowerCase()}`, method),
    statusMark(entry),
    targetText(target),
    element("span", "about", element("span", "operation", operation), element("span", "remark", ...remarks)),
    element("span", "took", durationOf(milliseconds)),
    element("time", "time", new Date(time).toTimeString().slice(0, 8)),
  ];
  return expandable("request", summary, () => describeRequest(entry, surroundings));
}

/** @param {string} target */
function targetText(target) {
  const at = target.indexOf("?");
  const end = at < 0 ? target.length : at;
  return element("code", "target", target.slice(0, end), element("span", "query", target.slice(end)));
}

/**
 * What went wrong with a request, and notes.
 *
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 * @returns {readonly Node[]}
 */
function remarksOn(entry, { isForAll }) {
  const { session, reason = "", refusal, note = "", override, fault, findings = [] } = entry;
  const count = weighViolations(entry);
  const cause = refusal?.text ?? (fault?.rule === undefined ? reason : "");
  const first = findings.find(isViolation);
  const violation = first && `${first.direction === "request" ? "" : "response: "}${first.message}`;
  const counted = `${count}${count < mostListed ? "" : "+"} violation${count === 1 ? "" : "s"}`;
  const all = [
    { kind: "session", text: isForAll ? session && `session ${session}` : undefined },
    { kind: "wrong", text: count > 0 ? counted : undefined },
    { kind: "wrong", text: cause || violation },
    { kind: "note", text: override && `override ${override}` },
    { kind: "note", text: fault && `fault ${fault.rule ?? ""}` },
    // The name of the override says it.
    { kind: "note", text: override === undefined ? note.slice(0, 1).toUpperCase() + note.slice(1) : undefined },
  ];
  return all.flatMap(({ kind, text = "" }) => (text === "" ? [] : element("span", kind, text.trim())));
}

/** @param {Finding} finding */
export function isViolation({ kind }) {
  return kind === "violation";
}

/**
 * What to list of a request's violations. The mock lists the headers of all credentials that it accepts, of which one
 * is enough.
 *
 * @param {RequestEntry} entry
 * @returns {readonly Finding[]}
 */
export function listViolations({ status, reason, findings = [] }) {
  const violations = findings.filter(isViolation);
  const [first] = violations;
  return status === 401 && first && reason !== undefined ? [{ ...first, message: reason }] : violations;
}

/** The most violations that the mock lists of a request or response. With as many, it hides the values of a body. */
export const mostListed = 20;

/** @param {RequestEntry} entry */
export function countViolations(entry) {
  const count = weighViolations(entry);
  return count < mostListed ? countOf(count, "violation") : `At least ${countOf(count, "violation")}`;
}

/** @param {RequestEntry} entry */
function weighViolations(entry) {
  return listViolations(entry).reduce((sum, { more = 1 }) => sum + more, 0);
}

/** @param {RequestEntry} entry */
export function statusMark(entry) {
  const { status, fault, violations } = entry;
  const broken = fault?.delivery === "truncated" ? "cut" : (fault?.delivery ?? (hasLeft(entry) ? "left" : undefined));
  const isAskedFor = (fault !== undefined || hasLeft(entry)) && violations === undefined;
  const kind = isAskedFor ? "fault" : isProblem(entry) ? "s4" : `s${String(status).charAt(0)}`;
  return element("span", `status ${kind}`, broken ?? String(status));
}

/** @param {number} milliseconds */
export function durationOf(milliseconds) {
  if (milliseconds >= 10_000) return `${(milliseconds / 1_000).toFixed(0)} s`;
  return milliseconds >= 10 ? `${milliseconds.toFixed(0)} ms` : `${milliseconds.toFixed(1)} ms`;
}
