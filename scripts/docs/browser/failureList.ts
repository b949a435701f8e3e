import { element } from "./elements.ts";
import type { PlacedViolation } from "./violationMarks.ts";

/** What is wrong with a request or with what has come of it: nothing to see if nothing is. */
export function failureList() {
  const list = element("div", { class: "summary", tabindex: "-1", hidden: true });
  return {
    element: list,
    show: (title: string, reasons: readonly string[]) => {
      const items = reasons.map((reason) => element("li", {}, reason));
      list.replaceChildren(element("p", {}, title), element("ul", {}, ...items));
      list.hidden = items.length === 0;
    },
  };
}

export function messagesOf(violations: readonly PlacedViolation[]): readonly string[] {
  return violations.map(({ message }) => message);
}
