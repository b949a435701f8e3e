import { isDeepStrictEqual } from "node:util";
import { placeName } from "../contract/gaps.ts";
import { isObject, membersOf, objectsOf } from "../spec/json.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { isReference } from "../spec/openapi.ts";
import type { Direction } from "../spec/schemas.ts";
import type { Change } from "./changes.ts";
import { compareGaps, describeField, describeMember, withPlace } from "./describeDifference.ts";
import { areDisjoint, effectOfField, effectOfMember, type Effect } from "./effects.ts";
import { fieldsOf, follow, lists, membersIn, type Members, type Spot } from "./fields.ts";

/** Two states of an object, or one that came or went: what uses it, and what differs. */
export interface Compared {
  /** The operation, if it is one; empty for what is about a generation as a whole. */
  readonly name?: string;
  readonly uses: Use[];
  readonly differences: Difference[];
  /** The service sends the requests, as those of webhooks. */
  readonly isReversed?: boolean;
  readonly closedGaps?: readonly string[];
}

/** Something in which an object is used, and the directions in which values travel there. */
interface Use {
  readonly by: Compared;
  readonly field: string;
  readonly directions: readonly Direction[];
}

export interface Difference extends Pick<Change, "pointer" | "message" | "gaps"> {
  readonly kind: "added" | "removed" | "changed" | "deprecated";
  readonly effect: Effect;
  /** The field, or another word by which advice is found. */
  readonly topic: string;
}

/** An object that takes the place of one with another name. */
interface Successor {
  readonly from: Spot;
  readonly to: Spot;
  readonly told?: Pick<Difference, "effect" | "message">;
}

/** Fields that are told with another one of the same object. */
const consequences: Readonly<Record<string, string>> = {
  ...{ const: "enum", "x-extensible-enum": "enum", "x-deprecated-on": "deprecated", "x-sunset": "deprecated" },
  ...{ maximum: "exclusiveMaximum", minimum: "exclusiveMinimum" },
};
const limits = /^(?:format|pattern|multipleOf|default|(?:exclusiveM|m)(?:ax|in)imum|(?:max|min)[A-Z]\w+)$/;

/** Compares objects with all that they contain and refer to: each two once, however many operations use them. */
export function createComparison() {
  const all: Compared[] = [];
  const known = new Map<unknown, Map<unknown, Compared>>();

  const add = (compared: Compared): Compared => {
    all.push(compared);
    return compared;
  };

  const compare = (first: Spot, second: Spot, use: Use): void => {
    const sides = [alignAlternatives(first, second), alignAlternatives(second, first)] as const;
    const differences = describeName(...sides);
    if (differences.length > 0) add({ uses: [use], differences });
    // Fields beside references are compared, and then what those lead to.
    const areReferences = sides.every(({ value }) => isReference(value));
    const isWhole = areReferences && sides.some(({ value }) => membersOf(value).length > 1);
    const [before, after] = isWhole ? sides : [follow(sides[0]), follow(sides[1])];
    const pairs = known.get(before.value) ?? new Map<unknown, Compared>();
    const found = pairs.get(after.value);
    if (found !== undefined) {
      found.uses.push(use);
      return;
    }
    const [old, current] = [fieldsOf(before).get("x-unspecified"), fieldsOf(after).get("x-unspecified")];
    const inherited = use.field === "schema" ? (use.by.closedGaps ?? []) : [];
    const isReversed = (use.by.isReversed === true) !== (use.field === "callbacks");
    const closed = [...inherited, ...compareGaps(old, current).closed];
    const compared = add({ uses: [use], differences: [], isReversed, closedGaps: closed });
    known.set(before.value, pairs.set(after.value, compared));
    compareFields(before, after, compared);
  };

  const compareFields = (before: Spot, after: Spot, by: Compared): void => {
    const [old, current] = [fieldsOf(before), fieldsOf(after)];
    const differs = (field = "") => !isDeepStrictEqual(old.get(field), current.get(field));
    const isRetyped = areDisjoint(old.get("type"), current.get("type"));
    for (const field of new Set([...current.keys(), ...old.keys()])) {
      const values = [old.get(field), current.get(field)] as const;
      const members = [membersIn(before, field, values[0]), membersIn(after, field, values[1])] as const;
      const isNewChoice = /^(?:any|one)Of$/.test(field) && values.includes(undefined);
      if (members[0] !== undefined && members[1] !== undefined && !isNewChoice) {
        // What is in values of another type follows from that.
        if (!isRetyped) compareMembers(field, members[0], members[1], by, after);
      } else if (differs(field) && !differs(consequences[field])) {
        by.differences.push(...describe(field, values, before, after, by));
      }
    }
  };

  /** Compares the objects in a field of another one. Returns those that have another name. */
  const compareMembers = (field: string, before: Members, after: Members, by: Compared, holder: Spot) => {
    const lost = new Map([...before].filter(([name]) => !after.has(name)));
    const gained = new Map([...after].filter(([name]) => !before.has(name)));
    const successors = findSuccessors(field, lost, gained);
    const use = (...spots: readonly Spot[]) => ({ by, field, directions: directionsIn(field, by, spots) });
    for (const [name, spot] of after) {
      const successor = successors.find(({ to }) => to === spot);
      const former = successor?.from ?? before.get(name);
      const kind = former === undefined ? "added" : "changed";
      const told =
        former === undefined
          ? {
              effect: effectOfMember(field, name, spot, { holder, former: before }),
              message: describeMember(field, name, "added", spot),
            }
          : successor?.told;
      const topic = former === undefined ? field : "renamed";
      if (told !== undefined) {
        add({ uses: [use(spot)], differences: [{ ...told, kind, topic, pointer: follow(spot).pointer }] });
      }
      if (former !== undefined && (told === undefined || told.effect === "explained"))
        compare(former, spot, use(former, spot));
    }
    for (const [name, spot] of lost) {
      if (successors.some(({ from }) => from === spot)) continue;
      const [effect, message] = [effectOfMember(field, name, spot), describeMember(field, name, "removed", spot)];
      add({
        uses: [use(spot)],
        differences: [{ effect, message, kind: "removed", topic: field, pointer: spot.pointer }],
      });
    }
    return successors;
  };
  return { all, add, compare, compareFields, compareMembers };
}

function describe(
  field: string,
  values: readonly [unknown, unknown],
  before: Spot,
  after: Spot,
  by: Compared,
): readonly Difference[] {
  const effect = effectOfField(field, values, [before.value, after.value]);
  if (effect === undefined) return [];
  const word = field.replace("exclusiveM", "m");
  const fillsGap = limits.test(field) && values[0] === undefined && by.closedGaps?.some((gap) => gap.startsWith(word));
  return [
    {
      effect: fillsGap === true ? "explained" : effect,
      kind:
        /^(?:deprecated|x-sunset|x-deprecated-on)$/.test(field) && values[1] !== undefined ? "deprecated" : "changed",
      topic: values[1] === undefined ? `${field} unset` : field,
      pointer: after.pointer + jsonPointer([field]),
      message: describeField(field, ...values, after, by.name),
      ...(field === "x-unspecified" && { gaps: compareGaps(...values) }),
    },
  ];
}

/** The directions in which values of a part travel: properties that are only read or written have one. */
function directionsIn(field: string, { isReversed = false }: Compared, spots: readonly Spot[]): readonly Direction[] {
  const [sent, received]: readonly Direction[] = isReversed ? ["response", "request"] : ["request", "response"];
  if (field === "requestBody" || field === "parameters") return sent === undefined ? [] : [sent];
  if (field === "responses") return received === undefined ? [] : [received];
  const isOnly = (mode: string) => spots.every((spot) => valueAt(follow(spot).value, [mode]) === true);
  const isSent = field !== "properties" || !isOnly("readOnly");
  const isReceived = field !== "properties" || !isOnly("writeOnly");
  return [...(isSent ? (["request"] as const) : []), ...(isReceived ? (["response"] as const) : [])];
}

/** A schema that the other side has as one of several alternatives is the only one. */
function alignAlternatives(spot: Spot, { value: other }: Spot): Spot {
  const isAmong = (field: string) =>
    objectsOf(valueAt(other, [field])).some((one) => isDeepStrictEqual(one, spot.value));
  const field = ["oneOf", "anyOf"].find((name) => valueAt(spot.value, [name]) === undefined && isAmong(name));
  return field === undefined ? spot : { ...spot, value: { [field]: [spot.value] } };
}

/** Names of schemas are names of types: tells one that is gone. */
function describeName(before: Spot, after: Spot): Difference[] {
  if (!isReference(before.value) || !before.value.$ref.startsWith("#/components/schemas/")) return [];
  const keys = pointerKeys(before.value.$ref);
  if (valueAt(after.document, keys) !== undefined) return [];
  const successor = isReference(after.value) ? pointerKeys(after.value.$ref) : keys;
  const isRenamed = valueAt(before.document, successor) === undefined;
  const what = isRenamed ? `renamed to \`${successor.at(-1) ?? ""}\`` : "removed";
  const message = `The schema \`${keys.at(-1) ?? ""}\` was ${what}.`;
  return [
    { effect: "replaced", kind: "changed", topic: "name", pointer: jsonPointer(isRenamed ? successor : keys), message },
  ];
}

/** Finds what takes the place of members that are gone. */
function findSuccessors(field: string, lost: Members, gained: Members): readonly Successor[] {
  const [from, to] = [[...lost], [...gained]];
  if (lists.test(field) && field !== "parameters") {
    return from.length === to.length
      ? from.flatMap(([, one], index) => (to[index] === undefined ? [] : [{ from: one, to: to[index][1] }]))
      : [];
  }
  if (field === "responses") {
    const [[old, ...others] = [], [current, ...more] = []] = [from, to].map((all) =>
      all.filter(([status]) => status.startsWith("2")),
    );
    if (old === undefined || current === undefined || others.length + more.length > 0) return [];
    const isFilled = old[0].toUpperCase() === "2XX";
    const message = isFilled
      ? `The success status code, so far 2XX, is ${current[0]}.`
      : `Response \`${old[0]}\` became \`${current[0]}\`.`;
    return [
      {
        from: old[1],
        to: current[1],
        told: {
          effect: isFilled ? "explained" : "replaced",
          message: isFilled ? message : withPlace(`response ${current[0]}`, message),
        },
      },
    ];
  }
  const taken = new Set<Spot>();
  return from.flatMap(([name, one]) => {
    const found = to.find(([, other]) => !taken.has(other) && isSuccessor(field, one, other));
    if (found === undefined) return [];
    taken.add(found[1]);
    const [old, current] = [follow(one).value, follow(found[1]).value].map((value) => (isObject(value) ? value : {}));
    const names = field === "parameters" ? [old?.["name"], current?.["name"]] : [name, found[0]];
    const noun = field === "parameters" ? `${String(old?.["in"])} parameter` : "field";
    const what =
      names[0] === names[1]
        ? `is now a ${String(current?.["in"])} parameter`
        : `was renamed to \`${String(names[1])}\``;
    const message = withPlace(
      placeName(found[1].document, pointerKeys(found[1].pointer)),
      `The ${noun} \`${String(names[0])}\` ${what}.`,
    );
    return [{ from: one, to: found[1], told: { effect: "replaced" as const, message } }];
  });
}

function isSuccessor(field: string, one: Spot, other: Spot): boolean {
  if (field === "properties") return isDeepStrictEqual(one.value, other.value);
  if (field !== "parameters") return false;
  const [old, current] = [follow(one).value, follow(other).value];
  if (!isObject(old) || !isObject(current)) return false;
  return old["name"] === current["name"] || isDeepStrictEqual({ ...old, name: "" }, { ...current, name: "" });
}
