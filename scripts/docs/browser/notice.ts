import { splitOnce } from "../../values/text.ts";
import { button, element } from "./elements.ts";
import { keepInTab, readInTab } from "./tabStorage.ts";

const key = "docs.closed-notice";

/**
 * Adds a notice at the bottom of the page, which shows what is wrong in the last save. It can be closed until
 * the next mistake.
 */
export function createNotice() {
  const text = element("pre");
  const heading = element("h2", {}, "There is a mistake in the last save");
  const close = button("Close", { "aria-keyshortcuts": "Escape", click: hide });
  const keys = element("kbd", { "aria-hidden": "true" }, "Esc");
  const head = element("div", {}, heading, element("span", {}, keys, close));
  // A popover is above the page and its dialogs.
  const notice = element("section", { class: "notice", role: "alert", popover: "manual" }, head, text);
  document.body.append(notice);
  let shown = "";
  document.addEventListener("keydown", ({ key: pressed, defaultPrevented }) => {
    if (pressed === "Escape" && !defaultPrevented && document.querySelector("dialog[open]") === null) hide();
  });

  function hide(): void {
    keepInTab(key, shown);
    notice.togglePopover(false);
  }

  return {
    /**
     * Shows a problem, unless the reader has closed this one. An empty text removes the notice. `since` identifies the
     * problem, and `links` has addresses for places in its text.
     */
    show: (problem: string, since: string, links: ReadonlyMap<string, string>): void => {
      const isShown = problem !== "" && readInTab(key) !== since;
      if (isShown && since !== shown) text.replaceChildren(...linkPlaces(problem, links));
      shown = since;
      notice.togglePopover(isShown);
    },
  };
}

/** A text whose lines may begin with a place, as in `file.yaml:3:5: message`, with links from the places. */
function linkPlaces(text: string, links: ReadonlyMap<string, string>): readonly Node[] {
  return text.split("\n").map((line) => {
    const [place] = splitOnce(line.trim(), ": ");
    const address = links.get(place);
    const start = line.indexOf(place);
    const parts =
      address === undefined
        ? [line]
        : [line.slice(0, start), element("a", { href: address }, place), line.slice(start + place.length)];
    // In lines of a source, the column matters.
    return element("span", { class: line.includes(" | ") && "code" }, ...parts, "\n");
  });
}
