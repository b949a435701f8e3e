// @ts-check
import { element, expandable } from "./dom.js";
import { describeRequest } from "./requestDetails.js";

/** @import { RequestEntry } from "../../mockTypes.ts" */
/** @import { Surroundings } from "./requestDetails.js" */

/**
 * Whether someone should look at a request: it failed, breaks the contract, or met a fault.
 *
 * @param {RequestEntry} entry
 */
export function isProblem({ status, violations, fault }) {
  return status >= 400 || violations !== undefined || fault !== undefined;
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
export function requestRow(entry, surroundings) {
  const { time, method, target, milliseconds } = entry;
  const shownMethod = element("span", "method", method);
  shownMethod.dataset["method"] = method;
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
  return element("code", "target", element("span", "path", path), element("span", "query", target.slice(end)));
}

/** @param {RequestEntry} entry */
function remarkOn({ reason, note, override, violations = [], operation = "" }) {
  // The mark of the override says it.
  const rest = override === undefined ? note : undefined;
  // So does the mark of the violations.
  const cause = reason?.replace(`${violations.length} problems: `, "");
  return [cause ?? violations[0], rest].filter((text) => text !== undefined).join(" ") || operation;
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function marks({ session, violations = [], override, fault }, { isForAll }) {
  const { length } = violations;
  const unit = element("span", "unit", length === 1 ? " violation" : " violations");
  return [
    isForAll && session !== undefined && element("span", "chip", session),
    length > 0 && element("span", "chip wrong", String(length), unit),
    override !== undefined && element("span", "chip", `override ${override}`),
    fault !== undefined && element("span", "chip fault", `fault ${fault.rule ?? ""}`.trim()),
  ];
}

/** @param {RequestEntry} entry */
export function statusMark(entry) {
  const { status, fault } = entry;
  const broken = fault?.delivery === "truncated" ? "cut" : fault?.delivery;
  const shown = element("span", "status", broken ?? String(status));
  shown.dataset["class"] = `${status}`.slice(0, 1);
  if (status < 400 && isProblem(entry)) shown.dataset["class"] = "wrong";
  if (fault !== undefined) shown.dataset["class"] = "fault";
  return shown;
}

/** @param {number} milliseconds */
export function durationOf(milliseconds) {
  if (milliseconds >= 10_000) return `${(milliseconds / 1_000).toFixed(0)} s`;
  return milliseconds >= 10 ? `${milliseconds.toFixed(0)} ms` : `${milliseconds.toFixed(1)} ms`;
}
