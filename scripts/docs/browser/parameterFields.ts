import type { SentParameter } from "../../samples/parameterText.ts";
import type { Definitions } from "../model/schemaSubset.ts";
import type { TryItParameter } from "../model/tryItData.ts";
import { readEditable, startValue, typeHint } from "./editableSchema.ts";
import { button, element, firstControl, group, labelled } from "./elements.ts";
import { scalarControl } from "./scalarControl.ts";
import { valueEditor } from "./valueEditor.ts";

interface ParameterFields {
  readonly elements: readonly HTMLElement[];
  /** The parameters that are sent. */
  readonly read: () => readonly SentParameter[];
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
  const values = new Map<TryItParameter, unknown>();
  for (const parameter of parameters) {
    const sent = initial.find(({ name, in: place }) => name === parameter.name && place === parameter.in);
    values.set(parameter, sent?.value);
  }
  const set = (parameter: TryItParameter, value: unknown) => {
    values.set(parameter, value);
    onChange();
  };
  const elements = [...titles].flatMap(([place, title]) => {
    const inPlace = parameters.filter((parameter) => parameter.in === place);
    if (inPlace.length === 0) return [];
    const rows = inPlace.map((parameter) =>
      parameterField(parameter, values.get(parameter), definitions, (value) => {
        set(parameter, value);
      }),
    );
    return [group(title, ...rows)];
  });
  const read = () =>
    [...values].flatMap(([{ name, in: place, style, explode, mediaType }, value]) =>
      value === undefined ? [] : [{ name, in: place, style, explode, mediaType, value }],
    );
  return { elements, read };
}

function parameterField(
  parameter: TryItParameter,
  value: unknown,
  definitions: Definitions,
  onChange: (value: unknown) => void,
): HTMLElement {
  const { schema: plain, name, required, in: place } = parameter;
  const schema = readEditable(plain, definitions);
  const key = `${place}:${name}`;
  const isStructured =
    schema.alternatives.length > 0 || schema.types.some((type) => type === "array" || type === "object");
  const isWritten = typeof value !== "object" && schema.alternatives.length === 0 && value !== undefined;
  if (isStructured && !isWritten) return structuredField(parameter, key, value, definitions, onChange);
  const label = required ? `${name} (required)` : name;
  const [control, ...others] = scalarControl(schema, { value, isOmittable: true, onChange });
  control.dataset["place"] = key;
  if (required) control.setAttribute("aria-required", "true");
  const row = labelled(label, control, typeHint(schema) || undefined);
  row.append(...others);
  return row;
}

/** A list or an object, which is sent or left out as a whole. */
function structuredField(
  { schema, name, required }: TryItParameter,
  place: string,
  value: unknown,
  definitions: Definitions,
  onChange: (value: unknown) => void,
): HTMLElement {
  const holder = element("div");
  const show = (current: unknown) => {
    if (current === undefined) {
      const add = button("Add", {
        "data-adds": place,
        "aria-label": `Add ${name}`,
        click: () => {
          const start = startValue(schema, definitions);
          onChange(start);
          show(start);
          firstControl(holder)?.focus();
        },
      });
      const label = required ? `${name} (required)` : name;
      holder.replaceChildren(element("div", { class: "adder" }, element("span", {}, label, ": not sent "), add));
      return;
    }
    const onRemove = () => {
      onChange(undefined);
      show(undefined);
      firstControl(holder)?.focus();
    };
    holder.replaceChildren(
      valueEditor({
        schema,
        definitions,
        value: current,
        label: name,
        isRequired: required,
        place,
        onChange,
        onRemove,
      }),
    );
  };
  show(value);
  return holder;
}
