import { listInWords } from "../../values/text.ts";
import { describeValues, readOutcome, type StepResponse } from "../../workflows/stepValues.ts";
import type { RunnableStep } from "../model/stepsData.ts";
import { element } from "./elements.ts";
import { failureList } from "./failureList.ts";
import { fillRequest } from "./fillRequest.ts";
import { requestCode } from "./requestCode.ts";
import { responsePlace } from "./responsePlace.ts";
import { responseView } from "./responseView.ts";
import { sendRequest, type Answerer, type Received } from "./sendRequest.ts";
import type { StepInputs } from "./stepInputs.ts";
import { markControls } from "./violationMarks.ts";

export type StepView = ReturnType<typeof stepView>;

/** State that the steps of a guide share. */
interface Guide {
  readonly values: StepInputs;
  readonly answerer: Answerer;
  /** The mock's state, shown beside the last step that ran. */
  readonly memory: HTMLElement;
}

/** A step with its values. After a run, it also shows the response and the request as code. */
export function stepView(step: RunnableStep, { values, answerer, memory }: Guide) {
  const { id, name } = step;
  const bar = document.querySelector(`[data-run="${CSS.escape(id)}"]`)?.parentElement;
  const recorded = bar?.parentElement?.querySelector<HTMLElement>(".payload");
  const form = valuesForm(step, values);
  const failures = failureList();
  // A page may have several.
  const named = `Response to ${name.toLowerCase()}`;
  const response = responsePlace(named, "The values have changed since.");
  const code = requestCode(`${name}, run here`, step.options);
  const section = element(
    "section",
    { class: "try-it in-step", "aria-label": `${name}, answered in this page` },
    ...[form, failures.element, response.element],
    element("details", {}, element("summary", {}, "The request as code"), code.element),
  );
  /** Runs the step. Resolves to a sentence about the outcome. */
  const run = async (): Promise<string> => {
    values.setOutputs(id, undefined);
    bar?.after(section);
    section.append(memory);
    failures.show("", []);
    const lacking = values.violations(step);
    const marked = markControls(form, lacking);
    if (lacking.length > 0) {
      form.open = true;
      marked?.focus();
      return "Not run, because a value is missing.";
    }
    const context = values.context();
    const request = fillRequest(step, context);
    const sent = code.show(request);
    const received = await sendRequest(request, answerer, new AbortController().signal);
    const hasResponse = "response" in received;
    response.element.hidden = !hasResponse;
    if (!hasResponse) {
      failures.show(received.outcome, received.violations);
      return received.outcome;
    }
    const { status, verdict, parts } = responseView(step, received, answerer, named);
    response.show(sent, parts);
    const answer = stepResponse(received);
    const { outputs, lacks } = readOutcome(step, context, answer);
    if (lacks.length === 0) values.setOutputs(id, outputs);
    const reasons = lacks.map(({ text }) => ({ message: describeLack(text, answer) }));
    failures.show(`${name} failed:`, reasons);
    // The recorded response stays if the step failed.
    recorded?.toggleAttribute("hidden", lacks.length === 0);
    if (step.successCriteria.length === 0) return `Received ${status}. ${verdict}`;
    return `Received ${status}. ${name} ${lacks.length === 0 ? "succeeded" : "failed"}.`;
  };
  return {
    ...{ id, name, run, element: section },
    hasSucceeded: () => values.hasSucceeded(id),
    /** Compares the request with the one that was sent, after a value may have changed. */
    refresh: () => {
      if (section.isConnected) response.compare(code.show(fillRequest(step, values.context())));
    },
  };
}

/** The values that a step needs. Without any, there is nothing to open. */
function valuesForm(step: RunnableStep, values: StepInputs): HTMLDetailsElement {
  const rows = values.rows(step);
  const submit = (event: Event) => {
    event.preventDefault();
    window.runStep?.(step.id);
  };
  const again = element("button", { type: "submit" }, "Run again with these values");
  return element(
    "details",
    { hidden: rows.length === 0 },
    element("summary", {}, "Values of this step"),
    element("form", { novalidate: true, autocomplete: "off", submit }, ...rows, again),
  );
}

function stepResponse({ response, json, text }: Received): StepResponse {
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: json ?? (text || undefined) };
}

function describeLack(expected: string, answer: StepResponse): string {
  const values = describeValues(expected, answer);
  return `It expects ${expected}${values.length === 0 ? "" : `, but ${listInWords(values)}`}.`;
}
