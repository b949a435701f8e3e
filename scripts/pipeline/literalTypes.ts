import { isObject, membersOf } from "../spec/json.ts";
import { isReference, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { resolveSchema } from "../spec/references.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { isOfType, typesOf } from "../spec/schemas.ts";

/**
 * Makes a function that tells whether the compiler takes a value, written as a literal, for what openapi-typescript (7.13)
 * makes of a schema. It says no wherever that is not certain: an example can be wrong, can have members that its type does
 * not list, or be valid by rules that types cannot express.
 */
export function createLiteralCheck(document: OpenApiDocument): (schema: SchemaObject, value: unknown) => boolean {
  // A discriminator gives its property another type than the property's schema does.
  const names = JSON.stringify(document).matchAll(/"discriminator":\{"propertyName":"([^"\\]+)"/g);
  const discriminating = new Set(Array.from(names, ([, name = ""]) => name));

  const fits = (schema: SchemaObject | boolean | undefined, value: unknown): boolean => {
    if (schema === undefined || typeof schema === "boolean") return schema !== false;
    // Its type is that of what it refers to.
    if (isReference(schema) && !isUntyped({ ...schema, $ref: undefined })) return false;
    const { anyOf, ...described } = resolveSchema(document, schema);
    if (anyOf !== undefined) return isUntyped(described) && anyOf.some((one) => listsMembers(one) && fits(one, value));
    const { const: only, enum: listed = only === undefined ? undefined : [only], ...open } = described;
    if (listed !== undefined) return listed.some((one) => one === value);
    const { type, items, properties = {}, required = [], additionalProperties, maxProperties, ...others } = open;
    if (!isUntyped(others)) return false;
    const types = typesOf({ type });
    if (types.length > 0 && !types.some((one) => isOfType(value, one))) return false;
    if (Array.isArray(value)) return value.every((item) => fits(items, item));
    if (!isObject(value) || isUntyped(described)) return true;
    if (maxProperties === 0) return Object.keys(value).length === 0;
    const isMap = Object.keys(properties).length === 0;
    // In a type, a listed member is one of the others, too.
    if (!isMap && isObject(additionalProperties)) return false;
    const isListed = (name: string) => Object.hasOwn(properties, name);
    const schemaOf = (name: string) =>
      isListed(name) ? properties[name] : isMap ? additionalProperties : additionalProperties === true;
    return (
      required.every((name) => (isMap || isListed(name)) && Object.hasOwn(value, name)) &&
      membersOf(value).every(([name, member]) => !discriminating.has(name) && fits(schemaOf(name), member))
    );
  };
  /** The type of an object that may have any members takes no literal, where it is one of several. */
  const listsMembers = (schema: SchemaObject) => {
    const { properties, additionalProperties } = resolveSchema(document, schema);
    return properties !== undefined && additionalProperties === undefined;
  };
  return fits;
}
