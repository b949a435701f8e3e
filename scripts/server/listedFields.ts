import { describeBody, type DescribedValue } from "../exchange/describedValues.ts";
import { isOpen } from "../exchange/judgeResponse.ts";
import { unspecifiedOf, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { applicableSchemas, typesOf } from "../spec/schemas.ts";
import { isObject, jsonPointer, membersOf, valueAt } from "../values/json.ts";

/**
 * Removes the fields that the contract doesn't list from a value that is nobody else's. Returns JSON Pointers to them, with
 * `*` for the items of lists.
 */
export function removeUnlisted(document: OpenApiDocument, value: unknown, schema: unknown): readonly string[] {
  const pointers = new Set<string>();
  for (const described of describeBody(document, value, schema)) {
    for (const name of unlistedNames(document, described)) {
      pointers.add(described.path + jsonPointer([name]));
      if (isObject(described.value)) Reflect.deleteProperty(described.value, name);
    }
  }
  return [...pointers];
}

/**
 * The names of the fields of an object that no schema lists. None if a schema allows others explicitly, if no schema lists
 * any, or if the contract leaves open which there are.
 */
function unlistedNames(document: OpenApiDocument, { value, schemas }: DescribedValue): readonly string[] {
  const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)));
  if (names.size === 0 || schemas.some((schema) => allowsOthers(schema) || hasOpenFields(document, schema))) return [];
  return membersOf(value).flatMap(([name]) => (names.has(name) ? [] : [name]));
}

function allowsOthers(schema: SchemaObject): boolean {
  const settling = ["additionalProperties", "unevaluatedProperties", "patternProperties", "dependentSchemas"];
  return settling.some((keyword) => (valueAt(schema, [keyword]) ?? false) !== false);
}

/** Returns whether the fields of an object, or those of an alternative, aren't specified. */
function hasOpenFields(document: OpenApiDocument, schema: SchemaObject): boolean {
  const { anyOf = [], oneOf = [] } = schema;
  const isOpenAlternative = (alternative: unknown) => {
    const applicable = applicableSchemas(document, alternative);
    if (applicable.some(({ properties }) => properties !== undefined)) return false;
    return isOpen(document, alternative) || applicable.some((one) => typesOf(one).includes("object"));
  };
  return unspecifiedOf(schema).includes("fields") || [...anyOf, ...oneOf].some(isOpenAlternative);
}
