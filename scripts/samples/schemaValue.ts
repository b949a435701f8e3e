import { elementsOf, equalJson, isObject, lastKey } from "../values/json.ts";
import { isReference, isSchema, referencedValue, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { isVisible, typesOf, type Direction } from "../spec/schemas.ts";
import { sampleNumber } from "./sampleNumber.ts";
import { sampleText } from "./sampleText.ts";

/** A value, if there is one. */
export type Sampled = { readonly value: unknown } | undefined;

interface Wishes {
  readonly direction: Direction;
  /** Whether objects have the members that aren't required. */
  readonly members: "all" | "required";
  /** Whether required members that have no value may be missing. */
  readonly isLenient?: boolean;
}

interface Sampling extends Wishes {
  readonly document: OpenApiDocument;
  /** The schemas of the values around this one. */
  readonly around: readonly (readonly unknown[])[];
  /** How many more values are made. */
  readonly budget: { left: number };
  /** Values with different numbers are different. */
  readonly n: number;
}

const maxValues = 5_000;
/**
 * When fewer than these are left, members are left out that aren't required: with more, closely linked schemas made a
 * sample of half a megabyte.
 */
const kept = 4_500;
const maxItems = 1_000;

/**
 * A value that a schema of the supported profile allows, from its own examples, defaults and types: the same one each
 * time. `undefined` if none is found, because only an endless one is valid, or one that is too large.
 */
export function schemaValue(schema: unknown, document: OpenApiDocument, wishes: Wishes): Sampled {
  return sampleOf([schema], { ...wishes, document, around: [], budget: { left: maxValues }, n: 0 });
}

/** A value that some schemas allow together. */
function sampleOf(schemas: readonly unknown[], outer: Sampling): Sampled {
  const { document, around, budget } = outer;
  const parts = partsOf(schemas, document);
  const targets = schemas.map((schema) => (isReference(schema) ? referencedValue(document, schema.$ref) : schema));
  // What contains itself never ends. All members of a tree include one level of subtrees.
  const same = around.filter((some) => some.length === targets.length && some.every((one, at) => one === targets[at]));
  const isRecursive = same.length > (outer.members === "all" ? 1 : 0);
  budget.left -= 1;
  if (parts === undefined || isRecursive || budget.left < 0) return undefined;
  const whole = exampleOf(schemas, document);
  if (whole !== undefined && outer.n === 0) return { value: whole };
  return chooseAlternatives(parts, { ...outer, around: [...around, targets] });
}

/** The example of a schema as a whole, not that of a part of it. */
function exampleOf([schema, ...others]: readonly unknown[], document: OpenApiDocument): unknown {
  if (others.length > 0 || !isSchema(schema)) return undefined;
  const { example, const: constant, enum: listed } = schema;
  if (constant !== undefined || listed !== undefined) return undefined;
  return example === undefined && isReference(schema)
    ? exampleOf([referencedValue(document, schema.$ref)], document)
    : example;
}

/** The schemas with all that they refer to, and all parts of their `allOf`. `undefined` if they allow nothing. */
function partsOf(schemas: readonly unknown[], document: OpenApiDocument): readonly SchemaObject[] | undefined {
  const parts = new Set<unknown>(schemas);
  // A set also visits what is added meanwhile.
  for (const part of parts) {
    if (part === false) return undefined;
    if (!isSchema(part)) continue;
    if (isReference(part)) parts.add(referencedValue(document, part.$ref));
    if ("allOf" in part) elementsOf(part.allOf).forEach((one) => parts.add(one));
  }
  return [...parts].filter(isSchema);
}

/** Tries the alternatives in turn, `null` last. */
function chooseAlternatives(parts: readonly SchemaObject[], to: Sampling, chosen: readonly unknown[] = []): Sampled {
  if ((to.budget.left -= 1) < 0) return undefined;
  const choice = parts.find(({ anyOf, oneOf }) => (oneOf ?? anyOf ?? []).length > 0);
  if (choice === undefined) return ownValue(parts, to);
  const { anyOf, oneOf, discriminator, ...rest } = choice;
  const all = oneOf ?? anyOf ?? [];
  const isNull = (one: unknown) => isSchema(one) && one.type === "null";
  for (const alternative of [...all.filter((one) => !isNull(one)), ...all.filter(isNull)]) {
    const told = discriminator && isReference(alternative) ? [toldBy(discriminator, alternative.$ref)] : [];
    const own = partsOf([alternative], to.document);
    // An alternative that contains the choice for the same value adds nothing.
    if (own === undefined || own.some((one) => one === choice || chosen.includes(one))) continue;
    const others = parts.map((part) => (part === choice ? (oneOf && anyOf ? { ...rest, anyOf } : rest) : part));
    const made = chooseAlternatives([...told, ...others, ...own], to, [...chosen, choice]);
    if (made !== undefined) return made;
  }
  return undefined;
}

/** An object's property that names the alternative. */
function toldBy(discriminator: NonNullable<SchemaObject["discriminator"]>, reference: string): SchemaObject {
  const { propertyName, mapping = {} } = discriminator;
  const [key = lastKey(reference)] = Object.keys(mapping).filter((name) => mapping[name] === reference);
  return { required: [propertyName], properties: { [propertyName]: { const: key } } };
}

function ownValue(parts: readonly SchemaObject[], to: Sampling): Sampled {
  const lists = parts
    .flatMap((part) => ["const" in part ? [part.const] : [], part.enum ?? []])
    .filter(({ length }) => length);
  const listed: readonly unknown[] = lists[0] ?? [];
  const isListed = (value: unknown) => lists.every((list) => list.some((one) => equalJson(one, value)));
  const type = typeOfAll(parts);
  const types = type === undefined ? [] : [type];
  const isObjectType = types.includes("object");
  const given = parts.flatMap((part) => [part.example, part.default].filter((one) => one !== undefined));
  const shown = parts.flatMap((part) => elementsOf(part.examples));
  const ready = [...given, ...listed, ...shown].filter(isListed);
  // Examples of parts of an object are only those of some of its members.
  if (lists.length > 0 || (!isObjectType && ready.length > to.n)) {
    return ready.length > to.n ? { value: [...new Set(ready)][to.n] } : undefined;
  }
  switch (type) {
    case "object":
      return objectValue(parts, ready.filter(isObject), to);
    case "array":
      return arrayValue(parts, to);
    case "string":
      return found(sampleText(parts, to.n));
    case "integer":
    case "number":
      return found(sampleNumber(parts, type === "integer", to.n));
    case "boolean":
      return to.n < 2 ? { value: to.n === 0 } : undefined;
    default:
      return to.n === 0 ? { value: null } : undefined;
  }
}

function found(value: unknown): Sampled {
  return value === undefined ? undefined : { value };
}

/** Keywords that imply a type. */
const implying: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties", "minProperties", "maxProperties"],
  array: ["items", "minItems", "maxItems", "uniqueItems"],
  string: ["pattern", "format", "minLength", "maxLength"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

/** The first type that all schemas allow, `null` last. If none has a type, what their keywords imply. */
function typeOfAll(parts: readonly SchemaObject[]): string | undefined {
  const [first = [], ...others] = parts.map(typesOf).filter((types) => types.length > 0);
  const candidates = first.flatMap((type) => (type === "number" ? ["number", "integer"] : [type]));
  const allows = (types: readonly string[], type: string) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const common = candidates.filter((type) => others.every((types) => allows(types, type)));
  const [type] = [...common.filter((one) => one !== "null"), ...common];
  const isImplied = (keywords: readonly string[]) => parts.some((part) => keywords.some((keyword) => keyword in part));
  return type ?? Object.keys(implying).find((one) => isImplied(implying[one] ?? []));
}

function arrayValue(parts: readonly SchemaObject[], to: Sampling): Sampled {
  const least = Math.max(0, ...parts.flatMap(({ minItems }) => minItems ?? []));
  const most = Math.min(...parts.flatMap(({ maxItems }) => maxItems ?? []));
  const items = parts.flatMap((part) => (part.items === undefined ? [] : [part.items]));
  if (least > maxItems) return undefined;
  const isUnique = parts.some(({ uniqueItems }) => uniqueItems);
  const count = Math.min(most, Math.max(least, items.length > 0 ? 1 : 0) + to.n);
  if (count < least + to.n && to.n > 0) return undefined;
  const value: unknown[] = [];
  while (value.length < count) {
    const isNew = (one: Sampled) =>
      one !== undefined && !(isUnique && value.some((item) => equalJson(item, one.value)));
    const item = { ...to, n: isUnique ? value.length : 0 };
    // Objects may only differ in members that aren't required.
    const made = [
      sampleOf(items, item),
      ...(item.n > 0 ? [sampleOf(items, { ...item, members: "all" as const })] : []),
    ];
    const next = made.find(isNew);
    if (next === undefined) return value.length >= least || to.isLenient ? { value } : undefined;
    value.push(next.value);
  }
  return { value };
}

/** An object with the members that examples of its parts give it. */
function objectValue(parts: readonly SchemaObject[], given: readonly object[], to: Sampling): Sampled {
  const { document, direction, budget, isLenient = false } = to;
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const names = [...new Set([...parts.flatMap((part) => Object.keys(part.properties ?? {})), ...required])];
  const least = Math.max(0, ...parts.flatMap(({ minProperties }) => minProperties ?? []));
  const most = Math.min(...parts.flatMap(({ maxProperties }) => maxProperties ?? []));
  const members = new Map<string, unknown>(given.flatMap((one) => Object.entries(one)));
  const add = (name: string): boolean => {
    const schemas = parts.flatMap((part) => memberOf(part, name));
    const isHidden = schemas.some((one) => isSchema(one) && !isVisible(document, one, direction));
    if (members.has(name) || isHidden) return true;
    const made = sampleOf(schemas, to) ?? (to.n === 0 ? undefined : sampleOf(schemas, { ...to, n: 0 }));
    if (made !== undefined) members.set(name, made.value);
    return made !== undefined;
  };
  let room = to.members === "all" ? most - required.size : 0;
  for (const name of names) {
    const isRequired = required.has(name);
    if (!isRequired && (room <= 0 || budget.left < kept)) continue;
    if (!isRequired) room -= 1;
    if (!add(name) && isRequired && !isLenient) return undefined;
  }
  for (const name of names) if (members.size < least) add(name);
  const isOpen = parts.every(({ additionalProperties }) => additionalProperties !== false);
  const hasOthers = parts.some(({ additionalProperties: other }) => isSchema(other) && !isUntyped(other));
  const wanted = Math.max(least, hasOthers && room > 0 ? Math.min(most, members.size + 2) : 0);
  for (let at = 1; isOpen && members.size < wanted && at <= maxItems; at += 1) add(`property${at}`);
  return members.size < least ? undefined : { value: Object.fromEntries(members) };
}

/** The schemas that a schema has for a member. */
function memberOf({ properties = {}, additionalProperties }: SchemaObject, name: string): readonly unknown[] {
  if (Object.hasOwn(properties, name)) return [properties[name]];
  return additionalProperties === undefined ? [] : [additionalProperties];
}
