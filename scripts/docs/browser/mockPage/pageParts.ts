import { element, type Child } from "../elements.ts";

/** An element of the page itself. */
export function find(selector: string): HTMLElement {
  return findKind(HTMLElement, selector);
}

export function findKind<Kind extends HTMLElement>(kind: new () => Kind, selector: string): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

export function span(className: string, ...children: readonly Child[]): HTMLSpanElement {
  return element("span", { class: className }, ...children);
}

/** A row that opens to its details, which are created when they are first shown. */
export function expandable(kind: string, summary: readonly Child[], describe: () => readonly Child[], name?: string) {
  const details = element("details", { class: kind }, element("summary", {}, ...summary));
  const fill = () => {
    details.append(element("div", { class: "about" }, ...describe()));
  };
  details.addEventListener("toggle", fill, { once: true });
  return element("li", { "data-name": name }, details);
}

/** Names and values, which can be elements. Absent values are left out. */
export function members(values: Readonly<Record<string, unknown>>): HTMLDListElement | undefined {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  const shown = present.flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, value instanceof Node ? value : textOf(value)),
  ]);
  return shown.length === 0 ? undefined : element("dl", {}, ...shown);
}

export function codeBlock(...children: readonly Child[]): HTMLPreElement {
  return element("pre", { tabindex: "0" }, ...children);
}

/** The beginning of some values, in a line. */
export function preview(values: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(values).map(([name, value]) => `${name}: ${textOf(value)}`);
  return texts.join(", ").slice(0, 300);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
