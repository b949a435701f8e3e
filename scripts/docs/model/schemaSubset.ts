import { lastKey, pointerKeys, valueAt } from "../../spec/jsonPointer.ts";
import { resolve } from "../../spec/references.ts";
import { isObject } from "../../spec/json.ts";
import { isReference, type OpenApiDocument } from "../../spec/openapi.ts";
import type { Direction } from "../../spec/schemas.ts";

/** A JSON Schema as plain data: `true` allows any value, `false` none. */
export type PlainSchema = boolean | Readonly<Record<string, unknown>>;

/** Schemas by the names that references (`#/$defs/<name>`) call them. */
export type Definitions = Readonly<Record<string, PlainSchema>>;

export interface SchemaSubset {
  /** A schema as it is in the subset, whose references lead to its definitions. */
  readonly add: (schema: unknown) => PlainSchema;
  /** The definitions of all that was added, and of no more. */
  readonly definitions: () => Definitions;
}

/** Keywords that say something to readers, but nothing about which values are allowed. */
const dropped = new Set(["description", "example", "examples", "externalDocs", "xml", "discriminator", "deprecated"]);
/** Identifiers, from which references would be resolved. */
const identifiers = new Set(["$id", "$schema", "$comment"]);
/** Keywords whose value is no schema, and contains none. */
const plain = new Set(["const", "enum", "default", "required", "type", "dependentRequired", "x-extensible-enum"]);
/** Keywords whose value has a schema under each key. */
const maps = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);

/**
 * Takes schemas out of a description, with the components that they refer to and without what only documents them. What
 * a request cannot have (`readOnly`) is left out for requests; what a response cannot have (`writeOnly`) is not required
 * of responses (OpenAPI 3.1.1, section 4.8.24).
 */
export function schemaSubset(document: OpenApiDocument, direction: Direction): SchemaSubset {
  const names = new Map<string, string>();
  const definitions = new Map<string, PlainSchema>();

  const nameOf = (reference: string): string => {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const base = lastKey(reference).replaceAll(/[^\w.-]/g, "_") || "schema";
    const taken = new Set(names.values());
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}-${count}`;
    names.set(reference, name);
    definitions.set(name, true);
    const target = reference.startsWith("#") ? valueAt(document, pointerKeys(reference)) : undefined;
    definitions.set(name, copy(target));
    return name;
  };

  const isHidden = (property: unknown): boolean => {
    const keyword = direction === "request" ? "readOnly" : "writeOnly";
    if (!isObject(property)) return false;
    return property[keyword] === true || (isReference(property) && isHidden(resolve(document, property)));
  };

  const copy = (schema: unknown): PlainSchema => {
    if (!isObject(schema)) return typeof schema === "boolean" ? schema : true;
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const hidden = new Set(Object.keys(properties).filter((name) => isHidden(properties[name])));
    const entries = Object.entries(schema).flatMap(([keyword, value]): (readonly [string, unknown])[] => {
      if (keyword === "required" && Array.isArray(value)) {
        return [[keyword, value.filter((name) => !hidden.has(String(name)))]];
      }
      if (keyword === "$ref" && typeof value === "string") return [[keyword, `#/$defs/${nameOf(value)}`]];
      if (plain.has(keyword)) return [[keyword, value]];
      if (dropped.has(keyword) || identifiers.has(keyword) || keyword.startsWith("x-")) return [];
      if (maps.has(keyword) && isObject(value)) {
        const kept = Object.entries(value).filter(
          ([name]) => direction === "response" || keyword !== "properties" || !hidden.has(name),
        );
        return [[keyword, Object.fromEntries(kept.map(([name, part]) => [name, copy(part)]))]];
      }
      if (Array.isArray(value)) return [[keyword, value.map(copy)]];
      return [[keyword, isObject(value) ? copy(value) : value]];
    });
    return Object.fromEntries(entries);
  };

  return { add: copy, definitions: () => Object.fromEntries(definitions) };
}
