import type { Operation } from "../contract/generation.ts";
import { isObject } from "../values/json.ts";
import { isJson } from "../spec/mediaTypes.ts";
import type { OpenApiDocument, SchemaObject } from "../spec/openapi.ts";
import { applicableSchemas, typesOf } from "../spec/schemas.ts";

/**
 * Where a value has times: `true` for a time, otherwise the places in its properties, or in its items as the
 * only element of an array. The runtime's type `WithDates` reads this form.
 */
type Places = true | readonly [Places] | { readonly [name: string]: Places };

/** The objects and lists of an operation in which places are searched. Schemas that refer to each other have no end of them. */
const maxSchemas = 200;

/**
 * The places of an operation's request with the format `date-time`: in JSON, and in path and query. They are
 * keyed as the operation's type is. `undefined` if there are none. Searches as deep as {@link maxSchemas} allow, and everywhere
 * to the same depth.
 */
export function datePlaces(operation: Operation): Places | undefined {
  let places: Places | undefined;
  for (let depth = 1; ; depth += 1) {
    const search: Search = { document: operation.document, left: maxSchemas, isCut: false };
    const found = placesToDepth(operation, depth, search);
    if (search.left < 0) return places;
    places = found;
    if (!search.isCut) return places;
  }
}

interface Search {
  readonly document: OpenApiDocument;
  /** How many more schemas may be searched. Below 0, nothing is. */
  left: number;
  /** True if there are schemas below the depth. */
  isCut: boolean;
}

function placesToDepth({ parameters, requestBody }: Operation, depth: number, search: Search): Places | undefined {
  const placesOf = (schema: unknown) => placesIn([schema], depth, search);
  const bodies = (requestBody?.content ?? []).filter(({ mediaType }) => isJson(mediaType));
  const content = bodies.map(({ mediaType, schema }) => [mediaType, placesOf(schema)] as const);
  const inUrl = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter.isText)
      .map(({ name, schema }) => [name, placesOf(schema)] as const);
  return collect([
    [
      "parameters",
      collect([
        ["query", collect(inUrl("query"))],
        ["path", collect(inUrl("path"))],
      ]),
    ],
    ["requestBody", collect([["content", collect(content)]])],
  ]);
}

function collect(members: readonly (readonly [name: string, places: Places | undefined])[]): Places | undefined {
  const found = members.flatMap(([name, places]): [string, Places][] => (places === undefined ? [] : [[name, places]]));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/**
 * The places in a value that all given schemas may apply to. A text that is a time for only some of them
 * isn't one. A schema inside itself isn't followed.
 */
function placesIn(
  schemas: readonly unknown[],
  depth: number,
  search: Search,
  around: ReadonlySet<object> = new Set(),
): Places | undefined {
  const applicable = schemas.flatMap((schema) => applicableSchemas(search.document, schema));
  const all = applicable.filter((schema) => !around.has(schema));
  if (all.length === 0) return undefined;
  const texts = all.filter((schema) => typesOf(schema).includes("string"));
  if (texts.length > 0) return texts.every(isTime) ? true : undefined;
  if (depth === 0) {
    search.isCut ||= all.some(({ items, properties }) => items !== undefined || properties !== undefined);
    return undefined;
  }
  search.left -= 1;
  if (search.left < 0) return undefined;
  const inside = new Set([...around, ...all]);
  const placesOf = (parts: readonly unknown[]) => placesIn(parts, depth - 1, search, inside);
  const items = placesOf(all.map(({ items: one }) => one).filter(isObject));
  if (items !== undefined) return [items];
  const properties = all.flatMap((schema) => Object.entries(schema.properties ?? {}));
  const names = [...new Set(properties.map(([name]) => name))];
  const schemasOf = (name: string) => properties.flatMap(([other, schema]) => (other === name ? [schema] : []));
  return collect(names.map((name) => [name, placesOf(schemasOf(name))] as const));
}

/** Listed values have types of their own. */
function isTime(schema: SchemaObject): boolean {
  return schema.format === "date-time" && !("enum" in schema) && !("const" in schema);
}
