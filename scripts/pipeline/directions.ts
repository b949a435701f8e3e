import { reachable, getOrCreate } from "../values/collections.ts";
import { elementsOf, isObject, stringsOf, valueAt } from "../values/json.ts";
import { isDocument, isReference, isSchema, type OpenApiDocument } from "../spec/openapi.ts";
import { describingSchemas, hiding, markedProperties, type Direction } from "../spec/schemas.ts";
import { mapObjects, referencesIn, walk } from "../spec/walk.ts";
import { componentAt, createNames } from "./moduleText.ts";

type Members = Readonly<Record<string, unknown>>;

/** A document, and the names that components have in requests. */
interface Directed {
  readonly document: OpenApiDocument;
  readonly requestNames: ReadonlyMap<string, string>;
}

/**
 * Copies a document, and takes from `required` what `readOnly` makes optional in requests, and `writeOnly` in responses.
 * A component with different forms in requests and responses keeps its name in responses, and gets a second one in
 * requests. Returns the document itself if it has no such properties.
 */
export function withDirections(document: OpenApiDocument): OpenApiDocument {
  const isMarked = (value: unknown) => isObject(value) && Object.values(hiding).some((mark) => value[mark] === true);
  const values = [...walk(document)].map(({ value }) => value);
  if (!values.some(isMarked) || !values.some((value) => hidesAny(document, value))) return document;
  const schemas = document.components?.schemas ?? {};
  const [sent, received] = [usedComponents(document, "request"), usedComponents(document, "response")];
  const nameOf = createNames(Object.keys(schemas));
  const doubled = differingComponents(document).filter((name) => sent.has(name) && received.has(name));
  const directed = { document, requestNames: new Map(doubled.map((name) => [name, nameOf(`${name}Request`)])) };
  const formIn = (direction: Direction, name: string) => {
    const change = (object: Members, keys: readonly string[]) => formOf(directed, object, keys, direction);
    return mapObjects(schemas[name], change, ["components", "schemas", name]);
  };
  const forms = Object.keys(schemas).flatMap((name): [string, unknown][] => {
    const other = directed.requestNames.get(name);
    const own = formIn(sent.has(name) && !received.has(name) ? "request" : "response", name);
    if (other === undefined) return [[name, own]];
    return [
      [name, own],
      [other, formIn("request", name)],
    ];
  });
  const copy = mapObjects(document, (object, keys) => {
    if (keys.length === 1 && keys[0] === "components") return { ...object, schemas: Object.fromEntries(forms) };
    const direction = directionAt(keys);
    return direction === undefined ? object : formOf(directed, object, keys, direction);
  });
  return isDocument(copy) ? copy : document;
}

/** The form of an object of a description in a direction. Its parts have theirs. */
function formOf({ document, requestNames }: Directed, object: Members, keys: readonly string[], direction: Direction) {
  if (isReference(object)) {
    const name = direction === "request" ? requestNames.get(componentAt(object.$ref) ?? "") : undefined;
    return name === undefined ? object : { ...object, $ref: `#/components/schemas/${name}` };
  }
  const hidden = hiddenRequired(document, valueAt(document, keys), direction);
  return hidden.size === 0 ? object : withoutRequired(object, hidden);
}

/** The properties that a schema or its parts require, but not in a direction. */
function hiddenRequired(document: OpenApiDocument, schema: unknown, direction: Direction): ReadonlySet<string> {
  if (!isSchema(schema) || !["required", "allOf"].some((keyword) => Array.isArray(valueAt(schema, [keyword]))))
    return new Set();
  const required = describingSchemas(document, schema).flatMap((one) => stringsOf(one.required));
  return new Set(markedProperties(document, schema, hiding[direction]).filter((name) => required.includes(name)));
}

function hidesAny(document: OpenApiDocument, schema: unknown): boolean {
  return (["request", "response"] as const).some((direction) => hiddenRequired(document, schema, direction).size > 0);
}

/** A schema that doesn't require some properties. Those of references have their own form. */
function withoutRequired(schema: unknown, names: ReadonlySet<string>): unknown {
  if (!isObject(schema) || isReference(schema)) return schema;
  const { required, allOf, ...others } = schema;
  const kept = stringsOf(required).filter((name) => !names.has(name));
  return {
    ...others,
    ...(required !== undefined && { required: kept }),
    ...(allOf !== undefined && { allOf: elementsOf(allOf).map((part) => withoutRequired(part, names)) }),
  };
}

/** The components with other forms in requests than in responses, or with references to such. */
function differingComponents(document: OpenApiDocument): readonly string[] {
  const referrers = new Map<string, string[]>();
  const differing: string[] = [];
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    for (const other of referencesIn(schema)) getOrCreate(referrers, componentAt(other) ?? "", () => []).push(name);
    if ([...walk(schema)].some(({ value }) => hidesAny(document, value))) differing.push(name);
  }
  return [...reachable(differing, (name) => referrers.get(name) ?? [])];
}

/** The components among the schemas that values in a direction consist of. */
function usedComponents(document: OpenApiDocument, direction: Direction): ReadonlySet<string> {
  const references = new Set<string>();
  mapObjects(document, (object, keys) => {
    if (isReference(object) && directionAt(keys) === direction) references.add(object.$ref);
    return object;
  });
  const schemas = document.components?.schemas ?? {};
  const all = reachable(references, (one) => referencesIn(schemas[componentAt(one) ?? ""]));
  return new Set([...all].flatMap((one) => componentAt(one) ?? []));
}

const sections = new Map<string | undefined, Direction>([
  ["parameters", "request"],
  ["requestBody", "request"],
  ["requestBodies", "request"],
  ["responses", "response"],
  ["headers", "response"],
]);

/** The direction of the values that a part of a description is about. `undefined` if it may be either. */
function directionAt(keys: readonly string[]): Direction | undefined {
  const [root, section] = keys;
  const isPathItem = root === "components" && section === "pathItems";
  if (root === "components" && !isPathItem) return sections.get(section);
  const [field, inner] = keys.slice(isPathItem ? 3 : 2);
  const direction = sections.get(field === "parameters" ? field : inner);
  // The service sends what consumers' webhooks receive.
  const opposite = direction === "request" ? "response" : "request";
  return root === "webhooks" && direction !== undefined ? opposite : direction;
}
