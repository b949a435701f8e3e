import {
  elementsOf,
  equalJson,
  isObject,
  jsonPointer,
  mapMembers,
  objectsOf,
  pointerKeys,
  valueAt,
} from "../values/json.ts";
import { isReference } from "./openapi.ts";
import { isUntyped, mapSchemas } from "./schemaKeywords.ts";
import { typesOf } from "./schemas.ts";
import { isDescribed, isNameMap } from "./walk.ts";

type Schema = Readonly<Record<string, unknown>>;
type Member = readonly [keyword: string, value: unknown];

/** The keywords of OpenAPI 3.0 (3.0.4, section 4.7.24). Others mean nothing there, although some do in 3.1. */
const keywords30 = new Set([
  ..."title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern".split(" "),
  ..."maxItems minItems uniqueItems maxProperties minProperties required enum type allOf oneOf anyOf not".split(" "),
  ..."items properties additionalProperties description format default nullable discriminator readOnly".split(" "),
  ..."writeOnly xml externalDocs example deprecated".split(" "),
]);

/** Keywords that describe a value, whichever alternative it has. */
const annotations =
  "title description default deprecated readOnly writeOnly xml externalDocs examples x-unspecified".split(" ");

/** Recognizes an OpenAPI 3.0 description by its top level. */
export function isDocument30(value: unknown): value is Schema {
  return isObject(value) && typeof value["openapi"] === "string" && value["openapi"].startsWith("3.0.");
}

/**
 * Converts a bundle from OpenAPI 3.0 to OpenAPI 3.1, which all other code reads. Only keywords of schemas and
 * references differ. What an object is depends on its place: a property named `nullable`, and data in
 * examples, stay as they are. So do the formats `binary` and `byte`, which 3.1 has too.
 */
export function upgradeDocument(document: Schema): Schema {
  const upgradeReference = (reference: string) => moveReference(document, reference);

  const upgradePart = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(upgradePart);
    // OpenAPI 3.0 ignores what is beside a reference (3.0.4, section 4.7.23), and 3.1 doesn't.
    if (isReference(value)) return { $ref: upgradeReference(value.$ref) };
    return isObject(value) ? mapMembers(value, upgradeField) : value;
  };

  const upgradeField = (value: unknown, name: string): unknown => {
    if (!isDescribed(name, value)) return value;
    if (name === "schema") return upgradeSchema(value);
    if (!isNameMap(name, value)) return upgradePart(value);
    return mapMembers(value, name === "schemas" ? upgradeSchema : upgradePart);
  };

  const upgradeSchema = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema;
    if (isReference(schema)) return withNull(schema, { $ref: upgradeReference(schema.$ref) });
    const members = mapMembers(upgradeKeywords(schema), (value, keyword) => {
      // What is left of `nullable: true` says nothing.
      const isKept = (part: unknown) => keyword !== "allOf" || !equalJson(part, { nullable: true });
      return mapSchemas(keyword, Array.isArray(value) ? value.filter(isKept) : value, upgradeSchema);
    });
    return withNull(schema, members);
  };

  return mapMembers({ ...document, openapi: "3.1.1" }, upgradeField);
}

/** Converts the keywords of a schema from OpenAPI 3.0 to 3.1. The schemas in it stay as they are. */
export function upgradeKeywords(schema: Schema): Schema {
  const isNullable = schema["nullable"] === true && !needsAlternative(schema);
  const upgrade = (keyword: string, value: unknown): readonly Member[] => {
    switch (keyword) {
      case "nullable":
        return [];
      case "type":
        return [[keyword, isNullable ? [...new Set([...typesOf(schema), "null"])] : value]];
      case "enum":
        return [[keyword, isNullable ? [...new Set([...elementsOf(value), null])] : value]];
      case "minimum":
        return [[schema["exclusiveMinimum"] === true ? "exclusiveMinimum" : keyword, value]];
      case "maximum":
        return [[schema["exclusiveMaximum"] === true ? "exclusiveMaximum" : keyword, value]];
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        return typeof value === "boolean" ? [] : [[keyword, value]];
      case "example":
        return [["examples", [value]]];
      case "format":
        return value === "base64" ? [["contentEncoding", value]] : [[keyword, value]];
      default:
        return keywords30.has(keyword) || keyword.startsWith("x-") ? [[keyword, value]] : [];
    }
  };
  return Object.fromEntries(Object.entries(schema).flatMap(([keyword, value]) => upgrade(keyword, value)));
}

/**
 * Returns whether a schema allows `null` although no `type` or `enum` of its own can say so. OpenAPI 3.0
 * (3.0.4, section 4.7.24.2) defines `nullable` only beside `type`, but it is written beside references and
 * combinations too. Without the `null`, types would promise a value.
 */
function needsAlternative(schema: Schema): boolean {
  const isOnlyNullable = (part: Schema) => part["nullable"] === true && isUntyped(part);
  if (schema["nullable"] !== true && !objectsOf(schema["allOf"]).some(isOnlyNullable)) return false;
  const isCombined = ["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => keyword in schema);
  return isCombined || !("type" in schema || "enum" in schema || isUntyped(schema));
}

/** Adds `null` as an alternative to an upgraded schema, if the schema as written needs it. */
function withNull(written: Schema, upgraded: Schema): Schema {
  if (!needsAlternative(written)) return upgraded;
  const members = Object.entries(upgraded);
  const outside = members.filter(([keyword]) => annotations.includes(keyword));
  const inside = members.filter(([keyword]) => !annotations.includes(keyword));
  return { ...Object.fromEntries(outside), anyOf: [Object.fromEntries(inside), { type: "null" }] };
}

/** Corrects a reference into a schema whose members have moved into an alternative beside `null`. */
function moveReference(document: Schema, reference: string): string {
  if (!reference.startsWith("#")) return reference;
  const keys = pointerKeys(reference);
  const moved = keys.flatMap((key, index) => {
    const holder = valueAt(document, keys.slice(0, index));
    return isObject(holder) && needsAlternative(holder) ? ["anyOf", "0", key] : [key];
  });
  return moved.length === keys.length ? reference : `#${jsonPointer(moved)}`;
}
