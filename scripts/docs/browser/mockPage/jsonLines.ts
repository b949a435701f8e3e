import { jsonPointer } from "../../../values/json.ts";
import { element, type Child } from "../elements.ts";
import type { FindRemark, Remark } from "./bodyRemarks.ts";
import { codeBlock, span } from "./pageParts.ts";

/** A value as indented JSON, with a mark on the lines of some values. The first one is in view once the block is shown. */
export function jsonBlock(value: unknown, findRemark: FindRemark): HTMLElement {
  const place = { pointer: "", pattern: "", indent: "", before: [], after: "" };
  if (typeof value === "string" && findRemark("", "", value) === undefined) return codeBlock(value);
  const block = codeBlock(...linesOf(value, place, findRemark));
  requestAnimationFrame(() => {
    const first = block.querySelector<HTMLElement>("mark:not(.open)") ?? block.querySelector("mark");
    if (first !== null) block.scrollTop = first.offsetTop - 3 * first.offsetHeight;
  });
  return block;
}

interface LineContext {
  readonly pointer: string;
  readonly pattern: string;
  readonly indent: string;
  readonly before: readonly Child[];
  readonly after: string;
}

function linesOf(value: unknown, place: LineContext, findRemark: FindRemark): readonly HTMLElement[] {
  const { pointer, pattern, indent, before, after } = place;
  const remark = findRemark(pointer, pattern, value);
  const first = (...parts: readonly Child[]) => line(remark, indent, ...before, ...parts);
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [first(span(typeof value, JSON.stringify(value)), after)];
  const inner = Object.entries(value);
  const lines = inner.flatMap(([name, member], index) => {
    const key = jsonPointer([name]);
    const own: LineContext = {
      pointer: pointer + key,
      pattern: pattern + (isList ? "/*" : key),
      indent: `${indent}  `,
      before: isList ? [] : [span("key", JSON.stringify(name)), ": "],
      after: index < inner.length - 1 ? "," : "",
    };
    return linesOf(member, own, findRemark);
  });
  return [first(isList ? "[" : "{"), ...lines, line(undefined, indent, isList ? "]" : "}", after)];
}

function line(remark: Remark | undefined, ...parts: readonly Child[]): HTMLElement {
  if (remark === undefined) return span("line", ...parts, "\n");
  const { text, isOpen } = remark;
  const why = span("why", text && `  ← ${text}`);
  return element("mark", { class: isOpen ? "line open" : "line" }, ...parts, why, "\n");
}
