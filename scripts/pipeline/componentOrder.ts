import { compareText } from "../contract/text.ts";
import { isDocument, type OpenApiDocument } from "../spec/openapi.ts";
import { isObject } from "../spec/json.ts";

/**
 * The fixed fields of an OpenAPI Object in the order in which readers want them, the longest last. Extensions, and
 * anything else, come in the place of `x-`.
 */
const rootFields = "openapi info jsonSchemaDialect servers security tags externalDocs x- paths webhooks components";

/** The fixed fields of a Components Object, in the specification's order (OpenAPI 3.1.1, section 4.8.7). */
const componentFields =
  "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems x-";

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
  const ordered = Object.fromEntries(sortFields(all, rootFields));
  if (!isDocument(ordered)) throw new Error("the order of its fields changed what a document is");
  return ordered;
}

function sortFields(object: object, order: string): [string, unknown][] {
  const fields = order.split(" ");
  const rank = (key: string) => fields.indexOf(fields.includes(key) ? key : "x-");
  return Object.entries<unknown>({ ...object }).sort(([a], [b]) => rank(a) - rank(b));
}
