import type { Generation } from "../contract/generation.ts";
import { describeReceived, describeValue } from "./describeValue.ts";
import { elementsOf, jsonPointer, membersOf } from "../values/json.ts";
import { extensionOf, type OpenApiDocument } from "../spec/openapi.ts";
import type { Direction } from "../spec/schemas.ts";
import { isPasswordName } from "./secrets.ts";
import type { ObservedFact } from "./observation.ts";
import { isPropertyName, shapeOfValue } from "./shapes.ts";
import { describeBody, pointerOf, type DescribedValue } from "./describedValues.ts";

/** Something in a body that the contract leaves open, and doesn't list. */
interface UnlistedValue {
  /** The keyword that would list it. */
  readonly code: "format" | "properties" | "x-extensible-enum";
  /** JSON Pointer in the bundle: to the list of known values, or to the place where the property would be listed. */
  readonly place: string;
  readonly message: string;
  readonly received: string;
  /** The received value itself. */
  readonly value: unknown;
  /** The value of a property, if the contract could list it. */
  readonly property?: unknown;
  /** True for a property with the name of a secret, and a text. */
  readonly isSecret?: boolean;
}

/**
 * Values that a stricter contract would reject: unlisted properties, values that aren't in `x-extensible-enum`, and
 * times that aren't in UTC although the description says so.
 */
export function unlistedValues(document: OpenApiDocument, described: DescribedValue): readonly UnlistedValue[] {
  const { value, path, schemas } = described;
  const lists = schemas.map((schema) => ({ schema, values: elementsOf(extensionOf(schema, "x-extensible-enum")) }));
  const list = lists.find(({ values }) => values.length > 0);
  const time = schemas.find(({ format }) => format === "date-time");
  const isUtc = schemas.some(({ description = "" }) => /\bUTC\b/.test(description));
  const received = describeReceived(document, described);
  const found = unlistedMembers(document, described);
  if (list !== undefined && value !== null && !list.values.includes(value)) {
    const message = `the known values of ${path} are ${list.values.map(String).join(", ")}`;
    found.push({
      code: "x-extensible-enum",
      place: `${pointerOf(document, list.schema)}/x-extensible-enum`,
      message,
      received,
      value,
    });
  }
  if (time !== undefined && isUtc && typeof value === "string" && !isInUtc(value)) {
    found.push({
      code: "format",
      place: pointerOf(document, time),
      message: `${path} is a time in UTC, as described`,
      received,
      value,
    });
  }
  return found;
}

/** Returns whether a date-time (RFC 3339, section 5.6) has the offset of UTC. */
function isInUtc(dateTime: string): boolean {
  const upperCase = dateTime.toUpperCase();
  return ["Z", "+00:00", "-00:00"].some((offset) => upperCase.endsWith(offset));
}

/** The unlisted members of an object. None if the contract allows or forbids other members explicitly. */
function unlistedMembers(document: OpenApiDocument, { value, path, schemas }: DescribedValue): UnlistedValue[] {
  const listing = schemas.find(({ properties }) => properties !== undefined);
  const settling = ["additionalProperties", "unevaluatedProperties", "patternProperties"];
  if (listing === undefined || schemas.some((schema) => settling.some((keyword) => keyword in schema))) return [];
  return membersOf(value)
    .filter(([name]) => !schemas.some(({ properties = {} }) => Object.hasOwn(properties, name)))
    .map(([name, member]) => {
      const inside = path + jsonPointer([name]);
      const received = describeReceived(document, { value: member, path: inside, schemas: [] });
      const place = pointerOf(document, listing) + jsonPointer(["properties", name]);
      const message = `the property ${inside} isn't listed`;
      const isSecret = typeof member === "string" && member !== "" && isPasswordName(name);
      const unlisted = { code: "properties", place, message, received, value: member, isSecret } as const;
      return isPropertyName(name) ? { ...unlisted, property: member } : unlisted;
    });
}

/** What an observation says about an unlisted value, with its shape if the contract could list it. */
export function unlistedFact({ code, message, received, property }: UnlistedValue, direction: Direction): ObservedFact {
  return { code, direction, message, received, shape: property === undefined ? undefined : shapeOfValue(property) };
}

/** Makes a function that checks whether an example has a value that its schema doesn't list. */
export function createKnownCheck({ document, operations }: Generation): (value: UnlistedValue) => boolean {
  const keyOf = ({ place, value }: UnlistedValue) => `${place} ${describeValue({ value, path: "" })}`;
  const contents = operations.flatMap(({ responses }) => responses.flatMap(({ content }) => content));
  const bodies = contents.flatMap(({ schema, examples }) =>
    examples.flatMap(({ value }) => describeBody(document, value, schema)),
  );
  const known = new Set(bodies.flatMap((one) => unlistedValues(document, one)).map(keyOf));
  return (value) => known.has(keyOf(value));
}
