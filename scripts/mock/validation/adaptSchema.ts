import { elementsOf, isObject, stringsOf } from "../../spec/json.ts";
import { isReference, type OpenApiDocument } from "../../spec/openapi.ts";
import { followReference } from "./subschemas.ts";

/** Properties so marked need not be in a request, or not in a response (OpenAPI 3.1.1, section 4.8.24). */
export type OneWay = "readOnly" | "writeOnly";

/** What references in an adapted schema begin with. */
export const bundle = "bundle";

const maps = new Set(["$defs", "dependentSchemas", "patternProperties", "properties"]);
const literals = new Set(["const", "default", "enum", "example", "examples"]);

/** Copies a schema: its references name the bundle, and it requires no property that is `oneWay`. */
export function adaptSchema(
  schema: unknown,
  document: OpenApiDocument,
  oneWay: OneWay,
  inherited: ReadonlySet<string> = new Set(),
): unknown {
  if (Array.isArray(schema)) return schema.map((one) => adaptSchema(one, document, oneWay, inherited));
  if (!isObject(schema)) return schema;
  const optional = new Set([...inherited, ...namesOf(schema, document, oneWay)]);
  const adapt = (key: string, value: unknown): unknown => {
    if (key === "$schema") return undefined;
    if (literals.has(key)) return value;
    if (key === "$ref" && typeof value === "string" && value.startsWith("#")) return `${bundle}${value}`;
    if (key === "required" && Array.isArray(value)) return stringsOf(value).filter((name) => !optional.has(name));
    if (!maps.has(key) || !isObject(value)) {
      return adaptSchema(value, document, oneWay, key === "allOf" ? optional : undefined);
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, adaptSchema(one, document, oneWay)] as const),
    );
  };
  return Object.fromEntries(
    Object.entries(schema)
      .map(([key, value]) => [key, adapt(key, value)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** The properties that are `oneWay`, of a schema and of those that it combines. */
function namesOf(schema: unknown, document: OpenApiDocument, oneWay: OneWay, depth = 0): readonly string[] {
  if (!isObject(schema) || depth > 8) return [];
  const { properties, allOf } = schema;
  const own = Object.entries(isObject(properties) ? properties : {}).filter(([, property]) => {
    const target = isReference(property) ? followReference(property.$ref, document) : undefined;
    return [property, target].some((one) => isObject(one) && one[oneWay] === true);
  });
  const target = isReference(schema) ? [followReference(schema.$ref, document)] : [];
  const combined = [...target, ...elementsOf(allOf)];
  return [...own.map(([name]) => name), ...combined.flatMap((one) => namesOf(one, document, oneWay, depth + 1))];
}
