import { element } from "./elements.ts";
import type { PlacedViolation } from "./violationMarks.ts";

/** The problems of a request or its outcome. Hidden if there are none. */
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
