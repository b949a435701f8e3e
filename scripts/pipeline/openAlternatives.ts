import { mapObjects } from "../spec/walk.ts";
import { resolveSchema } from "../spec/references.ts";
import { elementsOf, isObject, mapMembers } from "../spec/json.ts";
import { typesOf } from "../spec/schemas.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { isSchema, type OpenApiDocument } from "../spec/openapi.ts";

/** Marks, in what {@link closeAlternatives} returns, an object of which no field is specified. */
export const unspecifiedFields = "x-unspecified-fields";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The same part of a document with those alternatives closed that allow any field, where another one has fields of its
 * own: if one type of a union allows any field, the compiler overlooks misspelt and mistyped fields of the others.
 */
export function closeAlternatives(part: unknown, document: OpenApiDocument): unknown {
  const close = (alternatives: readonly unknown[]) => {
    const schemas = alternatives.map((schema): Schema =>
      isSchema(schema) ? { ...resolveSchema(document, schema) } : {},
    );
    return schemas.map((schema, index) => {
      const hasSibling = schemas.some((other) => other !== schema && hasFields(other));
      return hasSibling && isOpen(schema) ? closedSchema(schema) : alternatives[index];
    });
  };
  return mapObjects(part, (object) =>
    mapMembers(object, (value, keyword) =>
      keyword === "anyOf" || keyword === "oneOf" ? close(elementsOf(value)) : value,
    ),
  );
}

/** Without its own limits on other fields, an object with listed fields is as good as closed in openapi-typescript (7.13). */
function isOpen(schema: Schema): boolean {
  const { type, additionalProperties = !hasFields(schema) } = schema;
  const allowsAny = isObject(additionalProperties) ? isUntyped(additionalProperties) : additionalProperties === true;
  return typesOf({ type }).includes("object") && allowsAny;
}

function hasFields(schema: Schema): boolean {
  return ["properties", "allOf", "anyOf", "oneOf"].some((keyword) => keyword in schema);
}

function closedSchema(schema: Schema): Schema {
  if (!hasFields(schema)) return { type: schema["type"], [unspecifiedFields]: true };
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== "additionalProperties"));
}
