// @ts-check
import { code, element } from "./dom.js";

/**
 * A value as indented JSON, with a mark on the lines of some values.
 *
 * @param {unknown} value
 * @param {ReadonlyMap<string, string>} remarks What to say about values, by their JSON Pointers.
 */
export function jsonBlock(value, remarks = new Map()) {
  if (typeof value === "string" && remarks.size === 0) return code(value);
  return code(...linesOf(value, { pointer: "", indent: "", before: [], after: "" }, remarks));
}

/**
 * @typedef {{
 *   readonly pointer: string,
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
  const { pointer, indent, before, after } = place;
  const remark = remarks.get(pointer);
  /** @param {readonly (Node | string)[]} parts */
  const first = (...parts) => line(remark, indent, ...before, ...parts);
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [first(scalar(value), after)];
  const inner = Object.entries(value);
  const lines = inner.flatMap(([name, member], index) =>
    linesOf(
      member,
      {
        pointer: `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        indent: `${indent}  `,
        before: isList ? [] : [element("span", "key", JSON.stringify(name)), ": "],
        after: index < inner.length - 1 ? "," : "",
      },
      remarks,
    ),
  );
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

/** @param {unknown} value */
function scalar(value) {
  return element("span", typeof value, JSON.stringify(value));
}
