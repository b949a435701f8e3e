import { parseJson } from "../../spec/json.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";
import { element, labelled, typed } from "./elements.ts";
import { readJsonPlaces } from "./jsonPlaces.ts";
import { schemaViolations } from "./schemaViolations.ts";
import { setCheck, showViolations, type PlacedViolation } from "./violationMarks.ts";

/** The value that a control has; or the violation for which it has none. */
export type ValueReading = { readonly value: unknown } | { readonly violation: PlacedViolation };

interface ValueEditorOptions {
  readonly label: string;
  readonly hint?: string;
  /** The name of the value in violations: its place in the request. */
  readonly place: string;
  /** The name of the value in messages. */
  readonly subject: string;
  readonly schema: PlainSchema;
  readonly definitions: Definitions;
  readonly text: string;
  readonly readText: (text: string) => ValueReading;
  readonly onInput: () => void;
}

export interface ValueEditor {
  readonly element: HTMLElement;
  readonly area: HTMLTextAreaElement;
  readonly read: () => ValueReading;
  readonly write: (text: string) => void;
}

/** Typing has paused after this many milliseconds. */
const pauseLength = 500;

/** A value as text with numbered lines, which is checked against its schema whenever typing pauses. */
export function valueEditor(options: ValueEditorOptions): ValueEditor {
  const { label, hint, place, subject, schema, definitions, readText, onInput } = options;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const area = element("textarea", {
    ...{ ...typed, "data-place": place, wrap: "off" },
    input: () => {
      showLines();
      clearTimeout(pause);
      pause = setTimeout(showOwn, pauseLength);
      onInput();
    },
  });
  const numbers = element("div", { class: "line-numbers", "aria-hidden": "true" });
  const showLines = () => {
    const lines = area.value.split("\n");
    // One more, which a scroll bar may cover.
    area.rows = lines.length + 1;
    numbers.textContent = lines.map((_, index) => String(index + 1)).join("\n");
  };
  const outcome = element("p", { role: "status", class: "hint" });
  const check = () => {
    clearTimeout(pause);
    const reading = readText(area.value);
    const violations =
      "violation" in reading
        ? [reading.violation]
        : violationsOf(reading.value, { place, subject, schema, definitions });
    outcome.textContent = schema === true || area.value === "" ? "" : "Keeps the contract.";
    return violations;
  };
  setCheck(area, check);
  const showOwn = () => {
    showViolations(area, check());
  };
  const write = (text: string) => {
    area.value = text;
    showLines();
    showOwn();
  };
  const row = labelled(label, area, hint, element("div", { class: "editor" }, numbers, area));
  row.querySelector(".violations")?.before(outcome);
  write(options.text);
  return { element: row, area, read: () => readText(area.value), write };
}

function violationsOf(
  value: unknown,
  { place, subject, schema, definitions }: Pick<ValueEditorOptions, "place" | "subject" | "schema" | "definitions">,
): readonly PlacedViolation[] {
  if (value === undefined) return [];
  const violations = schemaViolations(schema, definitions, value, subject);
  return violations.map(({ pointer, message }) => ({ place: `${place}${pointer}`, message }));
}

/** Reads the text of a control as JSON. */
export function readJson(text: string, place: string): ValueReading {
  const value = parseJson(text);
  if (value !== undefined) return { value };
  const { offset, expected } = readJsonPlaces(text).end ?? { offset: 0, expected: "JSON" };
  return { violation: { place, offset, message: `This is not JSON: expected ${expected}.` } };
}
