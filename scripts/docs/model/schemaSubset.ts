import { elementsOf, isObject, stringMembersOf, stringsOf, valueAt } from "../../spec/json.ts";
import { isSchema, referencedValue, resolve, type OpenApiDocument, type SchemaObject } from "../../spec/openapi.ts";
import { isUntyped, schemaKeywords, schemaListKeywords, schemaMapKeywords } from "../../spec/schemaKeywords.ts";
import { isVisible, type Direction } from "../../spec/schemas.ts";

/** A JSON Schema as plain data. `true` allows any value, and `false` allows none. */
export type PlainSchema = boolean | Readonly<Record<string, unknown>>;

/** Schemas by the names in their references (`#/$defs/<name>`). */
export type Definitions = Readonly<Record<string, PlainSchema>>;

export interface SchemaSubset {
  /**
   * Adds a schema, and returns it with references to the definitions. Returns `true` if the contract
   * specifies nothing.
   */
  readonly add: (schema: object) => PlainSchema;
  /** The targets of references in all added schemas. */
  readonly definitions: () => Definitions;
}

/**
 * Keywords that affect neither which values are valid nor why others aren't, and identifiers, which would change how
 * references resolve.
 */
const dropped = new Set([
  ...["title", "description", "example", "examples", "externalDocs", "xml", "deprecated", "default"],
  ...["$id", "$schema", "$comment", "readOnly", "writeOnly"],
]);

/**
 * Extracts schemas from a description, with their components and without annotations. For requests,
 * properties that a request can't have (`readOnly`) are left out. For responses, properties that a response
 * can't have (`writeOnly`) aren't required (OpenAPI 3.1.1, section 4.8.24).
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

  /** Its targets remain references to the alternatives. Others are no alternatives, so they mean nothing here. */
  const copyDiscriminator = (discriminator: object, { anyOf, oneOf }: SchemaObject) => {
    const targets = [anyOf, oneOf].flatMap(elementsOf).map((one) => valueAt(one, ["$ref"]));
    const mapping = Object.entries(stringMembersOf(valueAt(discriminator, ["mapping"])));
    const known = mapping.filter(([, target]) => targets.includes(target));
    const names = known.map(([value, target]) => [value, `#/$defs/${nameOf(target)}`]);
    return { propertyName: valueAt(discriminator, ["propertyName"]), mapping: Object.fromEntries(names) };
  };

  const isHidden = (property: unknown) => isSchema(property) && !isVisible(document, property, direction);

  const copy = (schema: unknown): PlainSchema => {
    if (!isObject(schema)) return schema !== false;
    const properties = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {});
    const hidden = new Set(properties.filter(([, property]) => isHidden(property)).map(([name]) => name));
    const copyKeyword = (keyword: string, value: unknown): unknown => {
      if (keyword === "required") return stringsOf(value).filter((name) => !hidden.has(name));
      if (keyword === "$ref" && typeof value === "string") return `#/$defs/${nameOf(value)}`;
      if (keyword === "discriminator" && isObject(value)) return copyDiscriminator(value, schema);
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
