import type { Generation } from "../../scripts/contract/generation.ts";
import { isObject, jsonPointer, objectsOf, stringsOf, valueAt } from "../../scripts/values/json.ts";
import { methods, referencedValue, unspecifiedOf, type OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { typesOf } from "../../scripts/spec/schemas.ts";
import { keysTo, walk, type WalkedValue } from "../../scripts/spec/walk.ts";

/** A change of one fact in a bundle. */
export interface Mutant {
  readonly generation: string;
  readonly pointer: string;
  /** True for a part of a schema beside an alternative that accepts any object. */
  readonly isOptional: boolean;
  /** Kind of the fact, and what becomes of it. */
  readonly kind: string;
  readonly change: string;
  /** Makes the change in a copy of the bundle. */
  readonly apply: (document: object) => void;
}

type Fields = Record<string, unknown>;

/** Every mutant of a bundle. */
export function mutantsOf({ name, document }: Generation): readonly Mutant[] {
  const optional = optionalSchemas(document);
  return [...walk(document)].flatMap((place) => {
    const keys = keysTo(place);
    const { value } = place;
    if (!isObject(value)) return [];
    const pointer = jsonPointer(keys);
    const isOptional = optional.some((one) => pointer === one || pointer.startsWith(`${one}/`));
    const changes = [...schemaChanges(place), ...partChanges(place), ...operationChanges(place), ...renamings(place)];
    return changes.map(([kind, change, mutate]): Mutant => {
      const apply = (copy: object) => {
        const target = valueAt(copy, keys);
        if (!isFields(target)) throw new Error(`nothing is at ${pointer}`);
        mutate(target);
      };
      return { generation: name, pointer, isOptional, kind, change, apply };
    });
  });
}

/** Why no request and no response can tell a mutant from its bundle; `undefined` if the tests are too weak. */
export function reasonOf({ kind, change, pointer, isOptional }: Mutant): string | undefined {
  if (isOptional) return "another alternative accepts any object";
  if (kind === "null" && pointer.includes("/parameters/")) return "the text of a parameter is never null";
  if (kind === "format" && change.startsWith("password")) return "the format only says how to show the value";
  // Elsewhere, credentials that are taken no more are noticed.
  if (kind === "security alternative") return "requests without credentials are accepted, too";
  return undefined;
}

/** The pointers of the schemas beside an alternative whose fields are unknown, which accepts any object. */
function optionalSchemas(document: OpenApiDocument): readonly string[] {
  const lists = [...walk(document)].map(({ value }) => objectsOf(valueAt(value, ["anyOf"])));
  const references = lists.map((alternatives) => stringsOf(alternatives.map(({ $ref }) => $ref)));
  const isOpen = (reference: string) => unspecifiedOf(referencedValue(document, reference)).includes("fields");
  return references.filter((some) => some.some(isOpen)).flatMap((some) => some.map((reference) => reference.slice(1)));
}

type Change = readonly [kind: string, change: string, mutate: (target: Fields) => void];

function isFields(value: unknown): value is Fields {
  return isObject(value);
}

const set =
  (field: string, value: unknown) =>
  (target: Fields): void => {
    if (value === undefined) Reflect.deleteProperty(target, field);
    else target[field] = value;
  };

const rename =
  (from: string, to: string) =>
  (target: Fields): void => {
    target[to] = target[from];
    Reflect.deleteProperty(target, from);
  };

function schemaChanges({ value, key, parent, isMap }: WalkedValue): readonly Change[] {
  const names = ["properties", "schemas"];
  const isSchema = ["schema", "items", "additionalProperties"].includes(key) || parent?.key === "anyOf";
  if (!isObject(value) || isMap || !(isSchema || (parent?.isMap === true && names.includes(parent.key)))) return [];
  const types = typesOf(value);
  const [type] = types;
  const required = stringsOf(value["required"]);
  const optional = Object.keys(isObject(value["properties"]) ? value["properties"] : {}).filter(
    (name) => !required.includes(name),
  );
  const other = type === "string" ? "integer" : "string";
  const withNull = types.includes("null") ? types.filter((one) => one !== "null") : [...types, "null"];
  return [
    ...(type === undefined
      ? []
      : [
          ["type", `${types.join(" or ")} → ${other}`, set("type", [other, ...types.slice(1)])] as const,
          ["null", types.includes("null") ? "no longer" : "allowed", set("type", withNull)] as const,
        ]),
    ...required.map((name): Change => [
      "required",
      `${name} no longer`,
      set(
        "required",
        required.filter((one) => one !== name),
      ),
    ]),
    ...optional.map((name): Change => ["required", name, set("required", [...required, name])]),
    ...(typeof value["const"] === "string" ? [["constant", "another", set("const", "another")] as const] : []),
    ...(typeof value["format"] === "string"
      ? [["format", `${value["format"]} no longer`, set("format", undefined)] as const]
      : []),
    ...(type === "string" && value["format"] === undefined && value["const"] === undefined
      ? [["format", "date-time", set("format", "date-time")] as const]
      : []),
  ];
}

/** Of parameters, request bodies, media types and responses. */
function partChanges({ value, key, isMap }: WalkedValue): readonly Change[] {
  if (!isObject(value)) return [];
  const { in: place, name, required, content } = value;
  const isParameter = typeof place === "string" && typeof name === "string" && value["type"] === undefined;
  if ((isParameter && place !== "path") || (isObject(content) && key === "requestBody")) {
    return [["required", required === true ? "no longer" : "from now on", set("required", required !== true)]];
  }
  if (isMap && key === "content") {
    return Object.keys(value).map((type): Change => [
      "media type",
      `${type} → application/xml`,
      rename(type, "application/xml"),
    ]);
  }
  if (!isMap || key !== "responses" || "default" in value === Object.keys(value).every((one) => one === "default"))
    return [];
  return Object.keys(value).map((status): Change => {
    const other = status === "default" ? "4XX" : status === "200" ? "202" : "200";
    return ["status", `${status} → ${other}`, rename(status, other)];
  });
}

function operationChanges({ value, key, parent }: WalkedValue): readonly Change[] {
  const security = isObject(value) ? value["security"] : undefined;
  if (!methods.some((method) => method === key) || parent?.isMap === true || !Array.isArray(security)) return [];
  const alternatives: readonly unknown[] = security;
  const isOpen = alternatives.some((one) => isObject(one) && Object.keys(one).length === 0);
  return [
    ...alternatives.map((one, index): Change => [
      "security alternative",
      `without ${JSON.stringify(one)}`,
      set(
        "security",
        alternatives.filter((_, at) => at !== index),
      ),
    ]),
    ...(isOpen ? [] : [["security alternative", "or none", set("security", [...alternatives, {}])] as const]),
  ];
}

function renamings({ value, key, isMap, parent }: WalkedValue): readonly Change[] {
  if (!isMap || key !== "paths" || parent?.parent !== undefined || !isObject(value)) return [];
  return Object.keys(value).map((path): Change => ["path", `${path} → ${path}/more`, rename(path, `${path}/more`)]);
}
