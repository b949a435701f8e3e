import { messageOf } from "./failures.ts";
import { dataFields, nameMaps } from "../spec/schemaKeywords.ts";
import { jsonPointer } from "../spec/jsonPointer.ts";
import { resolve } from "../spec/references.ts";
import { isObject } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";

interface Node {
  readonly value: unknown;
  /** Whether the keys of the value are names, not fields. */
  readonly isMap: boolean;
  readonly key: string;
  readonly parent: Node | undefined;
  readonly depth: number;
}

/** As deep as this, every command can follow. Large public descriptions have 24 levels. */
const maximumDepth = 500;

/**
 * What keeps a bundle from being read, with the place: something missing, a reference that leads nowhere, or too many
 * levels. A bundle that passed lint has none of these. `undefined` if there is nothing.
 */
export function findBundleFault(document: object): string | undefined {
  const waiting: Node[] = [{ value: document, isMap: false, key: "", parent: undefined, depth: 0 }];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const fault = faultOf(document, node);
    if (fault !== undefined) return `at #${jsonPointer(keysOf(node).slice(0, 20))}: ${fault}`;
    waiting.push(...membersOf(node));
  }
  return undefined;
}

function faultOf(document: object, { value, depth }: Node): string | undefined {
  if (value === null) return "null where a part of the description should be";
  if (depth > maximumDepth) return `nested more than ${String(maximumDepth)} levels deep`;
  if (!isReference(value)) return undefined;
  try {
    resolve(document, value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function membersOf(node: Node): readonly Node[] {
  const { value, isMap, depth } = node;
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([key, member]) => isMap || Array.isArray(value) || isDescribed(key, member))
    .map(([key, member]: [string, unknown]) => ({
      value: member,
      isMap: !isMap && isObject(member) && (nameMaps.has(key) || key === "examples"),
      key,
      parent: node,
      depth: depth + 1,
    }));
}

/** Data and extensions may be anything, and nothing reads links. Named examples are objects of the description. */
function isDescribed(key: string, member: unknown): boolean {
  if (key === "examples") return isObject(member);
  return !dataFields.has(key) && !key.startsWith("x-") && key !== "links";
}

function keysOf({ key, parent }: Node): readonly string[] {
  return parent === undefined ? [] : [...keysOf(parent), key];
}
