import type { Operation } from "../contract/generation.ts";
import { isObject } from "../spec/json.ts";
import { isJson } from "../spec/mediaTypes.ts";
import type { OpenApiDocument, SchemaObject } from "../spec/openapi.ts";
import { applicableSchemas, typesOf } from "../spec/schemas.ts";

/**
 * Where a value has times: `true` for a time, otherwise the places in its properties, or in its items as the
 * only element of an array. The runtime's type `WithDates` reads this form.
 */
type Places = true | readonly [Places] | { readonly [name: string]: Places };

/**
 * The places of an operation's request with the format `date-time`: in JSON, and in path and query. They are
 * keyed as the operation's type is. `undefined` if there are none.
 */
export function datePlaces({ document, parameters, requestBody }: Operation): Places | undefined {
  const bodies = (requestBody?.content ?? []).filter(({ mediaType }) => isJson(mediaType));
  const content = bodies.map(({ mediaType, schema }) => [mediaType, placesIn(document, [schema])] as const);
  const inUrl = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter.mediaType === undefined)
      .map(({ name, schema }) => [name, placesIn(document, [schema])] as const);
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
  document: OpenApiDocument,
  schemas: readonly unknown[],
  around: ReadonlySet<object> = new Set(),
): Places | undefined {
  const all = schemas.flatMap((schema) => applicableSchemas(document, schema)).filter((schema) => !around.has(schema));
  if (all.length === 0) return undefined;
  const texts = all.filter((schema) => typesOf(schema).includes("string"));
  if (texts.length > 0) return texts.every(isTime) ? true : undefined;
  const inside = new Set([...around, ...all]);
  const items = placesIn(document, all.map(({ items: one }) => one).filter(isObject), inside);
  if (items !== undefined) return [items];
  const properties = all.flatMap((schema) => Object.entries(schema.properties ?? {}));
  const names = [...new Set(properties.map(([name]) => name))];
  const schemasOf = (name: string) => properties.flatMap(([other, schema]) => (other === name ? [schema] : []));
  return collect(names.map((name) => [name, placesIn(document, schemasOf(name), inside)] as const));
}

/** Listed values have types of their own. */
function isTime(schema: SchemaObject): boolean {
  return schema.format === "date-time" && !("enum" in schema) && !("const" in schema);
}
