import { parseJson } from "../../values/json.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";
import { highlight } from "../parts/highlight.ts";
import { element, fromTemplate, labelled, typed } from "./elements.ts";
import { readJsonPlaces } from "../../values/jsonPlaces.ts";
import { capitalize } from "../../values/text.ts";
import { createOpenMatch } from "../../exchange/openAlternatives.ts";
import { documentOf, schemaViolations } from "./schemaViolations.ts";
import { checks, showViolations, type PlacedViolation } from "./violationMarks.ts";

/** The value of a control, or a violation. The value is `undefined` if it isn't sent. */
export interface ControlReading {
  readonly value: unknown;
  readonly violation?: PlacedViolation;
  /** Why the value may be a mistake although it is valid. */
  readonly note?: string | undefined;
}

interface ValueEditorOptions {
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** The place of the value in the request, as violations name it. */
  readonly place: string;
  readonly schema: PlainSchema;
  /** Alternatives of the schema, if some of them list fields and others accept any. */
  readonly alternatives?: readonly { readonly name: string; readonly schema: PlainSchema }[];
  readonly definitions: Definitions;
  readonly text: string;
  readonly isJson: boolean;
  readonly readText: (text: string) => ControlReading;
}

/** An editor with line numbers. It checks the value against its schema whenever typing pauses. */
export function valueEditor(options: ValueEditorOptions) {
  const { label, hint, isRequired, place, schema, alternatives = [], definitions, isJson, readText } = options;
  const describeOpenMatch = createOpenMatch(alternatives, documentOf(definitions));
  let pause: ReturnType<typeof setTimeout> | undefined;
  const area = element("textarea", {
    ...{ ...typed, "data-place": place, "aria-required": isRequired && "true", wrap: "off" },
    input: () => {
      showLines();
      clearTimeout(pause);
      pause = setTimeout(showOwn, 500);
    },
  });
  const numbers = element("div", { class: "line-numbers", "aria-hidden": "true" });
  // The colored text lies behind the transparent text of the control, and is as large.
  const colors = element("pre", { "aria-hidden": "true" });
  const showLines = () => {
    const lines = area.value.split("\n");
    // One more line, which a scroll bar may cover.
    area.rows = lines.length + 1;
    numbers.textContent = lines.map((_, index) => String(index + 1)).join("\n");
    colors.replaceChildren(fromTemplate(highlight(area.value, isJson ? "json" : "")), "\n ");
  };
  const outcome = element("p", { role: "status", class: "hint" });
  const read = () => {
    const reading = readText(area.value);
    return { ...reading, note: describeOpenMatch?.(reading.value) };
  };
  const check = () => {
    clearTimeout(pause);
    const { value, violation, note } = read();
    outcome.textContent = schema === true || area.value === "" ? "" : `${capitalize(note ?? "the value is valid")}.`;
    outcome.classList.toggle("doubt", note !== undefined);
    if (value === undefined) return violation === undefined ? [] : [violation];
    const subject = place.split(":")[1] || "The body";
    const violations = schemaViolations({ schema, definitions, value, subject });
    return violations.map(({ pointer, message }) => ({ place: `${place}${pointer}`, message }));
  };
  checks.set(area, check);
  const showOwn = () => {
    showViolations(area, check());
  };
  const write = (text: string) => {
    area.value = text;
    showLines();
    showOwn();
  };
  const row = labelled(label, area, hint, [element("div", { class: "editor" }, numbers, colors, area), outcome]);
  write(options.text);
  return { element: row, area, read, write };
}

/** Reads the text of a control as JSON. */
export function readJson(text: string, place: string): ControlReading {
  const value = parseJson(text);
  if (value !== undefined) return { value };
  const { offset, expected } = readJsonPlaces(text) ?? { offset: 0, expected: "JSON" };
  return { value, violation: { place, offset, message: `This is not JSON: expected ${expected}.` } };
}
