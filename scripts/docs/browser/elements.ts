import type { Html } from "../../values/html.ts";

export type Child = Node | string | false | undefined;
type Attributes = Readonly<Record<string, string | boolean | undefined | ((event: Event) => void)>>;

/**
 * Makes an element. Attributes: `true` has no value, functions are listeners. `undefined` and `false` are left out. Texts
 * become text, not markup.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

let count = 0;

/** An id that is unique on the page. */
export function newId(): string {
  count += 1;
  return `try-it-${count}`;
}

export function button(label: string, attributes: Attributes): HTMLButtonElement {
  return element("button", { type: "button", ...attributes }, label);
}

/** A remark in small print. */
export function hint(text = ""): HTMLParagraphElement {
  return element("p", { class: "hint" }, text);
}

export function choice(labels: readonly string[], chosen: number, attributes: Attributes): HTMLSelectElement {
  const options = labels.map((label, index) => element("option", { selected: index === chosen }, label));
  return element("select", attributes, ...options);
}

/** Makes elements from a template of the pages. The template escapes its text. */
export function fromTemplate(template: Html): DocumentFragment {
  return document.createRange().createContextualFragment(template.toString());
}

/** For all inputs: browsers must not store, correct or send typed text. */
export const typed = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" } as const;

/**
 * A control with its label, a mark if it is required, and a place for its violations. `shown` is the control with the
 * elements around it.
 */
export function labelled(label: string, control: HTMLElement, hint = "", shown: readonly Node[] = [control]) {
  const id = (control.id ||= newId());
  const violations = element("ul", { class: "violations", id: `${id}-violations` });
  const hints = hint === "" ? [] : [element("span", { class: "hint", id: `${id}-hint` }, hint)];
  control.setAttribute("aria-describedby", [violations, ...hints].map((described) => described.id).join(" "));
  const mark = control.ariaRequired === "true" ? [" ", element("span", { class: "chip required" }, "required")] : [];
  const title = element("div", { class: "title" }, element("label", { for: id }, label, ...mark), " ", ...hints);
  return element("div", { class: "input" }, title, ...shown, violations);
}

/** Controls under a name that only screen readers say. */
export function group(legend: string, ...children: readonly Child[]): HTMLFieldSetElement {
  return element("fieldset", {}, element("legend", { class: "hidden" }, legend), ...children);
}
