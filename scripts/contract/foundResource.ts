/** Finds the resource or the list in a body, and the properties that the body shows. */
import { isSchema, resolveSchema, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { componentName, describingSchemas, isVisible, propertySchemas, typesOf } from "../spec/schemas.ts";

/** The description of a resource in a body, or of each one in a list. */
export interface FoundResource {
  readonly document: OpenApiDocument;
  /** The keys that lead to the resource, or to the list. */
  readonly location: readonly string[];
  readonly isList: boolean;
  /** The schema of the resource, or of each one in the list, with references resolved. */
  readonly schema: SchemaObject;
  /** The schemas of the properties that responses have. */
  readonly schemas: ReadonlyMap<string, SchemaObject>;
  readonly required: ReadonlySet<string>;
  /** The properties whose values are neither objects nor arrays. */
  readonly scalars: ReadonlySet<string>;
  /** The property that identifies the resource, if one does. */
  readonly key: string | undefined;
  /** The name of the schema, if it is a component. */
  readonly component: string | undefined;
}

interface NestedSchema {
  /** The keys that lead to it. */
  readonly location: readonly string[];
  readonly schema: SchemaObject;
}

/**
 * Finds the list in a body. Returns `undefined` if there is none. `parameters` are the path parameters that
 * may identify its items.
 */
export function findShownList(
  document: OpenApiDocument,
  body: SchemaObject,
  parameters: readonly string[],
): FoundResource | undefined {
  const list = findList(document, body);
  return list && { ...describeResource(document, list, parameters), isList: true };
}

/** Returns whether a body is or contains a list of resources. */
export function isListSchema(document: OpenApiDocument, body: SchemaObject): boolean {
  return findList(document, body) !== undefined;
}

/** Finds the resource in a body. `sent` are the properties of the request. */
export function findShownResource(
  document: OpenApiDocument,
  body: SchemaObject,
  parameters: readonly string[],
  sent: ReadonlyMap<string, SchemaObject>,
): FoundResource | undefined {
  const candidates = nestedObjects(document, body).map((nested) => describeResource(document, nested, parameters));
  const likely = findLikeliest(candidates, sent);
  if (likely !== undefined) return likely;
  // An object with neither an identifier nor fields of the request is an envelope if it has a single member
  // that is an object with fields.
  const inner = candidates.filter(({ location }) => location.length === 1);
  return inner.length === 1 ? inner[0] : candidates[0];
}

/**
 * The object with an identifier, or else the one with the most fields of the request. Of several, the
 * outermost.
 */
function findLikeliest(
  candidates: readonly FoundResource[],
  sent: ReadonlyMap<string, SchemaObject>,
): FoundResource | undefined {
  const rated = candidates.map((found) => ({
    found,
    hasKey: found.key !== undefined,
    sharedFields: [...found.schemas.keys()].filter((name) => sent.has(name)).length,
    depth: found.location.length,
  }));
  const [best] = rated.toSorted(
    (a, b) => Number(b.hasKey) - Number(a.hasKey) || b.sharedFields - a.sharedFields || a.depth - b.depth,
  );
  return best !== undefined && (best.hasKey || best.sharedFields > 0) ? best.found : undefined;
}

function describeResource(
  document: OpenApiDocument,
  { location, schema }: NestedSchema,
  parameters: readonly string[],
): FoundResource {
  const shown = [...propertySchemas(document, schema)].filter(([, one]) => isVisible(document, one, "response"));
  const scalars = new Set(shown.filter(([, property]) => !isContainer(document, property)).map(([name]) => name));
  return {
    document,
    location,
    isList: false,
    schema: resolveSchema(document, schema),
    schemas: new Map(shown),
    required: new Set(describingSchemas(document, schema).flatMap((part) => part.required ?? [])),
    scalars,
    key: [...parameters.flatMap(keyNames), "id"].find((name) => scalars.has(name)),
    component: componentName(schema),
  };
}

function isContainer(document: OpenApiDocument, schema: SchemaObject): boolean {
  const types = typesOf(resolveSchema(document, schema));
  return types.includes("object") || types.includes("array") || propertySchemas(document, schema).size > 0;
}

/**
 * The properties that may have the value of a path parameter such as `bookingUid` or `team_id`, the likeliest
 * first.
 */
export function keyNames(parameter: string): readonly string[] {
  const [last = ""] = /[A-Z]?[a-z\d]*$/.exec(parameter) ?? [];
  return [parameter, last.toLowerCase(), "id"];
}

/** A schema and the objects with properties inside it, two levels deep, outer ones first. */
function nestedObjects(document: OpenApiDocument, root: SchemaObject): readonly NestedSchema[] {
  const inside = ({ location, schema }: NestedSchema): readonly NestedSchema[] =>
    [...propertySchemas(document, schema)]
      .filter(([, property]) => propertySchemas(document, property).size > 0)
      .map(([name, property]) => ({ location: [...location, name], schema: property }));
  const whole = { location: [], schema: root };
  const first = inside(whole);
  return [whole, ...first, ...first.flatMap(inside)];
}

/**
 * The items of the list in a body. The body is the list, or has exactly one member that is an array of
 * objects. Empty for a resource.
 */
function findList(document: OpenApiDocument, root: SchemaObject): NestedSchema | undefined {
  const listAt = (schema: SchemaObject, ...location: readonly string[]): readonly NestedSchema[] => {
    const { items } = resolveSchema(document, schema);
    return isSchema(items) && propertySchemas(document, items).size > 0 ? [{ location, schema: items }] : [];
  };
  const [own] = listAt(root);
  if (own !== undefined) return own;
  const properties = propertySchemas(document, root);
  const lists = [...properties].flatMap(([name, schema]) => listAt(schema, name));
  return properties.has("id") || lists.length !== 1 ? undefined : lists[0];
}
