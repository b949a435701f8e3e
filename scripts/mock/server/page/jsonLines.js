// @ts-check
import { code, element } from "./dom.js";

/**
 * A value as indented JSON, with a mark on the lines of some values.
 *
 * @param {unknown} value
 * @param {ReadonlyMap<string, string>} remarks What to say about values, by their JSON Pointers. If `*` stands for the
 *   items of lists, the pointer is followed by a space and the value's JSON.
 */
export function jsonBlock(value, remarks = new Map()) {
  if (typeof value === "string" && remarks.size === 0) return code(value);
  return code(...linesOf(value, { pointer: "", pattern: "", indent: "", before: [], after: "" }, remarks));
}

/**
 * @typedef {{
 *   readonly pointer: string,
 *   readonly pattern: string,
 *   readonly indent: string,
 *   readonly before: readonly (Node | string)[],
 *   readonly after: string,
 * }} Place
 */

/**
 * @param {unknown} value
 * @param {Place} place
 * @param {ReadonlyMap<string, string>} remarks
 * @returns {HTMLElement[]}
 */
function linesOf(value, place, remarks) {
  const { pointer, pattern, indent, before, after } = place;
  const remark = remarks.get(pointer) ?? remarks.get(`${pattern} ${shortOf(value)}`);
  /** @param {readonly (Node | string)[]} parts */
  const first = (...parts) => line(remark, indent, ...before, ...parts);
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [first(scalar(value), after)];
  const inner = Object.entries(value);
  const lines = inner.flatMap(([name, member], index) => {
    const key = name.replaceAll("~", "~0").replaceAll("/", "~1");
    return linesOf(
      member,
      {
        pointer: `${pointer}/${key}`,
        pattern: `${pattern}/${isList ? "*" : key}`,
        indent: `${indent}  `,
        before: isList ? [] : [element("span", "key", JSON.stringify(name)), ": "],
        after: index < inner.length - 1 ? "," : "",
      },
      remarks,
    );
  });
  return [first(isList ? "[" : "{"), ...lines, line(undefined, indent, isList ? "]" : "}", after)];
}

/**
 * @param {string | undefined} remark
 * @param {readonly (Node | string)[]} parts
 */
function line(remark, ...parts) {
  if (remark === undefined) return element("span", "line", ...parts, "\n");
  return element("mark", "line", ...parts, element("span", "why", remark && `  ← ${remark}`), "\n");
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

/** @param {unknown} value */
function scalar(value) {
  return element("span", typeof value, JSON.stringify(value));
}
