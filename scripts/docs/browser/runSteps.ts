/*
 * Has the mock in the page answer the steps of a guide, and the call of the start page. A script beside the page has their
 * requests, and calls `takeSteps`.
 */
import { messageOf } from "../../contract/failures.ts";
import { capitalize, listInWords } from "../../contract/text.ts";
import type { StepsData } from "../model/stepsData.ts";
import { adoptFormStyles } from "./formStyles.ts";
import { element } from "./elements.ts";
import { loadScript } from "./loadScript.ts";
import { pageAnswerer } from "./pageAnswerer.ts";
import { stepInputs } from "./stepInputs.ts";
import { stepView, type StepView } from "./stepView.ts";

declare global {
  interface Window {
    takeSteps: (data: StepsData) => void;
    /** Runs a step, after those before it that have not succeeded. */
    runStep?: (id: string) => void;
  }
}

adoptFormStyles();
let views: readonly StepView[] | undefined;
let running = Promise.resolve();

window.takeSteps = (data) => {
  views = viewsOf(data);
};
// One after the other, however fast a reader is.
window.runStep = (id) => {
  running = running.then(() => run(id));
};

async function run(id: string): Promise<void> {
  const say = outcomeOf(id);
  say("Loading…");
  // Once it's loaded, it has called `takeSteps`, unless it is broken.
  if (!(await loadScript("steps.js")) || views === undefined) {
    say("It could not be loaded. Run it again to try once more.");
    return;
  }
  try {
    say(await runThrough(views, id));
  } catch (error) {
    say(`The response cannot be shown: ${messageOf(error)}.`);
  }
}

/** Runs a step, and first those before it that have not succeeded. Resolves to what has come of that. */
async function runThrough(all: readonly StepView[], id: string): Promise<string> {
  const index = all.findIndex((view) => view.id === id);
  const earlier = all.slice(0, Math.max(index, 0)).filter((view) => !view.hasSucceeded());
  const say = outcomeOf(id);
  for (const view of earlier) {
    say(`${view.name} runs first…`);
    outcomeOf(view.id)(await view.run());
    if (!view.hasSucceeded()) return `Not run, because ${view.name.toLowerCase()} has to succeed first.`;
  }
  say("The mock in this page is asked…");
  const view = all[index];
  const outcome = (await view?.run()) ?? "";
  view?.element.scrollIntoView({ block: "nearest" });
  const names = listInWords(earlier.map(({ name }) => name.toLowerCase()));
  return earlier.length === 0 ? outcome : `${capitalize(names)} ran first. ${outcome}`;
}

/** The place beside a step's button for what has come of it. Returns what says it. */
function outcomeOf(id: string): (text: string) => void {
  const bar = document.querySelector(`[data-run="${CSS.escape(id)}"]`)?.parentElement;
  const place = bar?.querySelector(".progress") ?? element("p", { role: "status", class: "progress" });
  bar?.append(place);
  return (text) => {
    place.textContent = text;
  };
}

function viewsOf(data: StepsData): readonly StepView[] {
  const values = stepInputs(data, () => {
    for (const view of all) view.refresh();
  });
  const { answerer, memory } = pageAnswerer(data.pageMock, undefined, values.forget);
  const all: readonly StepView[] = data.steps.map((step) => stepView(step, { values, answerer, memory }));
  return all;
}
