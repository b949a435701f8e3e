import { toText, type SentParameter } from "../../samples/parameterText.ts";
import type { Definitions } from "../model/schemaSubset.ts";
import type { TryItParameter } from "../model/tryItData.ts";
import { choice, element, group, labelled, newId, typed } from "./elements.ts";
import { readJson, valueEditor, type ValueReading } from "./valueEditor.ts";
import type { PlacedViolation } from "./violationMarks.ts";

interface ParameterFields {
  readonly elements: readonly HTMLElement[];
  /** The parameters that are sent, and the violations of those that cannot be. */
  readonly read: () => { readonly sent: readonly SentParameter[]; readonly violations: readonly PlacedViolation[] };
}

const titles = new Map([
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
  ["cookie", "Cookies"],
]);

/** A group of controls for each place of parameters. An empty control leaves its parameter out. */
export function parameterFields(
  parameters: readonly TryItParameter[],
  initial: readonly SentParameter[],
  definitions: Definitions,
  onChange: () => void,
): ParameterFields {
  const fields = parameters.map((parameter) => {
    const sent = initial.find(({ name, in: place }) => name === parameter.name && place === parameter.in);
    return { parameter, ...parameterControl(parameter, sent?.value, definitions, onChange) };
  });
  const elements = [...titles].flatMap(([place, title]) => {
    const inPlace = fields.filter(({ parameter }) => parameter.in === place);
    return inPlace.length === 0 ? [] : [group(title, ...inPlace.map((field) => field.element))];
  });
  const read = () => {
    const readings = fields.map((field) => ({ ...field.parameter, reading: field.read() }));
    return {
      sent: readings.flatMap(({ name, in: place, style, explode, mediaType, reading }) => {
        const value = "value" in reading ? reading.value : undefined;
        return value === undefined ? [] : [{ name, in: place, style, explode, mediaType, value }];
      }),
      violations: readings.flatMap(({ reading }) => ("violation" in reading ? [reading.violation] : [])),
    };
  };
  return { elements, read };
}

interface ParameterControl {
  readonly element: HTMLElement;
  /** A value that is `undefined` is not sent. */
  readonly read: () => ValueReading;
}

/**
 * A control for a parameter. Text is sent as it is typed, even where the contract allows something else: to find out what
 * is refused is one reason to try an operation.
 */
function parameterControl(
  parameter: TryItParameter,
  value: unknown,
  definitions: Definitions,
  onChange: () => void,
): ParameterControl {
  const { name, in: place, required, typeWords, allowedValues, knownValues, schema } = parameter;
  const types = parameter.types.length === 0 && isStructured(value) ? structuredTypes : parameter.types;
  const label = required ? `${name} (required)` : name;
  const key = `${place}:${name}`;
  const attributes = { "data-place": key, "aria-required": required && "true" };
  if (allowedValues !== undefined) return valueChoice(label, allowedValues, value, { ...attributes, change: onChange });
  const text = value === undefined ? "" : isStructured(value) ? JSON.stringify(value, null, 2) : toText(value);
  const readText = (current: string): ValueReading => {
    if (current === text) return { value };
    return current === "" ? { value: undefined } : readTyped(current, key, types);
  };
  if (types.some((type) => structuredTypes.includes(type))) {
    const editor = valueEditor({
      ...{ label, place: key, subject: name, schema, definitions, text, readText },
      hint: `${typeWords}, as JSON`,
      onInput: onChange,
    });
    if (required) editor.area.setAttribute("aria-required", "true");
    return editor;
  }
  const list = knownValues.length === 0 ? undefined : newId();
  const isNumber = types.length > 0 && types.every((type) => type === "integer" || type === "number");
  const inputmode = isNumber ? "decimal" : undefined;
  const isLong = text.length > 80 || text.includes("\n");
  const control = isLong
    ? element("textarea", { ...typed, ...attributes, rows: "4", input: onChange })
    : element("input", { ...typed, ...attributes, type: "text", inputmode, list, input: onChange });
  control.value = text;
  const row = labelled(label, control, typeWords);
  if (list !== undefined)
    row.append(element("datalist", { id: list }, ...knownValues.map((known) => element("option", { value: known }))));
  return { element: row, read: () => readText(control.value) };
}

function valueChoice(
  label: string,
  allowed: readonly unknown[],
  value: unknown,
  attributes: Parameters<typeof choice>[2],
): ParameterControl {
  const isOther = value !== undefined && !allowed.some((one) => toText(one) === toText(value));
  const values = [undefined, ...allowed, ...(isOther ? [value] : [])];
  const texts = values.map((one) => (one === undefined ? "not sent" : toText(one)));
  const select = choice(texts, value === undefined ? 0 : texts.indexOf(toText(value), 1), attributes);
  return { element: labelled(label, select), read: () => ({ value: values[select.selectedIndex] }) };
}

const structuredTypes: readonly string[] = ["array", "object"];

function isStructured(value: unknown): boolean {
  return typeof value === "object";
}

/**
 * The value of a text by the types of its parameter: JSON for arrays and objects, or a number; else the text itself. As a
 * parameter is sent as it is typed, `007` and `1e3` are text.
 */
function readTyped(text: string, place: string, types: readonly string[]): ValueReading {
  const reading = readJson(text, place);
  const value = "value" in reading ? reading.value : undefined;
  const isOnlyStructured = types.length > 0 && types.every((type) => structuredTypes.includes(type));
  if (isOnlyStructured || (isStructured(value) && types.some((type) => structuredTypes.includes(type)))) return reading;
  const isNumber = typeof value === "number" && String(value) === text;
  return isNumber && types.some((type) => type === "integer" || type === "number") ? reading : { value: text };
}
