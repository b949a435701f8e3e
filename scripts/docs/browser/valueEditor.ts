import { jsonPointer } from "../../spec/jsonPointer.ts";
import { isObject } from "../../spec/json.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";
import { matches } from "./matchSchema.ts";
import { readEditable, startValue, typeHint, type EditableSchema } from "./editableSchema.ts";
import { button, choice, element, firstControl, group, labelled, newId } from "./elements.ts";
import { scalarControl } from "./scalarControl.ts";

interface ValueOptions {
  readonly schema: PlainSchema;
  readonly definitions: Definitions;
  readonly value: unknown;
  readonly label: string;
  readonly isRequired: boolean;
  /** What violations call the value: its place in the request, and its name or JSON Pointer. */
  readonly place: string;
  readonly onChange: (value: unknown) => void;
  /** Takes the value out of what it is in; absent if it cannot be taken out. */
  readonly onRemove?: (() => void) | undefined;
}

/** Controls for a JSON value of any depth. They follow the value, so a schema that contains itself has an end. */
export function valueEditor(options: ValueOptions): HTMLElement {
  const { schema: plain, definitions, value } = options;
  const schema = readEditable(plain, definitions);
  if (value === null && schema.isNullable) return nullEditor(schema, options);
  if (schema.alternatives.length > 0) return alternativeEditor(schema, options);
  const allows = (type: string) => schema.types.length === 0 || schema.types.includes(type);
  if (isObject(value) && allows("object")) return objectEditor(schema, options, value);
  if (Array.isArray(value) && allows("array")) return arrayEditor(schema, options, value);
  return scalarEditor(schema, options);
}

function scalarEditor(schema: EditableSchema, options: ValueOptions): HTMLElement {
  const { value, label, isRequired, place, onChange } = options;
  const [control, ...others] = scalarControl(schema, { value, isOmittable: false, onChange });
  control.dataset["place"] = place;
  if (isRequired) control.setAttribute("aria-required", "true");
  const row = labelled(labelText(label, isRequired), control, typeHint(schema) || undefined);
  row.append(...others);
  const tools = toolsFor(schema, options, () => row);
  if (tools !== undefined) row.append(tools);
  return row;
}

function nullEditor(schema: EditableSchema, options: ValueOptions): HTMLElement {
  const { label, isRequired, place } = options;
  const control = element("input", { type: "text", value: "null", readonly: true, "data-place": place });
  const row = labelled(labelText(label, isRequired), control, typeHint(schema));
  const tools = toolsFor(schema, options, () => row);
  if (tools !== undefined) row.append(tools);
  return row;
}

/** Buttons that set a value to `null` or back, and that take it out. */
function toolsFor(schema: EditableSchema, options: ValueOptions, shown: () => HTMLElement): HTMLElement | undefined {
  const { value, label, schema: plain, definitions, onChange, onRemove } = options;
  const isNull = value === null;
  const isContainer = typeof value === "object" && !isNull;
  const change = () => {
    const own = startValue(plain, definitions);
    const next = isNull ? (own ?? "") : null;
    onChange(next);
    replace(shown(), { ...options, value: next });
  };
  const buttons = [
    ...(schema.isNullable
      ? [
          button(isNull ? "Set a value" : "Set to null", {
            "aria-label": `${isNull ? "Set a value" : "Set to null"}: ${label}`,
            click: change,
          }),
        ]
      : []),
    ...(onRemove === undefined ? [] : [removeButton(label, isContainer, onRemove)]),
  ];
  return buttons.length === 0 ? undefined : element("div", { class: "tools" }, ...buttons);
}

/** What is inside a container has buttons too, so its own says what it removes. */
function removeButton(label: string, isContainer: boolean, onRemove: () => void): HTMLButtonElement {
  const name = `Remove ${label}`;
  return isContainer ? button(name, { click: onRemove }) : button("Remove", { "aria-label": name, click: onRemove });
}

function alternativeEditor(schema: EditableSchema, options: ValueOptions): HTMLElement {
  const { definitions, value, label, isRequired, onChange } = options;
  const { alternatives } = schema;
  const matching = alternatives.findIndex((alternative) => matches(alternative.schema, definitions, value));
  const titles = alternatives.map(({ title }) => title);
  const inner = element("div");
  const show = (index: number, current: unknown) => {
    const alternative = alternatives[index]?.schema ?? true;
    const title = titles[index] ?? label;
    inner.replaceChildren(
      valueEditor({
        ...options,
        schema: alternative,
        value: current,
        label: title,
        isRequired: false,
        onRemove: undefined,
      }),
    );
  };
  const select = choice(titles, Math.max(matching, 0), {
    change: () => {
      const next = startValue(alternatives[select.selectedIndex]?.schema ?? true, definitions);
      onChange(next);
      show(select.selectedIndex, next);
    },
  });
  show(Math.max(matching, 0), value);
  const shown: HTMLElement = group(labelText(label, isRequired), labelled("Option", select), inner);
  const tools = toolsFor(schema, options, () => shown);
  if (tools !== undefined) shown.append(tools);
  return shown;
}

function objectEditor(
  schema: EditableSchema,
  options: ValueOptions,
  value: Readonly<Record<string, unknown>>,
): HTMLElement {
  const { definitions, label, isRequired, place, onChange } = options;
  // Entries, because a key `__proto__` is no property when it is assigned.
  const members = new Map(Object.entries(value));
  const report = () => {
    onChange(Object.fromEntries(members));
  };
  const rows = Object.entries(value).map(([name, member]) =>
    valueEditor({
      schema: schema.properties[name] ?? schema.otherProperties,
      definitions,
      value: member,
      label: name,
      isRequired: schema.required.includes(name),
      place: `${place}${jsonPointer([name])}`,
      onChange: (changed) => {
        members.set(name, changed);
        report();
      },
      onRemove: () => {
        members.delete(name);
        report();
        const next = replace(shown, { ...options, value: Object.fromEntries(members) });
        next.querySelector<HTMLElement>(":scope > .adder select, :scope > .adder input")?.focus();
      },
    }),
  );
  const add = (name: string) => {
    if (name === "" || members.has(name)) return;
    members.set(name, startValue(schema.properties[name] ?? schema.otherProperties, definitions));
    report();
    const next = replace(shown, { ...options, value: Object.fromEntries(members) });
    focusPlace(next, `${place}${jsonPointer([name])}`);
  };
  const tools = toolsFor(schema, options, () => shown);
  const shown: HTMLElement = group(labelText(label, isRequired), ...rows, adder(schema, members, options, add), tools);
  return shown;
}

/** What adds a property: one that the schema names, or one of a name of its own. */
function adder(
  { properties, required, otherProperties }: EditableSchema,
  members: ReadonlyMap<string, unknown>,
  { label, place }: ValueOptions,
  add: (name: string) => void,
): HTMLElement | undefined {
  const absent = Object.keys(properties).filter((name) => !members.has(name));
  const title = `Add a field to ${label}`;
  if (absent.length > 0) {
    const names = absent.toSorted((a, b) => Number(required.includes(b)) - Number(required.includes(a)));
    const labels = names.map((name) => (required.includes(name) ? `${name} (required)` : name));
    const select = choice(labels, 0, { "data-adds": place, "aria-label": title, id: newId() });
    const press = button("Add", {
      "aria-label": title,
      click: () => {
        add(names[select.selectedIndex] ?? "");
      },
    });
    return element("div", { class: "adder" }, select, press);
  }
  if (otherProperties === false) return undefined;
  const input = element("input", {
    type: "text",
    autocomplete: "off",
    "data-adds": place,
    "aria-label": `Name of a field to add to ${label}`,
    placeholder: "name",
  });
  const press = button("Add", {
    "aria-label": title,
    click: () => {
      add(input.value);
    },
  });
  return element("div", { class: "adder" }, input, press);
}

function arrayEditor(schema: EditableSchema, options: ValueOptions, value: readonly unknown[]): HTMLElement {
  const { definitions, label, isRequired, place, onChange } = options;
  const items = [...value];
  const redraw = (): HTMLElement => {
    onChange([...items]);
    return replace(shown, { ...options, value: [...items] });
  };
  const rows = value.map((item, index) =>
    valueEditor({
      schema: schema.items,
      definitions,
      value: item,
      label: `${label} ${index + 1}`,
      isRequired: false,
      place: `${place}/${index}`,
      onChange: (changed) => {
        items[index] = changed;
        onChange([...items]);
      },
      onRemove: () => {
        items.splice(index, 1);
        redraw().querySelector<HTMLElement>(":scope > .adder button")?.focus();
      },
    }),
  );
  const add = () => {
    items.push(startValue(schema.items, definitions));
    focusPlace(redraw(), `${place}/${items.length - 1}`);
  };
  const tools = toolsFor(schema, options, () => shown);
  const press = button("Add an item", { "aria-label": `Add an item to ${label}`, "data-adds": place, click: add });
  const shown: HTMLElement = group(
    labelText(label, isRequired),
    ...rows,
    element("div", { class: "adder" }, press),
    tools,
  );
  return shown;
}

function replace(shown: HTMLElement, options: ValueOptions): HTMLElement {
  const next = valueEditor(options);
  shown.replaceWith(next);
  return next;
}

function focusPlace(inside: HTMLElement, place: string): void {
  const all = [...inside.querySelectorAll<HTMLElement>("[data-place], [data-adds]")];
  const found = all.find(({ dataset }) => dataset["place"] === place || dataset["adds"] === place);
  const control = found ?? firstControl(inside);
  control?.focus();
  // What is typed takes the place of the value to begin with.
  if (control instanceof HTMLInputElement) control.select();
}

function labelText(label: string, isRequired: boolean): string {
  return isRequired ? `${label} (required)` : label;
}
