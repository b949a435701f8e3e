/*
 * Runs the steps of a guide, and the call of the start page, with the mock in the page. A script beside the page has
 * their requests, and calls `takeSteps`.
 */
import { messageOf } from "../../contract/failures.ts";
import { capitalize, listInWords } from "../../values/text.ts";
import type { StepsData } from "../model/stepsData.ts";
import { adoptStyles } from "./adoptStyles.ts";
import { element } from "./elements.ts";
import { loadScript } from "./loadScript.ts";
import { pageAnswerer } from "./pageAnswerer.ts";
import { stepInputs } from "./stepInputs.ts";
import { stepView, type StepView } from "./stepView.ts";

declare global {
  interface Window {
    takeSteps: (data: StepsData) => void;
    /** Runs a step, after the earlier steps that haven't succeeded. */
    runStep?: (id: string) => void;
  }
}

adoptStyles();
let views: readonly StepView[] | undefined;
let running = Promise.resolve();

window.takeSteps = (data) => {
  views = viewsOf(data);
};
// Steps run one at a time, even if a reader clicks several.
window.runStep = (id) => {
  running = running.then(() => run(id));
};

async function run(id: string): Promise<void> {
  const say = outcomeOf(id);
  say("Loading…");
  // Once it's loaded, it has called `takeSteps`, unless it is broken.
  if (!(await loadScript("steps.js")) || views === undefined) {
    say("It couldn't be loaded. Run it again to retry.");
    return;
  }
  try {
    say(await runThrough(views, id));
  } catch (error) {
    say(`The response can't be shown: ${messageOf(error)}.`);
  }
}

/** Runs a step, after the earlier steps that haven't succeeded. Resolves to a sentence about the outcome. */
async function runThrough(all: readonly StepView[], id: string): Promise<string> {
  const index = all.findIndex((view) => view.id === id);
  const earlier = all.slice(0, Math.max(index, 0)).filter((view) => !view.hasSucceeded());
  const say = outcomeOf(id);
  for (const view of earlier) {
    say(`${view.name} runs first…`);
    outcomeOf(view.id)(await view.run());
    if (!view.hasSucceeded()) return `Not run, because ${view.name.toLowerCase()} has to succeed first.`;
  }
  say("Waiting for the mock in this page…");
  const view = all[index];
  const outcome = (await view?.run()) ?? "";
  view?.element.scrollIntoView({ block: "nearest" });
  const names = listInWords(earlier.map(({ name }) => name.toLowerCase()));
  return earlier.length === 0 ? outcome : `${capitalize(names)} ran first. ${outcome}`;
}

/** Makes the place for the outcome beside a step's button. Returns a function that writes it. */
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
