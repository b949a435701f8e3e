// @ts-check
import { code, element } from "./dom.js";

/** @import { FindRemark, Remark } from "./bodyRemarks.js" */

/**
 * A value as indented JSON, with a mark on the lines of some values. The first one is in view once the block is shown.
 *
 * @param {unknown} value
 * @param {FindRemark} findRemark
 */
export function jsonBlock(value, findRemark) {
  const place = { pointer: "", pattern: "", indent: "", before: [], after: "" };
  if (typeof value === "string" && findRemark("", "", value) === undefined) return code(value);
  const block = code(...linesOf(value, place, findRemark));
  requestAnimationFrame(() => {
    const first = block.querySelector("mark:not(.open)") ?? block.querySelector("mark");
    if (first instanceof HTMLElement) block.scrollTop = first.offsetTop - 3 * first.offsetHeight;
  });
  return block;
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
 * @param {FindRemark} findRemark
 * @returns {HTMLElement[]}
 */
function linesOf(value, place, findRemark) {
  const { pointer, pattern, indent, before, after } = place;
  const remark = findRemark(pointer, pattern, value);
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
      findRemark,
    );
  });
  return [first(isList ? "[" : "{"), ...lines, line(undefined, indent, isList ? "]" : "}", after)];
}

/**
 * @param {Remark | undefined} remark
 * @param {readonly (Node | string)[]} parts
 */
function line(remark, ...parts) {
  if (remark === undefined) return element("span", "line", ...parts, "\n");
  const { text, isOpen } = remark;
  const why = element("span", "why", text && `  ← ${text}`);
  return element("mark", isOpen ? "line open" : "line", ...parts, why, "\n");
}

/** @param {unknown} value */
function scalar(value) {
  return element("span", typeof value, JSON.stringify(value));
}
