import { compareText } from "../contract/text.ts";
import { isDocument, type OpenApiDocument } from "../spec/openapi.ts";
import { isObject } from "../spec/json.ts";

/**
 * The fixed fields of an OpenAPI Object in the order in which readers want them, the longest last. Extensions, and
 * anything else, come before the paths.
 */
const rootFields = ["openapi", "info", "jsonSchemaDialect", "servers", "security", "tags", "externalDocs"];
const lastRootFields = ["paths", "webhooks", "components"];

/** The fixed fields of a Components Object, in the specification's order (OpenAPI 3.1.1, section 4.8.7). */
const componentFields =
  "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems".split(" ");

/**
 * The same bundle with its fields and components in an order that does not depend on which reference was met first:
 * components by name. Paths and everything below a component keep the order of the source.
 */
export function inStableOrder({ components = {}, ...document }: OpenApiDocument): OpenApiDocument {
  const sections = sortFields(components, componentFields).map(([section, named]): [string, unknown] => [
    section,
    isObject(named) ? Object.fromEntries(Object.entries(named).sort(([a], [b]) => compareText(a, b))) : named,
  ]);
  const all = { ...document, components: Object.fromEntries<unknown>(sections) };
  const fields = sortFields(all, rootFields, lastRootFields);
  const ordered = Object.fromEntries(fields);
  if (!isDocument(ordered)) throw new Error("the order of its fields changed what a document is");
  return ordered;
}

/** An object's fields: those in `first` at the beginning, those in `last` at the end, the others unchanged. */
function sortFields(object: object, first: readonly string[], last: readonly string[] = []): [string, unknown][] {
  const rank = (key: string) => {
    const place = [...first, "", ...last].indexOf(key);
    return place === -1 ? first.length : place;
  };
  return Object.entries<unknown>({ ...object }).sort(([a], [b]) => rank(a) - rank(b));
}
