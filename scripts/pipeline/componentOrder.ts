import { compareText } from "../contract/generation.ts";
import { isDocument, isObject, type OpenApiDocument } from "../contract/openapi.ts";

/** The fixed fields of an OpenAPI Object, in the order in which readers want them (OpenAPI 3.1.1, section 4.8.1). */
const rootFields = ["openapi", "info", "jsonSchemaDialect", "servers", "security", "tags", "externalDocs"];

/** The longest come last; extensions and anything else stay in between, in the order of the source. */
const lastRootFields = ["paths", "webhooks", "components"];

/** The fixed fields of a Components Object, in the specification's order (OpenAPI 3.1.1, section 4.8.7). */
const componentFields = [
  "schemas",
  "responses",
  "parameters",
  "examples",
  "requestBodies",
  "headers",
  "securitySchemes",
  "links",
  "callbacks",
  "pathItems",
];

/**
 * The same bundle with its fields and components in an order that does not depend on which reference was met first:
 * components by name. Paths and everything below a component keep the order of the source.
 */
export function inStableOrder(document: OpenApiDocument): OpenApiDocument {
  const components = sortKeys(document.components ?? {}, componentFields).map(([field, byName]) => [
    field,
    isObject(byName) ? Object.fromEntries(Object.entries(byName).sort(([a], [b]) => compareText(a, b))) : byName,
  ]);
  const ordered = Object.fromEntries(
    sortKeys(document, rootFields, lastRootFields).map(([field, value]) =>
      field === "components" ? [field, Object.fromEntries(components)] : [field, value],
    ),
  );
  if (!isDocument(ordered)) throw new Error("the order of its fields changed what a document is");
  return ordered;
}

/** The object's entries: the keys in `first` at the beginning, those in `last` at the end, the others unchanged. */
function sortKeys(object: object, first: readonly string[], last: readonly string[] = []): [string, unknown][] {
  const rank = (key: string) => {
    if (first.includes(key)) return first.indexOf(key);
    return last.includes(key) ? first.length + 1 + last.indexOf(key) : first.length;
  };
  return Object.entries<unknown>({ ...object }).sort(([a], [b]) => rank(a) - rank(b));
}
