import { isObject } from "../contract/document.ts";

/** Fields whose children's keys are names, not fields (OpenAPI 3.1.1, section 4.8; JSON Schema 2020-12). */
const nameMaps = new Set([
  ...["paths", "webhooks", "content", "headers", "callbacks", "links", "variables", "encoding"],
  ...["schemas", "responses", "parameters", "requestBodies", "securitySchemes", "pathItems"],
  ...["properties", "patternProperties", "$defs", "dependentSchemas"],
]);

/** Fields that hold data, in which nothing is a part of the description. */
const data = new Set(["example", "examples", "default", "const", "enum", "value", "mapping", "required", "security"]);

/** A part of an OpenAPI description, with the key under which it stands. */
export interface Part {
  readonly key: string;
  readonly value: unknown;
  /** The key is a name that the description's author gave. */
  readonly isNamed: boolean;
  /** The part's own keys are names. */
  readonly isNameMap: boolean;
}

/** The parts directly below an object of a description, without data and extensions. */
export function partsOf(value: Readonly<Record<string, unknown>>, isNameMap: boolean): readonly Part[] {
  return Object.entries(value).flatMap(([key, child]) => {
    if (!isNameMap && (data.has(key) || key.startsWith("x-"))) return [];
    return [{ key, value: child, isNamed: isNameMap, isNameMap: !isNameMap && nameMaps.has(key) && isObject(child) }];
  });
}

/** The phrases of `x-unspecified` of an object. */
export function unspecifiedOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  return stringsOf(value["x-unspecified"]);
}

/** The values of an open enumeration that are known. */
export function knownValuesOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  return stringsOf(value["x-extensible-enum"]);
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
