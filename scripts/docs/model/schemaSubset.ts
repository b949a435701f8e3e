import { elementsOf, isObject, stringsOf } from "../../spec/json.ts";
import { isSchema, referencedValue, resolve, type OpenApiDocument } from "../../spec/openapi.ts";
import { isUntyped, schemaKeywords, schemaListKeywords, schemaMapKeywords } from "../../spec/schemaKeywords.ts";
import { isVisible, type Direction } from "../../spec/schemas.ts";

/** A JSON Schema as plain data: `true` allows any value, `false` none. */
export type PlainSchema = boolean | Readonly<Record<string, unknown>>;

/** Schemas by the names that references (`#/$defs/<name>`) call them. */
export type Definitions = Readonly<Record<string, PlainSchema>>;

export interface SchemaSubset {
  /** A schema as it is in the subset, whose references lead to its definitions; `true` if the contract specifies nothing. */
  readonly add: (schema: object) => PlainSchema;
  /** The targets of references in all schemas that have been added. */
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
    const name = names.get(reference) ?? String(names.size);
    if (!names.has(reference)) {
      names.set(reference, name);
      definitions.set(name, copy(referencedValue(document, reference)));
    }
    return name;
  };

  const isHidden = (property: unknown) => isSchema(property) && !isVisible(document, property, direction);

  const copy = (schema: unknown): PlainSchema => {
    if (!isObject(schema)) return schema !== false;
    const properties = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {});
    const hidden = new Set(properties.filter(([, property]) => isHidden(property)).map(([name]) => name));
    const copyKeyword = (keyword: string, value: unknown): unknown => {
      if (keyword === "required") return stringsOf(value).filter((name) => !hidden.has(name));
      if (keyword === "$ref" && typeof value === "string") return `#/$defs/${nameOf(value)}`;
      if (schemaKeywords.includes(keyword)) return copy(value);
      if (schemaListKeywords.includes(keyword)) return elementsOf(value).map(copy);
      if (!schemaMapKeywords.includes(keyword) || !isObject(value)) return value;
      const isLeftOut = (name: string) => keyword === "properties" && direction === "request" && hidden.has(name);
      const kept = Object.entries(value).filter(([name]) => !isLeftOut(name));
      return Object.fromEntries(kept.map(([name, part]) => [name, copy(part)]));
    };
    const kept = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword) && !keyword.startsWith("x-"));
    return Object.fromEntries(kept.map(([keyword, value]) => [keyword, copyKeyword(keyword, value)]));
  };

  return {
    add: (schema: object): PlainSchema => (isUntyped({ ...resolve(document, schema) }) ? true : copy(schema)),
    definitions: (): Definitions => Object.fromEntries(definitions),
  };
}
