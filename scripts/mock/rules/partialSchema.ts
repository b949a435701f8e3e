import { getOrCreate } from "../../values/collections.ts";
import { elementsOf, isObject, membersOf, withoutMembers } from "../../values/json.ts";
import { isSchema, type OpenApiDocument, type SchemaObject } from "../../spec/openapi.ts";
import { mapObjects } from "../../spec/walk.ts";

/** Keywords that a part of a value can break although the whole value doesn't. */
const wholeKeywords = ["required", "minProperties", "uniqueItems", "oneOf"];

/**
 * Changes a schema to one for parts of its values, which may lack members of objects. Its references lead into
 * {@link partialDocument}.
 */
export function partialSchema(schema: SchemaObject): SchemaObject {
  const relaxed = mapObjects(schema, relax);
  return isSchema(relaxed) ? relaxed : {};
}

const documents = new WeakMap<OpenApiDocument, OpenApiDocument>();

/** A copy of a document in which components have the schemas of {@link partialSchema}. */
export function partialDocument(document: OpenApiDocument): OpenApiDocument {
  return getOrCreate(documents, document, () => ({
    ...document,
    ...{
      components: Object.fromEntries(
        membersOf(document.components).map(([kind, all]) => [kind, mapObjects(all, relax, [], true)]),
      ),
    },
  }));
}

function relax(schema: Readonly<Record<string, unknown>>): unknown {
  const { oneOf, allOf, enum: values, const: only } = schema;
  const compared = [...elementsOf(values), only].some((value) => isObject(value) || Array.isArray(value));
  const rest = withoutMembers(schema, compared ? [...wholeKeywords, "enum", "const"] : wholeKeywords);
  return Array.isArray(oneOf) && isObject(rest) ? { ...rest, allOf: [...elementsOf(allOf), { anyOf: oneOf }] } : rest;
}
