import { isObject, stringsOf } from "../../spec/json.ts";
import { lastKey, pointerKeys, valueAt } from "../../spec/jsonPointer.ts";
import { isReference, type OpenApiDocument } from "../../spec/openapi.ts";
import { resolve } from "../../spec/references.ts";
import { dataFields, isUntyped, nameMaps } from "../../spec/schemaKeywords.ts";
import type { Direction } from "../../spec/schemas.ts";

/** A JSON Schema as plain data: `true` allows any value. */
export type PlainSchema = true | Readonly<Record<string, unknown>>;

/** Schemas by the names that references (`#/$defs/<name>`) call them. */
export type Definitions = Readonly<Record<string, PlainSchema>>;

export interface SchemaSubset {
  /** A schema as it is in the subset, whose references lead to its definitions; `true` if the contract specifies nothing. */
  readonly add: (schema: object) => PlainSchema;
  /** The definitions of all that was added, and of no more. */
  readonly definitions: () => Definitions;
}

/** Keywords that say nothing about which values are allowed, and identifiers, from which references would be resolved. */
const dropped = new Set([
  ...["title", "description", "example", "examples", "externalDocs", "xml", "discriminator", "deprecated", "default"],
  ...["$id", "$schema", "$comment", "readOnly", "writeOnly"],
]);

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
    let name = base;
    for (let count = 2; definitions.has(name); count += 1) name = `${base}-${count}`;
    names.set(reference, name);
    definitions.set(name, true);
    definitions.set(name, copy(valueAt(document, pointerKeys(reference))));
    return name;
  };

  const isHidden = (property: unknown): boolean => {
    if (!isObject(property)) return false;
    if (property[direction === "request" ? "readOnly" : "writeOnly"] === true) return true;
    return isReference(property) && isHidden(resolve(document, property));
  };

  const copy = (schema: unknown): PlainSchema => {
    // The validator names the keyword `not` by its place in the schema, but not `false`.
    if (!isObject(schema)) return schema === false ? { not: {} } : true;
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const hidden = new Set(Object.keys(properties).filter((name) => isHidden(properties[name])));
    const copyKeyword = (keyword: string, value: unknown): unknown => {
      if (keyword === "required") return stringsOf(value).filter((name) => !hidden.has(name));
      if (keyword === "$ref" && typeof value === "string") return `#/$defs/${nameOf(value)}`;
      if (dataFields.has(keyword) || keyword === "type" || keyword === "dependentRequired") return value;
      if (Array.isArray(value)) return value.map(copy);
      if (!nameMaps.has(keyword) || !isObject(value)) return isObject(value) || value === false ? copy(value) : value;
      const isKept = (name: string) => keyword !== "properties" || direction === "response" || !hidden.has(name);
      const kept = Object.entries(value).filter(([name]) => isKept(name));
      return Object.fromEntries(kept.map(([name, part]) => [name, copy(part)]));
    };
    const kept = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword) && !keyword.startsWith("x-"));
    return Object.fromEntries(kept.map(([keyword, value]) => [keyword, copyKeyword(keyword, value)]));
  };

  return {
    add: (schema) => (isUntyped({ ...resolve(document, schema) }) ? true : copy(schema)),
    definitions: () => Object.fromEntries(definitions),
  };
}
