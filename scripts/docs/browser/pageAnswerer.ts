import { attempt, messageOf } from "../../contract/failures.ts";
import type { PageMock } from "../model/tryItData.ts";
import { codeBlock } from "../parts/highlight.ts";
import { element, fromTemplate } from "./elements.ts";
import { answerInPage, readMemory, resetPageMock, type AskedFault } from "./pageMock.ts";
import { resetButton, restored } from "./resetButton.ts";
import type { Answerer } from "./sendRequest.ts";

/** The place of the control that chooses the mock in the page. */
export const pagePlace = "page:";

/**
 * The mock in the page, with the element that shows what it remembers and resets it. `readFaults` returns what is to happen
 * to a response, and `onReset` is called after each reset.
 */
export function pageAnswerer(
  scripts: PageMock,
  readFaults: () => readonly AskedFault[] = () => [],
  onReset: () => void = () => undefined,
) {
  const memory = element("div", { class: "memory" });
  const show = () => {
    memory.replaceChildren(...memoryParts());
  };
  const reset = () =>
    resetButton(async () => {
      await resetPageMock();
      show();
      onReset();
      return restored;
    });
  const answerer: Answerer = {
    ...{ name: "The mock in this page", progress: "The mock in this page is asked…", isMock: true, place: pagePlace },
    signature: "Answered by the mock in this page. Nothing was sent.",
    // It looks at no more of an address than its path.
    server: "http://localhost",
    reset,
    answer: (request) => answerInPage(scripts, request, readFaults()).finally(show),
    explain: messageOf,
  };
  show();
  // Pages that browsers keep come back as they were.
  addEventListener("pageshow", show);
  return { answerer, memory: element("div", {}, memory, reset()) };
}

/** How much the mock remembers, and all of it for whoever opens that. */
function memoryParts(): readonly HTMLElement[] {
  const { summary, notice, state } = readMemory();
  // Whatever is in the tab's storage may be nested too deep, until the mock drops it.
  const all = state === undefined ? "" : (attempt(() => JSON.stringify(state, null, 2)) ?? "");
  const shown =
    all === ""
      ? element("p", { class: "hint" }, summary)
      : element("details", {}, element("summary", { class: "hint" }, summary), fromTemplate(codeBlock(all, "json")));
  return notice === "" ? [shown] : [shown, element("p", { role: "status", class: "bad" }, notice)];
}
