import { successResponses, type Generation } from "../contract/generation.ts";
import { isCredentialName } from "../mock/secrets.ts";
import { elementsOf, isObject, membersOf } from "../spec/json.ts";
import { jsonPointer, lastKey } from "../spec/jsonPointer.ts";
import { extensionOf } from "../spec/openapi.ts";
import { describeValues, locateSchemas, pointerTo, type DescribedValue } from "./describedValues.ts";

/** Something in a body that the contract leaves open, and does not list. */
export interface UnlistedValue {
  /** JSON Pointer of the place in the bundle that leaves it open. */
  readonly place: string;
  /** JSON Pointer in the body. */
  readonly path: string;
  readonly message: string;
  readonly received: string;
}

/**
 * What a stricter contract would refuse in a value, not in the values inside it: other properties, other values than those
 * of an `x-extensible-enum`, and times that are not in UTC although the description says so.
 */
export function unlistedValues({ value, path, schemas }: DescribedValue): readonly UnlistedValue[] {
  const texts = schemas.map(({ schema }) => schema.description ?? "").join("\n");
  const lists = schemas.flatMap((one) => {
    const values = elementsOf(extensionOf(one.schema, "x-extensible-enum"));
    return values.length === 0 ? [] : [{ ...one, values }];
  });
  const time = schemas.find(({ schema }) => schema.format === "date-time");
  const [list] = lists;
  const received = describeValue(value, path);
  return [
    ...unlistedMembers({ value, path, schemas }),
    ...(list !== undefined && value !== null && !lists.some(({ values }) => values.includes(value))
      ? [{ place: list.pointer, path, message: `the known values of ${path} are ${list.values.join(", ")}`, received }]
      : []),
    ...(time !== undefined && /\bUTC\b/.test(texts) && typeof value === "string" && !/(?:Z|[+-]00:00)$/i.test(value)
      ? [{ place: time.pointer, path, message: `${path} is a time in UTC by its description`, received }]
      : []),
  ];
}

/** The members of an object that the contract does not list, unless it says that there may be any, or none. */
function unlistedMembers({ value, path, schemas }: DescribedValue): readonly UnlistedValue[] {
  const listing = schemas.find(({ schema }) => schema.properties !== undefined);
  const isSettled = schemas.some(
    ({ schema }) =>
      "additionalProperties" in schema || "unevaluatedProperties" in schema || "patternProperties" in schema,
  );
  if (listing === undefined || isSettled) return [];
  return membersOf(value)
    .filter(([name]) => !schemas.some(({ schema }) => Object.hasOwn(schema.properties ?? {}, name)))
    .map(([name, member]) => {
      const inside = path + jsonPointer([name]);
      const received = describeValue(member, inside);
      return {
        place: `${listing.pointer}/properties`,
        path: inside,
        message: `the property ${inside} is not listed`,
        received,
      };
    });
}

/** The values that the examples of a generation have beyond what its schemas list: they are known. */
export function createKnownCheck(generation: Generation): (value: UnlistedValue) => boolean {
  const keyOf = ({ place, received }: UnlistedValue) => `${place} ${received}`;
  const known = new Set<string>();
  const add = (
    operation: Generation["operations"][number],
    content: (typeof operation.responses)[number]["content"],
    ...keys: readonly string[]
  ) => {
    for (const { mediaType, examples } of content) {
      const schemas = locateSchemas(operation.document, [
        pointerTo(operation, ...keys, "content", mediaType, "schema"),
      ]);
      for (const { value } of examples) {
        for (const one of describeValues(operation.document, { value, path: "", schemas })) {
          for (const unlisted of unlistedValues(one)) known.add(keyOf(unlisted));
        }
      }
    }
  };
  for (const operation of generation.operations) {
    add(operation, operation.requestBody?.content ?? [], "requestBody");
    for (const { status, content } of successResponses(operation)) add(operation, content, "responses", status);
  }
  return (value) => known.has(keyOf(value));
}

/** A value in a few words. Of one that may be a secret, only its type. */
export function describeValue(value: unknown, path: string): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return `an object with ${Object.keys(value).slice(0, 12).join(", ") || "nothing"}`;
  return isCredentialName(lastKey(path)) ? `a ${typeof value}` : JSON.stringify(value);
}
