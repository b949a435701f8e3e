import { element } from "./elements.ts";
import type { PlacedViolation } from "./violationMarks.ts";

/** The problems of a request or its outcome. Hidden if there are none. */
export function failureList() {
  const list = element("div", { class: "summary", tabindex: "-1", hidden: true });
  return {
    element: list,
    show: (title: string, failures: readonly Pick<PlacedViolation, "message">[]) => {
      const items = failures.map(({ message }) => element("li", {}, message));
      list.replaceChildren(element("p", {}, title), element("ul", {}, ...items));
      list.hidden = items.length === 0;
    },
  };
}
