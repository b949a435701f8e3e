import { parseJson } from "../../values/json.ts";
import { toText } from "../../samples/parameterText.ts";
import type { ExpressionContext } from "../../workflows/expressions.ts";
import type { RunnableStep, StepsData } from "../model/stepsData.ts";
import { element, labelled, typed } from "./elements.ts";
import type { PlacedViolation } from "./violationMarks.ts";

export type StepInputs = ReturnType<typeof stepInputs>;

/** The values that the steps of a guide share: the inputs, and the outputs of successful steps. */
export function stepInputs({ inputs, steps }: StepsData, onChange: () => void) {
  const texts = new Map(inputs.map(({ name, default: value }) => [name, value === undefined ? "" : toText(value)]));
  const outputs = new Map<string, Readonly<Record<string, unknown>>>();
  const controls: { readonly control: HTMLInputElement; readonly read: () => string }[] = [];
  const changed = () => {
    for (const { control, read } of controls) if (control.value !== read()) control.value = read();
    onChange();
  };
  const row = (name: string, hint: string, read: () => string, attributes: Parameters<typeof element>[1]) => {
    const control = element("input", { ...typed, type: "text", ...attributes });
    control.value = read();
    controls.push({ control, read });
    return labelled(name, control, hint);
  };
  const inputRow = (name: string) => {
    const input = ({ target }: Event) => {
      if (target instanceof HTMLInputElement) texts.set(name, target.value);
      changed();
    };
    return row(name, "", () => textOf(name), { "data-place": placeOf(name), input });
  };
  const outputRow = ({ step, output }: RunnableStep["needs"]["outputs"][number]) => {
    const from = steps.find(({ id }) => id === step)?.name.toLowerCase() ?? step;
    const read = () => toText(outputs.get(step)?.[output] ?? "");
    return row(output, `From ${from}.`, read, { readonly: true });
  };
  // In the order of the page.
  const namesOf = (needs: RunnableStep["needs"]) =>
    inputs.map(({ name }) => name).filter((name) => needs.inputs.includes(name));
  const textOf = (name: string) => texts.get(name) ?? "";
  const context = (): ExpressionContext => ({
    inputs: Object.fromEntries(inputs.map(({ name, isText }) => [name, readText(textOf(name), isText)])),
    steps: Object.fromEntries(Array.from(outputs, ([id, own]) => [id, { outputs: own }])),
  });
  const violations = ({ needs }: RunnableStep): readonly PlacedViolation[] =>
    namesOf(needs)
      .filter((name) => textOf(name) === "")
      .map((name) => ({ place: placeOf(name), message: `Enter a value for ${name}.` }));
  const setOutputs = (id: string, own: Readonly<Record<string, unknown>> | undefined) => {
    if (own === undefined) outputs.delete(id);
    else outputs.set(id, own);
    changed();
  };
  return {
    /** The values for runtime expressions. */
    context,
    /** A row for each value that a step needs. */
    rows: ({ needs }: RunnableStep) => [...namesOf(needs).map(inputRow), ...needs.outputs.map(outputRow)],
    /** The inputs that a step needs and that have no value. */
    violations,
    hasSucceeded: (id: string) => outputs.has(id),
    /** Stores the outputs of a successful step. Pass `undefined` for a step that failed. */
    setOutputs,
    forget: () => {
      outputs.clear();
      changed();
    },
  };
}

function placeOf(name: string): string {
  return `input:${name}`;
}

function readText(text: string, isText: boolean): unknown {
  return isText ? text : (parseJson(text) ?? text);
}
