import { describe, expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import { generateSchemas } from "../../scripts/pipeline/schemasModule.ts";
import { generateTypes } from "../../scripts/pipeline/typesModule.ts";
import { jsonPointer, membersOf, valueAt } from "../../scripts/values/json.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { contracts, kindsName } from "../fixtures/contracts.ts";

/** A copy of a JSON value with another value at some keys, or without the member. */
function withEdit(root: unknown, keys: readonly string[], value: unknown): unknown {
  const [key = "", ...inside] = keys;
  const inner = inside.length === 0 ? value : withEdit(valueAt(root, [key]), inside, value);
  if (Array.isArray(root))
    return root.flatMap((item: unknown, index) =>
      String(index) !== key ? [item] : inner === undefined ? [] : [inner],
    );
  const members = membersOf(root).map(([name, member]) => [name, name === key ? inner : member] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** The keys of everything in a JSON value that isn't a text, an example or an extension. */
function placesIn(value: unknown, keys: readonly string[] = []): readonly (readonly string[])[] {
  const isNote = (name: string) => /^(?:description|summary|title|examples?|externalDocs|x-.*)$/.test(name);
  const names = Array.isArray(value) ? [...value.keys()].map(String) : membersOf(value).map(([name]) => name);
  const inner = names.filter((name) => !isNote(name)).map((name) => [...keys, name]);
  return inner.flatMap((one) => [one, ...placesIn(valueAt(value, one.slice(-1)), one)]);
}

/** Another value of the same type. */
function otherValue(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  return value === "string" ? "integer" : undefined;
}

describe("npm run diff, of operations of every kind,", () => {
  const [{ name, document, operations } = readGeneration(kindsName, { openapi: "3.1.1" })] = contracts.slice(-1);
  const whole = readGeneration(name, document);
  const paths = Object.entries(document.paths ?? {});
  const reordered = readGeneration(name, { ...document, paths: Object.fromEntries(paths.toReversed()) });
  const kept = Object.fromEntries(paths.filter((_, index) => index % 2 === 0));
  const half = readGeneration(name, { ...document, paths: kept });
  const gone = operations.filter(({ path }) => !Object.hasOwn(kept, path)).map((operation) => operation.name);

  it("finds no change in identical documents", () => {
    expect(compareGenerations([whole], [reordered])).toEqual([]);
  });

  it("reports every removed and added operation, and no other", () => {
    const removed = compareGenerations([whole], [half]);
    const broken = removed.filter(({ impact }) => impact === "major").flatMap((change) => change.operations);
    expect(new Set(broken)).toEqual(new Set(gone));
    const added = compareGenerations([half], [whole]);
    expect(added.filter(({ impact }) => impact === "major")).toEqual([]);
    expect(new Set(added.flatMap((change) => change.operations))).toEqual(new Set(gone));
  });

  it("is never silent where the generated types or schemas change", () => {
    const filesOf = (generation: typeof whole) => [generateTypes(generation.document), generateSchemas(generation)];
    const schemas = placesIn(valueAt(document, ["components", "schemas"]), ["components", "schemas"]);
    const silent = schemas.flatMap((keys) => {
      const edits = [undefined, otherValue(valueAt(document, keys))];
      return [...new Set(edits)].flatMap((value) => {
        const edited = withEdit(document, keys, value);
        if (!isDocument(edited)) throw new Error("not OpenAPI");
        const next = readGeneration(name, edited);
        return compareGenerations([whole], [next]).length > 0 ? [] : [{ place: jsonPointer(keys), value, next }];
      });
    });
    const known = filesOf(whole).join();
    const changed = silent.filter(({ next }) => filesOf(next).join() !== known);
    // The type of listed values, and an empty list of required properties, say nothing.
    expect(changed.map(({ place, value }) => [place, value])).toEqual([
      ["/components/schemas/RoomEvent/properties/event/type", undefined],
      ["/components/schemas/UpdateRoomRequest/required", undefined],
    ]);
  });
});
