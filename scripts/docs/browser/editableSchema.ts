import { lastKey } from "../../spec/jsonPointer.ts";
import { elementsOf, isObject, stringsOf } from "../../spec/json.ts";
import { isUntyped } from "../../spec/schemaKeywords.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";

/** What a form needs to know of a schema, with references and `allOf` merged into it. */
export interface EditableSchema {
  /** The types that it allows, without `null`; empty if it does not say. */
  readonly types: readonly string[];
  readonly isNullable: boolean;
  readonly format: string | undefined;
  readonly properties: Readonly<Record<string, PlainSchema>>;
  readonly required: readonly string[];
  /** The schema of properties with other names; `false` if there are none. */
  readonly otherProperties: PlainSchema;
  readonly items: PlainSchema;
  /** The only values that it allows. */
  readonly values: readonly unknown[] | undefined;
  /** Values that are known, beside which there may be others. */
  readonly knownValues: readonly string[];
  readonly alternatives: readonly Alternative[];
  readonly start: unknown;
}

interface Alternative {
  readonly title: string;
  readonly schema: PlainSchema;
}

type Schema = Readonly<Record<string, unknown>>;

/** As many references and `allOf` are followed into each other: more would be a circle. */
const maximumDepth = 12;

/** Reads a schema for a form. */
export function readEditable(plain: PlainSchema, definitions: Definitions): EditableSchema {
  const schema = merge(plain, definitions, 0);
  const { type, format, properties, additionalProperties = true, items = true, anyOf, oneOf } = schema;
  const rest = without(schema, ["anyOf", "oneOf"]);
  const branches = [...elementsOf(anyOf), ...elementsOf(oneOf)].filter(isPlain);
  const isNull = (branch: PlainSchema) => merge(branch, definitions, 0)["type"] === "null";
  const others = branches.filter((branch) => !isNull(branch));
  const [only] = others;
  const hasNull = others.length < branches.length;
  // One alternative beside `null` is the schema itself.
  if (only !== undefined && others.length === 1) {
    const inner = readEditable({ ...rest, allOf: [...elementsOf(rest["allOf"]), only] }, definitions);
    return { ...inner, isNullable: inner.isNullable || hasNull };
  }
  const types = typeof type === "string" ? [type] : stringsOf(type);
  const implied = types.length > 0 || others.length > 0 ? types : impliedTypes(schema);
  return {
    types: implied.filter((one) => one !== "null"),
    isNullable: hasNull || types.includes("null"),
    format: typeof format === "string" ? format : undefined,
    properties: plainEntries(properties),
    required: stringsOf(schema["required"]),
    otherProperties: isPlain(additionalProperties) ? additionalProperties : true,
    items: isPlain(items) ? items : true,
    values: "const" in schema ? [schema["const"]] : Array.isArray(schema["enum"]) ? schema["enum"] : undefined,
    knownValues: stringsOf(schema["x-extensible-enum"]),
    alternatives: others.map((branch, index) => ({
      title: titleOf(branch) ?? `Form ${String(index + 1)}`,
      schema: Object.keys(without(rest, ["title"])).length === 0 ? branch : { ...rest, allOf: [branch] },
    })),
    start: schema["default"],
  };
}

/** Whether a schema says nothing of the values that it allows. */
export function allowsAnything(plain: PlainSchema, definitions: Definitions): boolean {
  return isUntyped(merge(plain, definitions, 0));
}

/** A value to begin with: the default, the first known value, or something empty with all that is required. */
export function startValue(plain: PlainSchema, definitions: Definitions, depth = 0): unknown {
  const { start, values, types, alternatives, properties, required, isNullable } = readEditable(plain, definitions);
  if (start !== undefined) return start;
  if (values !== undefined) return values[0];
  if (alternatives[0] !== undefined && depth < maximumDepth) {
    return startValue(alternatives[0].schema, definitions, depth + 1);
  }
  switch (types[0]) {
    case "object": {
      if (depth >= maximumDepth) return {};
      const members = required.map((name) => [name, startValue(properties[name] ?? true, definitions, depth + 1)]);
      return Object.fromEntries(members);
    }
    case "array":
      return [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 0;
    case "string":
      return "";
    default:
      return isNullable ? null : "";
  }
}

/** A type in a few words, as a hint beside a control. */
export function typeHint({ types, format, isNullable, values }: EditableSchema): string {
  if (values !== undefined) return "";
  const names = types.length === 0 ? ["any type"] : types;
  const all = isNullable ? [...names, "null"] : names;
  return format === undefined ? all.join(" or ") : `${all.join(" or ")}, ${format}`;
}

function merge(plain: PlainSchema, definitions: Definitions, depth: number): Schema {
  if (!isObject(plain) || depth > maximumDepth) return {};
  const { $ref, allOf, ...own } = plain;
  const target = typeof $ref === "string" ? definitions[lastKey($ref)] : undefined;
  const parts = [...(target === undefined ? [] : [target]), ...elementsOf(allOf).filter(isPlain)];
  return parts.map((part) => merge(part, definitions, depth + 1)).reduce(mergeTwo, own);
}

function mergeTwo(first: Schema, second: Schema): Schema {
  return {
    ...second,
    ...first,
    ...mergedMembers(first, second),
    ...(second["required"] !== undefined && {
      required: [...new Set([...stringsOf(first["required"]), ...stringsOf(second["required"])])],
    }),
  };
}

function mergedMembers(first: Schema, second: Schema): Schema {
  const [one, other] = [first["properties"], second["properties"]];
  if (!isObject(one) || !isObject(other)) return {};
  // A property that both have must be as both say.
  const shared = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  const both = shared.map((name) => [name, { allOf: [one[name], other[name]] }] as const);
  return { properties: { ...other, ...one, ...Object.fromEntries(both) } };
}

function without(schema: Schema, keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** The types that keywords speak of, in a schema without `type`. */
function impliedTypes(schema: Schema): readonly string[] {
  if (isObject(schema["properties"]) || isObject(schema["additionalProperties"])) return ["object"];
  return schema["items"] === undefined ? [] : ["array"];
}

function titleOf(branch: PlainSchema): string | undefined {
  if (!isObject(branch)) return undefined;
  const { title, $ref } = branch;
  if (typeof title === "string") return title;
  return typeof $ref === "string" ? lastKey($ref) : undefined;
}

function plainEntries(value: unknown): Readonly<Record<string, PlainSchema>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, PlainSchema] => isPlain(entry[1])));
}

function isPlain(value: unknown): value is PlainSchema {
  return typeof value === "boolean" || isObject(value);
}
