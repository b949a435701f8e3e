import * as runtime from "../client/schema.ts";
import { attempt, UserError } from "../contract/failures.ts";
import { elementsOf, isObject, membersOf, stringsOf } from "../spec/json.ts";
import { typesOf } from "../spec/schemas.ts";
import { inBrackets, literal, objectText } from "../samples/javaScriptText.ts";

type SchemaFields = Readonly<Record<string, unknown>>;

/** Surroundings of a schema that is compiled. */
export interface SchemaScope {
  /** Where it is, for people. */
  readonly place: string;
  /** The name of the schema that a reference leads to. */
  readonly nameOf: (reference: string) => string;
}

/**
 * A schema of an OpenAPI 3.1 description as an expression of `s`, which stands for scripts/client/schema.ts.
 * Keywords that only tell something to people or tools are left out. Throws {@link UserError} for a pattern that is none.
 */
export function schemaExpression(schema: unknown, scope: SchemaScope): string {
  const call = (name: string, ...args: readonly string[]) =>
    args.length === 1 ? `s.${name}(${args.join()})` : inBrackets(`s.${name}(`, args, ")");
  const compile = (one: unknown): string => {
    if (!isObject(one)) return one === false ? "s.nothing" : "s.anything";
    const parts = [...typeParts(one), ...Object.entries(one).flatMap((member) => keywordParts(...member))];
    const [only = "s.anything", ...others] = parts;
    return others.length === 0 ? only : call("allOf", ...parts);
  };
  const compileAll = (value: unknown) => elementsOf(value).map(compile);

  /** `type`, with what describes the members of objects and the items of arrays. */
  const typeParts = (one: SchemaFields): string[] => {
    const names = typesOf(one);
    const listed = "const" in one ? [one["const"]] : elementsOf(one["enum"]);
    // The values of an enumeration have their types.
    const isListed =
      listed.length > 0 && listed.every((value) => runtime.issuesOf(runtime.type(...names), value).length === 0);
    const types = isListed ? [] : names;
    const isOnly = (type: string) => types.length === 1 && types[0] === type;
    const members = memberArguments(one);
    const item = isAnything(one["items"]) ? [] : [compile(one["items"])];
    const isObjectType = isOnly("object") && members.length > 0;
    const isArrayType = isOnly("array") && item.length > 0;
    return [
      ...(types.length === 0 || isObjectType || isArrayType ? [] : [typeCheck(types)]),
      ...(members.length > 0 ? [call(isObjectType ? "object" : "properties", ...members)] : []),
      ...(item.length > 0 ? [call(isArrayType ? "array" : "items", ...item)] : []),
    ];
  };
  const typeCheck = (types: readonly string[]) => {
    const [type = ""] = types;
    const hasName = types.length === 1 && ["boolean", "integer", "number", "string"].includes(type);
    return hasName ? `s.${type}` : call("type", ...types.map(literal));
  };

  /** The members that are required, those that are not, and what applies to any other. */
  const memberArguments = (one: SchemaFields): string[] => {
    const described = Object.fromEntries(
      membersOf(one["properties"]).map(([name, member]) => [name, compile(member)] as const),
    );
    const required = stringsOf(one["required"]);
    const others = required.filter((name) => !Object.hasOwn(described, name));
    const all = [...Object.entries(described), ...others.map((name) => [name, "s.anything"] as const)];
    const texts = [
      objectText(Object.fromEntries(all.filter(([name]) => required.includes(name)))),
      objectText(Object.fromEntries(all.filter(([name]) => !required.includes(name)))),
      ...(isAnything(one["additionalProperties"]) ? [] : [compile(one["additionalProperties"])]),
    ];
    return texts.slice(0, texts.findLastIndex((text) => text !== "{}") + 1);
  };

  const keywordParts = (keyword: string, value: unknown): readonly string[] =>
    typeof value === "number" && Object.hasOwn(runtime, keyword)
      ? [call(keyword, literal(value))]
      : (keywords.get(keyword)?.(value) ?? []);
  /** By the keywords whose value is not handled together with another one's. */
  const keywords = new Map<string, (value: unknown) => readonly string[]>([
    ["$ref", (value) => [scope.nameOf(String(value))]],
    ["const", (value) => [equality([value])]],
    ["enum", (value) => [equality(elementsOf(value))]],
    ["allOf", compileAll],
    ["anyOf", (value) => [call("anyOf", ...compileAll(value))]],
    ["oneOf", (value) => [call("oneOf", ...compileAll(value))]],
    ["not", (value) => [call("not", compile(value))]],
    ["uniqueItems", (value) => (value === true ? [call("uniqueItems")] : [])],
    ["pattern", (value) => [call("pattern", regularExpression(String(value)))]],
  ]);
  const equality = (values: readonly unknown[]) => {
    const hasContainers = values.some((value) => typeof value === "object" && value !== null);
    return call(hasContainers ? "equalTo" : "enumeration", ...values.map(literal));
  };
  /** Patterns should be valid with the flag `u` (JSON Schema 2020-12, section 6.4), but not everybody's are. */
  const regularExpression = (pattern: string) => {
    const expression = attempt(() => new RegExp(pattern, "u")) ?? attempt(() => new RegExp(pattern));
    if (expression !== undefined) return String(expression);
    throw new UserError(`${scope.place}: the pattern ${JSON.stringify(pattern)} is not a regular expression`);
  };
  return compile(schema);
}

/** Tells whether a schema is known to accept everything: a missing one does, too. */
function isAnything(schema: unknown): boolean {
  return schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}
