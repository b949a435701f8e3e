import { elementsOf, isObject, stringsOf, valueAt } from "../values/json.ts";
import { isDocument, isSchema, type OpenApiDocument } from "../spec/openapi.ts";
import { describingSchemas, propertySchemas } from "../spec/schemas.ts";
import { mapObjects } from "../spec/walk.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Copies a document so that each schema has the properties that it requires. openapi-typescript (7.13) knows a property as
 * required only where it is described, or directly beside an `allOf`, but another part of the `allOf` may require it.
 */
export function withRequiredProperties(document: OpenApiDocument): OpenApiDocument {
  const copy = mapObjects(document, (object, keys) => {
    const mayRequire = Array.isArray(object["required"]) || Array.isArray(object["allOf"]);
    // The schema around a part of an `allOf` has all of its properties.
    const isPart = keys.at(-2) === "allOf";
    return mayRequire && !isPart ? withOwnProperties(document, object, valueAt(document, keys)) : object;
  });
  return isDocument(copy) ? copy : document;
}

/** `object` is the copy of the schema. */
function withOwnProperties(document: OpenApiDocument, object: Members, schema: unknown): Members {
  if (!isSchema(schema)) return object;
  const parts = describingSchemas(document, schema);
  const isKnown = (name: string) =>
    parts.some(
      ({ required = [], properties = {} }) => stringsOf(required).includes(name) && Object.hasOwn(properties, name),
    );
  const all = propertySchemas(document, schema);
  const required = new Set(parts.flatMap((one) => stringsOf(one.required)));
  const missing = [...required].filter((name) => !isKnown(name));
  const others = parts.map((one) => one.additionalProperties).find(isObject) ?? {};
  const { allOf, properties, required: own, type, additionalProperties, ...rest } = object;
  const part = {
    ...(type !== undefined && { type }),
    ...(additionalProperties !== undefined && { additionalProperties }),
    properties: {
      ...(isObject(properties) && properties),
      ...Object.fromEntries(missing.map((name) => [name, all.get(name) ?? others])),
    },
    required: [...stringsOf(own), ...missing],
  };
  if (allOf === undefined) return missing.length === 0 ? object : { ...rest, ...part };
  const isEmpty = Object.keys(part.properties).length === 0 && additionalProperties === undefined;
  return { ...rest, allOf: [...elementsOf(allOf), ...(isEmpty ? [] : [part])] };
}
