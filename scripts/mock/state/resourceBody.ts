import { readDateTime, writeDateTime } from "../../values/dateTimes.ts";
import { changeAt, equalJson, isObject, valueAt } from "../../values/json.ts";
import type { OpenApiDocument, SchemaObject } from "../../spec/openapi.ts";
import { isMatching } from "../../spec/patterns.ts";
import type { View } from "../../contract/resources.ts";
import { responseValidator } from "../../exchange/validator.ts";
import type { StoredResource } from "./world.ts";

/** The properties of a resource that a response shows. They were written, or follow from the request. */
export type ShownResource = Pick<StoredResource, "absent" | "properties">;

/** A body that shows a resource or a list. */
export interface ResourceBody {
  readonly value: unknown;
  /** Written properties that are invalid in this response, which has the example's values instead. */
  readonly dropped: readonly string[];
}

/** A body to put a resource into. */
export interface BodyTemplate {
  readonly example: unknown;
  /** Where the resource is in the body, and under which names. */
  readonly view: View;
  /** The schema of the whole body. */
  readonly schema: SchemaObject;
  /** The bundle that the schema is in. */
  readonly document: OpenApiDocument;
}

/** Puts a resource into the example of a body. Properties that make the body invalid are left out and listed. */
export function bodyWithResource(
  { example, view, schema, document }: BodyTemplate,
  resource: ShownResource,
): ResourceBody {
  const template = valueAt(example, view.location);
  if (!isObject(template)) return { value: example, dropped: [] };
  const isValid = responseValidator(schema, document);
  const bodyOf = (value: unknown) => changeAt(example, view.location, () => value);
  const fits = (value: unknown) => equalJson(value, template) || isValid(bodyOf(value));
  const whole = show(template, view, resource);
  // The contract requires it, and the request didn't send it.
  const optional = resource.absent.filter((stored) => !view.required.has(view.names.get(stored) ?? stored));
  const complete = show(template, view, { ...resource, absent: optional });
  const valid = [whole, complete].find(fits);
  if (valid !== undefined) return { value: bodyOf(valid), dropped: [] };
  const dropped = Object.keys(whole).filter((name) => {
    const property = view.schemas.get(name);
    const isSame = property === undefined || equalJson(whole[name], template[name]);
    return !isSame && !responseValidator(property, document)(whole[name]);
  });
  const kept = Object.keys(complete).filter((name) => !dropped.includes(name) || Object.hasOwn(template, name));
  const value: unknown = Object.fromEntries(
    kept.map((name) => [name, (dropped.includes(name) ? template : complete)[name]]),
  );
  return fits(value)
    ? { value: bodyOf(value), dropped }
    : { value: example, dropped: Object.keys(resource.properties) };
}

/** The properties of a resource under their names in the body, in the order of the example. */
function show(template: Readonly<Record<string, unknown>>, view: View, { properties, absent }: ShownResource) {
  const nameOf = (stored: string) => view.names.get(stored) ?? (Object.hasOwn(template, stored) ? stored : undefined);
  const shown = { ...template };
  for (const [stored, value] of Object.entries(properties)) {
    const name = nameOf(stored);
    if (name === undefined) continue;
    const schema = view.schemas.get(name);
    shown[name] = view.identifiers.has(stored) ? fitting(value, schema, template[name]) : inUtc(value, schema);
  }
  if (absent.length === 0) return shown;
  const left = new Set(absent.map(nameOf));
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !left.has(name)));
}

/**
 * Converts an identifier, which is text in a path, to the type in the schema, or else to the type of the
 * example.
 */
export function fitting(value: unknown, schema: SchemaObject | undefined, example: unknown): unknown {
  const types = [schema?.type ?? typeof example].flat();
  if (typeof value === "string" && value !== "" && (types.includes("number") || types.includes("integer"))) {
    // Numbers are never written as `007` or `0x7`.
    return types.includes("string") || String(Number(value)) !== value ? value : Number(value);
  }
  return typeof value === "number" && types.includes("string") && types.length === 1 ? String(value) : value;
}

/** Converts a time to UTC if it doesn't match the schema's pattern with its own offset. */
export function inUtc(value: unknown, { format, pattern }: SchemaObject = {}): unknown {
  if (typeof value !== "string" || format !== "date-time" || pattern === undefined) return value;
  const time = readDateTime(value);
  return time === undefined || isMatching(pattern, value) ? value : (writeDateTime(time) ?? value);
}
