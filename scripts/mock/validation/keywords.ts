import { _, str, type CodeKeywordDefinition } from "ajv/dist/2020.js";
import { elementsOf, isObject } from "../../spec/json.ts";

/** Looks a value up; ajv's own keyword compares it with each that is allowed. */
export const enumeration: CodeKeywordDefinition = {
  keyword: "enum",
  schemaType: "array",
  error: { message: "must be equal to one of the allowed values" },
  code: (context) => {
    const list = elementsOf(context.schema);
    const allowed = new Set(list);
    const containers = new Set(list.filter(isContainer).map(serialize));
    const has = (value: unknown) =>
      allowed.has(value) || (containers.size > 0 && isContainer(value) && containers.has(serialize(value)));
    context.fail(_`!${context.gen.scopeValue("func", { ref: has })}(${context.data})`);
  },
};

/** Compares serialized items; ajv's own keyword compares each item with every other. */
export const uniqueItems: CodeKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  error: {
    message: ({ params: { pair } }) =>
      str`must NOT have duplicate items (items ## ${_`${pair}[0]`} and ${_`${pair}[1]`} are identical)`,
  },
  code: (context) => {
    if (context.schema !== true) return;
    const { gen, data } = context;
    const pair = gen.const("pair", _`${gen.scopeValue("func", { ref: findDuplicates })}(${data})`);
    context.setParams({ pair });
    context.fail(_`${pair} !== undefined`);
  },
};

function findDuplicates(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = serialize(item);
    const earlier = seen.get(text);
    if (earlier !== undefined) return [earlier, index];
    seen.set(text, index);
  }
  return undefined;
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The same text for equal values. */
function serialize(value: unknown): string {
  return JSON.stringify(value, sortMembers);
}

function sortMembers(_key: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
