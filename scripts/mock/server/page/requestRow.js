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
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
export function requestRow(entry, surroundings) {
  const { time, method, target, milliseconds } = entry;
  const shownMethod = element("span", `method ${method.toLowerCase()}`, method);
  const about = element("span", "remark", ...marks(entry, surroundings), element("span", "text", remarkOn(entry)));
  const took = element("span", "took", durationOf(milliseconds));
  const shownTime = element("time", "time", new Date(time).toTimeString().slice(0, 8));
  const summary = [shownMethod, statusMark(entry), targetText(target), about, took, shownTime];
  return expandable("request", summary, () => describeRequest(entry, surroundings));
}

/**
 * The path is cut at its start and the query at its end, where they differ least.
 *
 * @param {string} target
 */
function targetText(target) {
  const at = target.indexOf("?");
  const end = at < 0 ? target.length : at;
  const path = element("bdi", "", target.slice(0, end));
  path.dir = "ltr";
  return element(
    "code",
    "target",
    element("span", "path", path),
    element("span", "query", element("span", "", target.slice(end))),
  );
}

/** @param {RequestEntry} entry */
function remarkOn({ reason = "", refusal, note = "", override, fault, findings = [], operation = "" }) {
  // The marks say it.
  const rest = override === undefined ? note.slice(0, 1).toUpperCase() + note.slice(1) : "";
  const cause = refusal?.text ?? (fault?.rule === undefined ? reason : "");
  const first = findings.find(isViolation);
  const violation = first && `${first.direction === "request" ? "" : "response: "}${first.message}`;
  return [cause || violation, rest].filter(Boolean).join(" ") || operation;
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

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function marks(entry, { isForAll }) {
  const { session, override, fault } = entry;
  const count = weighViolations(entry);
  const ruleName = fault?.rule !== undefined && element("span", "unit", ` ${fault.rule}`);
  const unit = element("span", "unit", count === 1 ? " violation" : " violations");
  return [
    isForAll && session !== undefined && element("span", "chip", session),
    count > 0 && element("span", "chip wrong", `${count}${count < mostListed ? "" : "+"}`, unit),
    override !== undefined && element("span", "chip", `override ${override}`),
    fault !== undefined && element("span", "chip fault", "fault", ruleName),
  ];
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
