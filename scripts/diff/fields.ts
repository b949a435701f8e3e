import { elementsOf, isObject, membersOf } from "../spec/json.ts";
import { jsonPointer, pointerKeys } from "../spec/jsonPointer.ts";
import { isReference, methods } from "../spec/openapi.ts";
import { referencedValue } from "../spec/references.ts";

/** A value of a bundle, and the JSON Pointer of where it is. */
export interface Spot {
  readonly document: object;
  readonly pointer: string;
  readonly value: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** The objects in a field of another one, by their names, or by what tells the items of a list apart. */
export type Members = ReadonlyMap<string, Spot>;

/** What an object means to another one that it is in: an offer to consumers, a constraint, an alternative or an explanation. */
export type Part = "offer" | "constraint" | "alternative" | "explanation";
const isPart = (part: Part, ...fields: readonly string[]) => fields.map((field) => [field, part] as const);

/** Fields that hold an object, a map of objects, or a list of them. */
export const parts: ReadonlyMap<string, Part> = new Map([
  ...isPart("offer", ...methods, "requestBody", "parameters", "responses", "content", "headers", "properties"),
  ...isPart("offer", "callbacks", "servers", "flows"),
  ...isPart("constraint", "schema", "encoding", "patternProperties", "dependentSchemas", "prefixItems", "allOf"),
  ...isPart("constraint", "items", "contains", "propertyNames", "then", "else", "contentSchema", "unevaluatedItems"),
  ...isPart("constraint", "additionalProperties", "unevaluatedProperties", "$ref"),
  ...isPart("alternative", "anyOf", "oneOf"),
  ...isPart("explanation", "info", "tags"),
]);
const maps = /^(?:responses|content|headers|properties|callbacks|flows|patternProperties|dependentSchemas|encoding)$/;
export const lists = /^(?:parameters|servers|prefixItems|allOf|anyOf|oneOf|tags)$/;

/** Fields that tell consumers nothing, or are compared elsewhere. */
const mute = /^(?:openapi|paths|webhooks|components|security|version|\$(?:defs|id|schema|anchor|dynamicAnchor)|x-.*)$/;
const compared = /^x-(?:unspecified|extensible-enum|pagination|deprecated-on|sunset)$/;

/** Values that say the same as no value. */
const defaults: Readonly<Record<string, unknown>> = {
  ...{ required: false, deprecated: false, readOnly: false, writeOnly: false, uniqueItems: false },
  ...{ additionalProperties: true, unevaluatedProperties: true, unevaluatedItems: true, items: true },
  ...{ minLength: 0, minItems: 0, minProperties: 0, allowEmptyValue: false, allowReserved: false },
};

/** Lists whose order means nothing. */
const sets = /^(?:required|type|enum|tags|x-extensible-enum|x-unspecified)$/;

/** The fields of an object that tell consumers something: what means the same reads the same. */
export function fieldsOf({ value }: Spot): ReadonlyMap<string, unknown> {
  const parameter = isObject(value) && "in" in value && !("type" in value) ? value : undefined;
  const isTold = ([field, one]: readonly [string, unknown]) => {
    if (one === undefined || (field in defaults && defaults[field] === one)) return false;
    return compared.test(field) || !(mute.test(field) || (parameter !== undefined && /^(?:in|name)$/.test(field)));
  };
  const fields = [...Object.entries(parameter === undefined ? {} : styleOf(parameter)), ...membersOf(value)];
  return new Map(
    fields.filter(isTold).map(([field, one]) => {
      if (!sets.test(field) || !Array.isArray(one) || one.some(isObject)) return [field, one];
      const sorted = elementsOf(one).toSorted();
      return [field, field === "type" && sorted.length === 1 ? sorted[0] : sorted];
    }),
  );
}

/** The style of a parameter's value, which need not be written (OpenAPI 3.1.1, section 4.8.12.2). */
function styleOf({ in: place, style = place === "query" || place === "cookie" ? "form" : "simple" }: Fields): Fields {
  return { style, explode: style === "form" };
}

/** The objects in a field; `undefined` if it holds something else. */
export function membersIn(spot: Spot, field: string, value: unknown): Members | undefined {
  if (!parts.has(field) || typeof value === "boolean") return undefined;
  if (value === undefined) return new Map();
  const at = (one: unknown, ...keys: readonly string[]): Spot => {
    return { document: spot.document, pointer: spot.pointer + jsonPointer([field, ...keys]), value: one };
  };
  if (lists.test(field)) {
    const items = elementsOf(value).map((item, index) => at(item, String(index)));
    // An operation's tags are names.
    return items.every((item) => isObject(item.value))
      ? new Map(items.map((item, index) => [field === "prefixItems" ? String(index) : labelOf(item), item]))
      : undefined;
  }
  if (!maps.test(field)) return new Map([["", at(value)]]);
  const members = membersOf(value).flatMap(([name, one]): [string, Spot][] => {
    if (field !== "callbacks") return [[field === "headers" ? name.toLowerCase() : name, at(one, name)]];
    return membersOf(one).map(([expression, item]) => [`${name} ${expression}`, at(item, name, expression)]);
  });
  return new Map(members);
}

/** What tells an item of a list apart. Names of headers are the same in any case (RFC 9110, section 5.1). */
export function labelOf(spot: Spot): string {
  const { value } = follow(spot);
  const { in: place = "", name, title } = isObject(value) ? value : {};
  if (typeof name === "string") return `${String(place)} ${place === "header" ? name.toLowerCase() : name}`;
  if (isReference(spot.value)) return spot.value.$ref;
  return typeof title === "string" ? title : JSON.stringify(value);
}

/** What a reference leads to. Fields beside it hold too (OpenAPI 3.1.1, section 4.8.23). */
export function follow(spot: Spot): Spot {
  const { document, value } = spot;
  if (!isReference(value)) return spot;
  const { $ref, ...beside } = value;
  const target = follow({ document, pointer: jsonPointer(pointerKeys($ref)), value: referencedValue(document, $ref) });
  if (Object.keys(beside).length === 0 || !isObject(target.value)) return target;
  return { ...spot, value: { ...target.value, ...beside } };
}
