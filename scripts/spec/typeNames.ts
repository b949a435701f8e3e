import { binaryObjects } from "./binary.ts";
import { isObject } from "../values/json.ts";
import { jsonType } from "../values/jsonType.ts";
import { resolveSchema, type OpenApiDocument, type SchemaObject } from "./openapi.ts";
import { componentName, constantsOf, impliedTypes } from "./schemas.ts";

/** A type in words. */
export type TypeName = readonly TypePart[];

export interface TypePart {
  readonly text: string;
  /** The format of the type in the text. */
  readonly format?: string | undefined;
  /** The name of the component in the text. */
  readonly schema?: string;
}

/** The whole name on one line: `array of string, date-time`. */
export function typeText(type: TypeName): string {
  return type.map(({ text, format }) => (format === undefined ? text : `${text}, ${format}`)).join("");
}

/** The type of a schema in words, with the names of components. `around` are the schemas that contain it. */
export function typeName(document: OpenApiDocument, schema: SchemaObject, around: readonly string[] = []): TypeName {
  const name = componentName(schema);
  if (name !== undefined) {
    const target = resolveSchema(document, schema);
    // For a component with a simple type, the type says more than the name.
    const parts = [target.properties, target.anyOf, target.oneOf, target.allOf];
    const isStructured = parts.some(Boolean) && !isEnumeration(document, target);
    const link = { text: name, schema: name };
    if (isStructured || around.includes(name)) return [link];
    return [...typeName(document, target, [...around, name]), { text: " (" }, link, { text: ")" }];
  }
  if (binaryObjects(document).has(schema)) return fileType;
  if (schema.const !== undefined) return [{ text: JSON.stringify(schema.const) }];
  const typeOf = (part: SchemaObject) => typeName(document, part, around);
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  // The values are listed, as those of an `enum` are.
  if (isEnumeration(document, schema)) return joinTypes(alternatives.map((part) => constantType(document, part)));
  const chosen = alternatives.map(typeOf);
  if (chosen.length > 0 && (schema.type === undefined || !chosen.every(isAnyType))) return joinTypes(chosen);
  const names = impliedTypes(schema).map((type): TypeName => {
    if (type === "array" && isObject(schema.items)) return [{ text: "array of " }, ...typeOf(schema.items)];
    return [{ text: type, format: type === "null" ? undefined : schema.format }];
  });
  if (names.length > 0) return joinTypes(names);
  const parts = (schema.allOf ?? []).map(typeOf).filter((part) => !isAnyType(part));
  return parts.length > 0 ? joinTypes(parts, " and ") : anyType;
}

const anyType: TypeName = [{ text: "any type" }];

function isAnyType(type: TypeName): boolean {
  return typeText(type) === typeText(anyType);
}

function isEnumeration(document: OpenApiDocument, schema: SchemaObject): boolean {
  return constantsOf(document, schema).length > 1;
}

function constantType(document: OpenApiDocument, schema: SchemaObject): TypeName {
  const { const: value = null } = resolveSchema(document, schema);
  return [{ text: jsonType(value) }];
}

/** The type of bytes, which JSON lacks. */
export const fileType: TypeName = [{ text: "file" }];

function joinTypes(types: readonly TypeName[], separator = " or "): TypeName {
  const distinct = [...new Map(types.map((type) => [typeText(type), type])).values()];
  return distinct.flatMap((type, index) => (index === 0 ? type : [{ text: separator }, ...type]));
}
