import { stringsOf } from "../../spec/json.ts";
import { valueAt } from "../../spec/jsonPointer.ts";
import type { OpenApiDocument } from "../../spec/openapi.ts";
import { applicableSchemas, propertySchemas } from "../../spec/schemas.ts";
import { mapObjects } from "../../spec/walk.ts";

/** Properties so marked need not be in a request, or not in a response (OpenAPI 3.1.1, section 4.8.24). */
export type OneWay = "readOnly" | "writeOnly";

/**
 * Copies a schema: its references have the names that `nameOf` gives them and are counted, and it requires no property that
 * is `oneWay`.
 */
export function adaptSchema(
  schema: unknown,
  document: OpenApiDocument,
  oneWay: OneWay,
  nameOf: (reference: string) => string,
): unknown {
  const optionalAt = (keys: readonly string[]): readonly string[] => [
    ...oneWayProperties(valueAt(schema, keys), document, oneWay),
    ...(keys.at(-2) === "allOf" ? optionalAt(keys.slice(0, -2)) : []),
  ];
  return mapObjects(schema, (object, keys) => {
    const { $ref, required } = object;
    const isInternal = typeof $ref === "string" && $ref.startsWith("#");
    const adapted = isInternal ? { ...object, $ref: nameOf($ref), countReference: true } : object;
    if (!Array.isArray(required)) return adapted;
    const optional = new Set(optionalAt(keys));
    return { ...adapted, required: stringsOf(required).filter((name) => !optional.has(name)) };
  });
}

function oneWayProperties(schema: unknown, document: OpenApiDocument, oneWay: OneWay): readonly string[] {
  return [...propertySchemas(document, schema)]
    .filter(([, property]) => applicableSchemas(document, property).some((one) => one[oneWay] === true))
    .map(([name]) => name);
}
