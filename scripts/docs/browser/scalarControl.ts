import { toText } from "../../samples/parameterText.ts";
import type { EditableSchema } from "./editableSchema.ts";
import { choice, element, newId } from "./elements.ts";

interface ScalarOptions {
  readonly value: unknown;
  /** Whether the value may be left out, as in a parameter: an empty control then stands for none. */
  readonly isOmittable: boolean;
  /** Receives `undefined` for a value that is left out. */
  readonly onChange: (value: unknown) => void;
}

const notSent = "not sent";
const inputTypes: Readonly<Record<string, string>> = { email: "email", uri: "url" };

/**
 * A control for a value that is no object or array, and what else belongs to it on the page. What is typed is sent, even
 * where the contract allows something else: to find out what is refused is one reason to try an operation.
 */
export function scalarControl(
  schema: EditableSchema,
  options: ScalarOptions,
): readonly [control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement, ...others: HTMLElement[]] {
  const { types, values, knownValues, format } = schema;
  const isBoolean = types.length === 1 && types[0] === "boolean";
  if (values !== undefined || isBoolean) return [valueChoice(values ?? [true, false], options)];
  const { value, onChange } = options;
  const read = (text: string) => {
    onChange(options.isOmittable && text === "" ? undefined : readText(text, schema, options));
  };
  const input = (event: Event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
      read(event.target.value);
  };
  // Nothing that is typed is for the browser to keep, correct or send elsewhere.
  const common = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", input };
  const text = value === undefined ? "" : toText(value);
  if (text.length > 80 || text.includes("\n")) {
    const area = element("textarea", { ...common, rows: "4" });
    area.value = text;
    return [area];
  }
  const isNumber = types.length > 0 && types.every((type) => type === "integer" || type === "number");
  const list = knownValues.length === 0 ? undefined : newId();
  const control = element("input", {
    ...common,
    type: inputTypes[format ?? ""] ?? "text",
    inputmode: isNumber ? "decimal" : undefined,
    list,
  });
  control.value = text;
  if (list === undefined) return [control];
  return [
    control,
    element("datalist", { id: list }, ...knownValues.map((known) => element("option", { value: known }))),
  ];
}

function valueChoice(values: readonly unknown[], { value, isOmittable, onChange }: ScalarOptions): HTMLSelectElement {
  const isKnown = value === undefined || values.some((one) => toText(one) === toText(value));
  const all: readonly unknown[] = [...(isOmittable ? [undefined] : []), ...values, ...(isKnown ? [] : [value])];
  const labels = all.map((one) => (one === undefined ? notSent : toText(one)));
  const chosen = labels.indexOf(value === undefined ? notSent : toText(value));
  const select = choice(labels, chosen, {
    change: () => {
      onChange(all[select.selectedIndex]);
    },
  });
  return select;
}

/** The value of a text that the schema's types suggest; the text itself if it is of none of them. */
function readText(text: string, { types }: EditableSchema, { isOmittable }: ScalarOptions): unknown {
  if (types.length === 1 && types[0] === "string") return text;
  const parsed = parseJson(text);
  // A parameter is sent as it is typed: `007` and `1e3` stay so.
  if (isOmittable) return typeof parsed === "number" && String(parsed) === text && types.length > 0 ? parsed : text;
  const isExpected =
    types.length === 0 ||
    types.some((type) => type === kindOf(parsed) || (type === "integer" && kindOf(parsed) === "number"));
  return parsed !== undefined && isExpected ? parsed : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
