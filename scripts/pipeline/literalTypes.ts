import { isObject, membersOf } from "../spec/json.ts";
import { isReference, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { resolveSchema } from "../spec/references.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { typesOf } from "../spec/schemas.ts";

/** Keywords whose types, as openapi-typescript (7.13) writes them, a valid value may still not fit as a literal. */
const uncertain = [
  ...["allOf", "discriminator", "not", "if", "prefixItems", "patternProperties", "$dynamicRef"],
  ...["unevaluatedProperties", "unevaluatedItems"],
];

/**
 * Makes a function that tells whether the compiler takes a value, written as a literal, for the type of a schema. It says
 * no wherever that is not certain: an example can be wrong, have members that its type does not list, or be valid by
 * rules that types cannot express.
 */
export function createLiteralCheck(document: OpenApiDocument): (schema: SchemaObject, value: unknown) => boolean {
  // The type of what a discriminator's property is in is not the one that its schema says.
  const names = JSON.stringify(document).matchAll(/"discriminator":\{"propertyName":("(?:[^"\\]|\\.)*")/g);
  const discriminating = new Set(Array.from(names, ([, name = '""']): unknown => JSON.parse(name)));

  const fits = (schema: SchemaObject | boolean | undefined, value: unknown): boolean => {
    if (schema === undefined || typeof schema === "boolean") return schema !== false;
    // Its type is the referenced one alone.
    if (isReference(schema) && !isUntyped({ ...schema, $ref: undefined })) return false;
    const resolved = resolveSchema(document, schema);
    if (uncertain.some((keyword) => keyword in resolved)) return false;
    const keyword = resolved.anyOf === undefined ? "oneOf" : "anyOf";
    const alternatives = resolved[keyword];
    if (alternatives !== undefined) {
      const isAll = isUntyped({ ...resolved, [keyword]: undefined });
      return isAll && alternatives.some((one) => listsMembers(one) && fits(one, value));
    }
    if (resolved.const !== undefined) return resolved.const === value;
    if (resolved.enum !== undefined) return resolved.enum.some((one) => one === value);
    const types = typesOf(resolved);
    if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false;
    if (Array.isArray(value)) return value.every((item) => fits(resolved.items, item));
    return !isObject(value) || isUntyped(resolved) || hasMembers(resolved, value);
  };
  /** An alternative that allows any member has a type of its own, which takes no literal. */
  const listsMembers = (schema: SchemaObject) => {
    const { type, properties, additionalProperties } = resolveSchema(document, schema);
    return additionalProperties === undefined && (properties !== undefined || !typesOf({ type }).includes("object"));
  };
  const hasMembers = (schema: SchemaObject, value: Readonly<Record<string, unknown>>) => {
    const { properties = {}, required = [], additionalProperties } = schema;
    const isMap = Object.keys(properties).length === 0;
    // A listed property has to be of the type of the others, too.
    if (!isMap && isObject(additionalProperties)) return false;
    const others = isMap ? additionalProperties : additionalProperties === true;
    return (
      required.every((name) => Object.hasOwn(value, name) && (isMap || Object.hasOwn(properties, name))) &&
      membersOf(value).every(
        ([name, member]) =>
          !discriminating.has(name) && fits(Object.hasOwn(properties, name) ? properties[name] : others, member),
      )
    );
  };
  return fits;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === (type === "integer" ? "number" : type);
}
