// @ts-check

/** @import { RequestEntry } from "../../mockTypes.ts" */
/**
 * What to say about a value of a body. `isOpen` is true if the contract doesn't specify what is missed there.
 *
 * @typedef {{ readonly text: string, readonly isOpen: boolean }} Remark
 */
/**
 * Finds the remark on a value. `pointer` is its JSON Pointer. In `pattern`, `*` stands for the items of lists.
 *
 * @typedef {(pointer: string, pattern: string, value: unknown) => Remark | undefined} FindRemark
 */
/** @typedef {NonNullable<RequestEntry["findings"]>[number]} Finding */

/** @param {Finding} doubt */
export function describeDoubt({ pointer = "", lacks = [] }) {
  return `${pointer === "" ? "The body" : `${pointer} in the body`} lacks ${lacks.join(", ")}`;
}

/**
 * Creates a function that finds what violations and doubts say about the values of a body.
 *
 * @param {"request" | "response"} side
 * @param {RequestEntry} entry
 * @returns {FindRemark}
 */
export function bodyRemarks(side, entry) {
  const all = entry.findings ?? [];
  const findings = all.filter((one) => one.direction === side && one.pointer !== undefined && one.more === undefined);
  if (side === "request")
    return (at) => {
      const found = findings.find(({ pointer, rule }) => pointer === at && (at !== "" || rule !== undefined));
      return found && { text: found.rule ?? "", isOpen: false };
    };
  // Doubts come last. Among the objects without some properties, those that lack the most are told first.
  findings.sort((a, b) => weightOf(a) - weightOf(b));
  return (_, pattern, value) => {
    const found = findings.find((one) => one.pointer === pattern && isAbout(one, value));
    return found && { text: ruleOf(found), isOpen: found.kind === "doubt" };
  };
}

/** @param {Finding} finding */
function weightOf({ kind, lacks = [] }) {
  return kind === "doubt" ? -1 / lacks.length : -2;
}

/** @param {Finding} finding */
function ruleOf({ kind, rule = "", lacks }) {
  return lacks ? `lacks ${lacks.join(", ")}${kind === "doubt" ? " (presence isn't specified)" : ""}` : rule;
}

/**
 * Checks whether a finding is about a value. In a list, only the received value tells which items are meant.
 *
 * @param {Finding} finding
 * @param {unknown} value
 */
function isAbout({ pointer = "", received, lacks }, value) {
  if (lacks) return typeof value === "object" && value !== null && lacks.every((name) => !Object.hasOwn(value, name));
  if (received === undefined) return !pointer.includes("*");
  // A long text is cut off.
  const [start = "", ...rest] = received.split("…");
  return rest.length === 0 ? shortOf(value) === received : shortOf(value).startsWith(start);
}

/**
 * A value as violations name it: a scalar as JSON, and others by their type.
 *
 * @param {unknown} value
 */
function shortOf(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? "an array" : "an object";
}
