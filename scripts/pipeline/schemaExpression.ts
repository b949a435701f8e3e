import { formats } from "../client/withFormats.ts";
import * as runtime from "../client/schema.ts";
import { inBrackets, literal, objectText } from "../samples/javaScriptText.ts";
import { elementsOf, isObject, lastKey, membersOf, stringsOf } from "../values/json.ts";
import { compilePattern } from "../spec/patterns.ts";
import { typesOf } from "../spec/schemas.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Allows any value, so no check is needed. */
const anything = "s.anything";

/**
 * A schema as an expression of `s`, the module scripts/client/schema.ts. References become constants. Annotations are
 * left out.
 */
export function schemaExpression(schema: unknown): string {
  if (!isObject(schema)) return schema === false ? "s.nothing" : anything;
  const parts = [...typeParts(schema)];
  for (const [keyword, value] of Object.entries(schema)) parts.push(...keywordParts(keyword, value));
  const [only = anything, ...others] = parts;
  return others.length === 0 ? only : call("allOf", ...parts);
}

function call(name: string, ...args: readonly string[]): string {
  return args.length === 1 ? `s.${name}(${args.join()})` : inBrackets(`s.${name}(`, args, ")");
}

/** `type`, with the keywords for members of objects and items of arrays. */
function typeParts(schema: Schema): readonly string[] {
  const types = uncoveredTypes(schema);
  const [only] = types.length === 1 ? types : [];
  const members = memberArguments(schema);
  const items = schemaExpression(schema["items"]);
  const isObjectType = only === "object" && members.length > 0;
  const isArrayType = only === "array" && items !== anything;
  const parts: string[] = [];
  if (types.length > 0 && !isObjectType && !isArrayType) parts.push(typeCheck(types));
  if (members.length > 0) parts.push(call(isObjectType ? "object" : "properties", ...members));
  if (items !== anything) parts.push(call(isArrayType ? "array" : "items", items));
  return parts;
}

/** The types of a schema, unless its listed values imply them. */
function uncoveredTypes(schema: Schema): readonly string[] {
  const types = typesOf(schema);
  const listed = "const" in schema ? [schema["const"]] : elementsOf(schema["enum"]);
  const isCovered = listed.length > 0 && listed.every((value) => runtime.isValid(runtime.type(...types), value));
  return isCovered ? [] : types;
}

/** The type of a file, which JSON Schema lacks. */
export const blobType = "blob";

const namedTypes = new Set([blobType, "boolean", "integer", "number", "string"]);

function typeCheck(types: readonly string[]): string {
  const [type = "", ...others] = types;
  return others.length === 0 && namedTypes.has(type) ? `s.${type}` : call("type", ...types.map(literal));
}

/** The required members, the optional ones, and the schema for any others. */
function memberArguments(schema: Schema): readonly string[] {
  const names = new Set(stringsOf(schema["required"]));
  const properties = new Map(membersOf(schema["properties"]));
  const required: [name: string, expression: string][] = [];
  const optional: [name: string, expression: string][] = [];
  const others = schemaExpression(schema["additionalProperties"]);
  for (const name of new Set([...properties.keys(), ...names])) {
    const members = names.has(name) ? required : optional;
    members.push([name, properties.has(name) ? schemaExpression(properties.get(name)) : others]);
  }
  const texts = [required, optional].map((members) => objectText(Object.fromEntries(members)));
  if (others !== anything) texts.push(others);
  return texts.slice(0, texts.findLastIndex((text) => text !== "{}") + 1);
}

/** The checks for a keyword that is handled separately from others. */
function keywordParts(keyword: string, value: unknown): readonly string[] {
  if (typeof value === "number" && Object.hasOwn(runtime, keyword)) return [call(keyword, literal(value))];
  const schemas = () => elementsOf(value).map((one) => schemaExpression(one));
  switch (keyword) {
    case "$ref":
      return [lastKey(String(value))];
    case "const":
      return [equality([value])];
    case "enum":
      return [equality(elementsOf(value))];
    case "allOf":
      return schemas();
    case "anyOf":
    case "oneOf":
      return [call(keyword, ...schemas())];
    case "format":
      return Object.hasOwn(formats, String(value)) ? [call("format", literal(value))] : [];
    case "uniqueItems":
      return value === true ? [call("uniqueItems")] : [];
    case "pattern":
      return [call("pattern", String(compilePattern(String(value))))];
    default:
      return [];
  }
}

function equality(values: readonly unknown[]): string {
  const hasContainers = values.some((value) => typeof value === "object" && value !== null);
  return call(hasContainers ? "equalTo" : "enumeration", ...values.map(literal));
}
