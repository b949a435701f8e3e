import { attempt, messageOf } from "../../contract/failures.ts";
import type { PageMock } from "../model/tryItData.ts";
import { codeBlock } from "../parts/highlight.ts";
import { element, fromTemplate, hint } from "./elements.ts";
import { answerInPage, readMemory, resetPageMock, type AskedFault } from "./pageMock.ts";
import { resetButton, restored } from "./resetButton.ts";
import type { Answerer } from "./sendRequest.ts";

/** The place of the control that selects the mock in the page. */
export const pagePlace = "page:";

/**
 * The mock in the page, with an element that shows its state and resets it. `readFaults` returns the faults to inject,
 * and `onReset` is called after each reset.
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
    ...{
      name: "The mock in this page",
      progress: "Waiting for the mock in this page…",
      isMock: true,
      place: pagePlace,
    },
    signature: "The response comes from the mock in this page. Nothing went over the network.",
    // It reads only the path of an address.
    server: "http://localhost",
    reset,
    answer: (request) => answerInPage(scripts, request, readFaults()).finally(show),
    explain: messageOf,
  };
  show();
  // Browsers may restore a page from their cache.
  addEventListener("pageshow", show);
  return { answerer, memory: element("div", {}, memory, reset()) };
}

/** A summary of the mock's state, which opens to show all of it. */
function memoryParts(): readonly HTMLElement[] {
  const { summary, notice, state } = readMemory();
  // Whatever is in the tab's storage may be nested too deep, until the mock drops it.
  const all = state === undefined ? "" : (attempt(() => JSON.stringify(state, null, 2)) ?? "");
  const shown =
    all === ""
      ? hint(summary)
      : element("details", {}, element("summary", { class: "hint" }, summary), fromTemplate(codeBlock(all, "json")));
  return notice === "" ? [shown] : [shown, element("p", { role: "status", class: "bad" }, notice)];
}
