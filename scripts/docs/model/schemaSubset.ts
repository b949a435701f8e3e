import { getOrCreate } from "../../values/collections.ts";
import { elementsOf, isObject, stringMembersOf, stringsOf, valueAt, withoutMembers } from "../../values/json.ts";
import { isSchema, referencedValue, resolve, type OpenApiDocument, type SchemaObject } from "../../spec/openapi.ts";
import { isUntyped, mapSchemas } from "../../spec/schemaKeywords.ts";
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

/** A copied schema, and the names of the definitions that it refers to. */
interface CopiedSchema {
  readonly schema: PlainSchema;
  readonly uses: readonly string[];
}

/** The schemas that references of a description lead to, by name, as most operations share them. */
interface Targets {
  readonly nameOf: (reference: string) => string;
  readonly copyOf: (name: string) => CopiedSchema;
}

/**
 * Extracts schemas from a description, with their components and without annotations. For requests,
 * properties that a request can't have (`readOnly`) are left out. For responses, properties that a response
 * can't have (`writeOnly`) aren't required (OpenAPI 3.1.1, section 4.8.24).
 */
export function schemaSubset(document: OpenApiDocument, direction: Direction): SchemaSubset {
  const targets = targetsIn(document, direction);
  const used = new Set<string>();
  const take = ({ schema, uses }: CopiedSchema): PlainSchema => {
    uses.forEach((name) => used.add(name));
    return schema;
  };
  return {
    add: (schema: object): PlainSchema =>
      isUntyped({ ...resolve(document, schema) }) ? true : take(copySchema(document, direction, targets, schema)),
    definitions: (): Definitions => {
      const definitions: Record<string, PlainSchema> = {};
      // A set also visits what is added meanwhile.
      for (const name of used) definitions[name] = take(targets.copyOf(name));
      return definitions;
    },
  };
}

const targetsByDocument = new WeakMap<OpenApiDocument, Map<Direction, Targets>>();

function targetsIn(document: OpenApiDocument, direction: Direction): Targets {
  const byDirection = getOrCreate(targetsByDocument, document, () => new Map<Direction, Targets>());
  return getOrCreate(byDirection, direction, () => {
    const references: string[] = [];
    const names = new Map<string, string>();
    const copies = new Map<string, CopiedSchema>();
    const targets: Targets = {
      nameOf: (reference) => getOrCreate(names, reference, () => String(references.push(reference) - 1)),
      copyOf: (name) =>
        getOrCreate(copies, name, () => {
          const target = referencedValue(document, references[Number(name)] ?? "");
          return copySchema(document, direction, targets, target);
        }),
    };
    return targets;
  });
}

function copySchema(
  document: OpenApiDocument,
  direction: Direction,
  { nameOf }: Targets,
  whole: unknown,
): CopiedSchema {
  const uses = new Set<string>();
  const refer = (reference: string) => {
    const name = nameOf(reference);
    uses.add(name);
    return `#/$defs/${name}`;
  };
  // Its targets remain references to the alternatives. Others are no alternatives, so they mean nothing here.
  const copyDiscriminator = (discriminator: object, { anyOf, oneOf }: SchemaObject) => {
    const alternatives = [anyOf, oneOf].flatMap(elementsOf).map((one) => valueAt(one, ["$ref"]));
    const mapping = Object.entries(stringMembersOf(valueAt(discriminator, ["mapping"])));
    const known = mapping.filter(([, target]) => alternatives.includes(target));
    const copied: Readonly<Record<string, string>> = Object.fromEntries(
      known.map(([value, target]) => [value, refer(target)]),
    );
    return { propertyName: valueAt(discriminator, ["propertyName"]), mapping: copied };
  };
  const isHidden = (property: unknown) => isSchema(property) && !isVisible(document, property, direction);
  const copy = (schema: unknown): PlainSchema => {
    if (!isObject(schema)) return schema !== false;
    const properties = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {});
    const hidden = new Set(properties.filter(([, property]) => isHidden(property)).map(([name]) => name));
    const copyKeyword = (keyword: string, value: unknown): unknown => {
      if (keyword === "required") return stringsOf(value).filter((name) => !hidden.has(name));
      if (keyword === "$ref" && typeof value === "string") return refer(value);
      if (keyword === "discriminator" && isObject(value)) return copyDiscriminator(value, schema);
      const isHiding = keyword === "properties" && direction === "request";
      return mapSchemas(keyword, isHiding ? withoutMembers(value, [...hidden]) : value, copy);
    };
    const kept = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword) && !keyword.startsWith("x-"));
    return Object.fromEntries(kept.map(([keyword, value]) => [keyword, copyKeyword(keyword, value)]));
  };
  return { schema: copy(whole), uses: [...uses] };
}
