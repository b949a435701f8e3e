import { isListSchema } from "../contract/foundResource.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { isReference, isSchema, type SchemaObject } from "../spec/openapi.ts";
import { isDefaultStatus, isSuccessStatus } from "../spec/statusKeys.ts";
import { mapObjects } from "../spec/walk.ts";
import { jsonPointer, lastKey, membersOf, valueAt } from "../values/json.ts";
import { distinctName } from "../values/text.ts";

/**
 * Follows the reference at a place of the sources, if there is one, to an object. References in it are relative to its own
 * place. Returns `undefined` if there is none.
 */
type Follow<At> = (value: unknown, at: At) => { readonly node: object; readonly location: At } | undefined;

/**
 * Copies a schema of the sources and everything that it refers to into a document. References that lead nowhere allow any
 * value.
 */
export function localSchema<At>(schema: unknown, at: At, follow: Follow<At>) {
  const names = new Map<unknown, string>();
  const taken = new Set<string>();
  const schemas: Record<string, SchemaObject> = {};
  const copy = (value: unknown, place: At): SchemaObject => {
    const copied = mapObjects(value, (object) => {
      if (!isReference(object)) return object;
      const { node, location } = follow(object, place) ?? {};
      if (node === undefined || location === undefined) return {};
      const name = names.get(node) ?? distinctName(lastKey(object.$ref), taken);
      if (!names.has(node)) {
        names.set(node, name);
        schemas[name] = copy(node, location);
      }
      return { ...object, $ref: `#${jsonPointer(["components", "schemas", name])}` };
    });
    return isSchema(copied) ? copied : {};
  };
  return { schema: copy(schema, at), document: { openapi: "3.1.1", components: { schemas } } };
}

/** Returns whether a success of an operation in the sources has a list of resources. */
export function respondsWithList<At>(operation: unknown, at: At, follow: Follow<At>): boolean {
  const responses = membersOf(valueAt(operation, ["responses"]));
  const [, success] =
    responses.find(([status]) => isSuccessStatus(status)) ??
    responses.find(([status]) => isDefaultStatus(status)) ??
    [];
  const response = follow(success, at);
  const [, media] = membersOf(valueAt(response?.node, ["content"])).find(([type]) => isJson(type)) ?? [];
  if (response === undefined || media === undefined) return false;
  const { schema, document } = localSchema(valueAt(media, ["schema"]), response.location, follow);
  return isListSchema(document, schema);
}
