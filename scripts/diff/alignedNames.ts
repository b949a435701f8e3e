import { isDeepStrictEqual } from "node:util";
import { elementsOf, isObject, membersOf } from "../spec/json.ts";
import { jsonPointer, valueAt } from "../spec/jsonPointer.ts";
import { mapObjects } from "../spec/walk.ts";
import type { NormalizedDocument } from "./normalizedDocument.ts";

/** A name that changed while what it stands for did not. */
export interface Renaming {
  readonly kind: "status" | "securityScheme";
  /** JSON Pointer in the document that has been aligned. */
  readonly pointer: string;
  readonly base: string;
  readonly next: string;
}

/**
 * Gives what was renamed in a document its name in another one, so that the rest can be compared: security schemes, and
 * the status code that fills in for the only `2XX`.
 */
export function alignNames(base: NormalizedDocument, next: NormalizedDocument) {
  const schemes = renamedSchemes(base.document, next.document);
  const origins = new Map(next.origins);
  const renamings: Renaming[] = schemes.map(({ base, next }) => {
    const pointer = jsonPointer(["components", "securitySchemes", base]);
    origins.set(pointer, jsonPointer(["components", "securitySchemes", next]));
    return { kind: "securityScheme", pointer, base, next };
  });
  const rename = (value: unknown) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, member]) => [
            schemes.find((one) => one.next === name)?.base ?? name,
            member,
          ]),
        )
      : value;
  const document = mapObjects(next.document, (object, keys) => {
    const { security, securitySchemes, responses } = object;
    const filled = keys[0] === "paths" && keys.length === 3 ? filledStatus(base.document, keys, responses) : undefined;
    if (filled !== undefined) {
      const pointer = jsonPointer([...keys, "responses", "2XX"]);
      origins.set(pointer, jsonPointer([...keys, "responses", filled]));
      renamings.push({ kind: "status", pointer, base: "2XX", next: filled });
    }
    return {
      ...object,
      ...(Array.isArray(security) && { security: security.map(rename) }),
      ...(keys.join() === "components" && { securitySchemes: rename(securitySchemes) }),
      ...(filled !== undefined && {
        responses: Object.fromEntries(
          membersOf(responses).map(([status, response]) => [status === filled ? "2XX" : status, response]),
        ),
      }),
    };
  });
  return { aligned: { document: isObject(document) ? document : {}, origins }, renamings };
}

/** The one status code of an operation that takes the place of a `2XX` in the other document. */
function filledStatus(base: unknown, keys: readonly string[], responses: unknown): string | undefined {
  const before = membersOf(valueAt(base, [...keys, "responses"])).map(([status]) => status);
  const after = membersOf(responses).map(([status]) => status);
  const added = after.filter((status) => /^2\d\d$/.test(status) && !before.includes(status));
  return before.includes("2XX") && !after.includes("2XX") && added.length === 1 ? added[0] : undefined;
}

function renamedSchemes(base: unknown, next: unknown) {
  const schemesOf = (document: unknown) => membersOf(valueAt(document, ["components", "securitySchemes"]));
  const [before, after] = [new Map(schemesOf(base)), new Map(schemesOf(next))];
  const added = [...after].filter(([name]) => !before.has(name));
  return [...before].flatMap(([name, scheme]) => {
    const found = added.find(([, other]) => isDeepStrictEqual(scheme, other));
    return after.has(name) || found === undefined ? [] : [{ base: name, next: found[0] }];
  });
}

/**
 * Writes a schema as the only alternative, where the other document has it as one of several: the others were added, and
 * nothing else changed.
 */
export function alignAlternatives(document: NormalizedDocument, other: NormalizedDocument): NormalizedDocument {
  const aligned = mapObjects(document.document, (object, keys) => {
    const there = valueAt(other.document, keys);
    const keyword = ["oneOf", "anyOf"].find((name) => elementsOf(valueAt(there, [name])).length > 0);
    if (keyword === undefined || isDeepStrictEqual(object, there)) return object;
    const isOne = elementsOf(valueAt(there, [keyword])).some((alternative) => isDeepStrictEqual(alternative, object));
    return isOne ? { [keyword]: [object] } : object;
  });
  return { ...document, document: isObject(aligned) ? aligned : {} };
}
