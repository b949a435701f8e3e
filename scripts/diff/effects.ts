import { isDeepStrictEqual } from "node:util";
import { elementsOf, isObject, mapMembers, membersOf, stringsOf } from "../spec/json.ts";
import { valueAt } from "../spec/jsonPointer.ts";
import { typesOf, type Direction } from "../spec/schemas.ts";
import { follow, parts, type Members, type Spot } from "./fields.ts";

/**
 * The effect of a difference: fewer or more values are possible, or others; more is offered, which breaks nobody; or only
 * the explanation differs.
 */
export type Effect = "narrower" | "wider" | "replaced" | "gained" | "explained";

/** The directions in which an effect breaks consumers: what they send is refused, or what they receive is new to them. */
export const breaks: Readonly<Record<Effect, readonly Direction[]>> = {
  ...{ narrower: ["request"], wider: ["response"], replaced: ["request", "response"] },
  ...{ gained: [], explained: [] },
};

type Fields = Readonly<Record<string, unknown>>;

/** Gives the effect of another value of a field; `undefined` if all of it is told elsewhere. */
type Rule = (before: unknown, after: unknown, old: Fields, current: Fields) => Effect | undefined;

/** The rule for fields that have no other: they are constraints, of which `false` is the narrowest. */
const constrain = (before: unknown, after: unknown): Effect => {
  if (before === undefined || after === false) return "narrower";
  return after === undefined || before === false ? "wider" : "replaced";
};

/** The effect of another set of possible values. */
const compareSets = (before: unknown, after: unknown): Effect | undefined => {
  const [old, current] = [before, after].map((set) => elementsOf(set).map((value) => JSON.stringify(value)));
  const isWider = current?.some((value) => !old?.includes(value));
  const isNarrower = old?.some((value) => !current?.includes(value));
  if (isWider) return isNarrower ? "replaced" : "wider";
  return isNarrower ? "narrower" : undefined;
};

/** Some of the former are not there now. */
const hasLost = (before: unknown, after: unknown) => /narrower|replaced/.test(compareSets(before, after) ?? "");

/** An exclusive limit is narrower than the same one that is not. */
const limit =
  (sign: 1 | -1, inclusive: string, exclusive = ""): Rule =>
  (_before, _after, ...objects) => {
    const [before = [], after = []] = objects.map((object) => {
      const [closed, open] = [object[inclusive], object[exclusive]].map(
        (value) => sign * Number(value ?? sign * Infinity),
      );
      return Number(open) <= Number(closed) ? [open, 0] : [closed, 1];
    });
    const [difference] = before.map((value, index) => Number(after[index]) - Number(value)).filter(Boolean);
    return Number(difference) > 0 ? "wider" : "narrower";
  };

const oneOfValues: Rule = (_before, _after, ...objects) => {
  const [before, after] = objects.map(({ const: only, enum: all }) => (only === undefined ? all : [only]));
  return before === undefined || after === undefined ? constrain(before, after) : compareSets(before, after);
};

const replace: Rule = (before) => (before === undefined ? "gained" : "replaced");
const explain: Rule = () => "explained";
const stayOpen: Rule = (before, after) => (before === false ? "gained" : constrain(before, after));

const rules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    ["Length", "Items", "Properties", "Contains"].flatMap((end) => [
      [`max${end}`, limit(1, `max${end}`)],
      [`min${end}`, limit(-1, `min${end}`)],
    ]),
  ),
  ...{ maximum: limit(1, "maximum", "exclusiveMaximum"), exclusiveMaximum: limit(1, "maximum", "exclusiveMaximum") },
  ...{ minimum: limit(-1, "minimum", "exclusiveMinimum"), exclusiveMinimum: limit(-1, "minimum", "exclusiveMinimum") },
  ...{ const: oneOfValues, enum: oneOfValues, operationId: replace, "x-pagination": replace },
  ...{
    style: () => "replaced",
    explode: () => "replaced",
    default: (before) => (before === undefined ? "gained" : "narrower"),
  },
  ...{ additionalProperties: stayOpen, unevaluatedProperties: stayOpen },
  ...{ allowEmptyValue: (_, after) => constrain(after, _), allowReserved: (_, after) => constrain(after, _) },
  ...{ deprecated: () => "gained", "x-deprecated-on": () => "gained", "x-sunset": () => "gained" },
  ...{ description: explain, summary: explain, title: explain, example: explain, examples: explain, $comment: explain },
  ...{
    externalDocs: explain,
    links: explain,
    tags: explain,
    contact: explain,
    license: explain,
    termsOfService: explain,
  },
  ...{ readOnly: (_, after) => (after === true ? "narrower" : "gained") },
  ...{ writeOnly: (_, after) => (after === true ? "wider" : "gained") },
  type: (before, after) => compareSets(allTypes(before), allTypes(after)),
  // Properties that come or go are told with this.
  required: (before, after, old, current) => {
    if (!Array.isArray(before ?? after)) return constrain(before, after);
    const isKept = (name: string) =>
      (valueAt(old, ["properties", name]) === undefined) === (valueAt(current, ["properties", name]) === undefined);
    return compareSets(stringsOf(after).filter(isKept), stringsOf(before).filter(isKept));
  },
  dependentRequired: (before, after) => compareSets(listDependents(after), listDependents(before)),
  format: (before, after) => {
    const [forward, back] = [
      [before, after],
      [after, before],
    ].map((pair) => /^(?:int32,int64|float,double)$/.test(pair.join()));
    return forward ? "wider" : back ? "narrower" : constrain(before, after);
  },
  multipleOf: (before, after) => {
    const ratio = Number(before) / Number(after);
    return Number.isInteger(ratio) ? "wider" : Number.isInteger(1 / ratio) ? "narrower" : constrain(before, after);
  },
  discriminator: (before, after) => {
    const names = membersOf(valueAt(before, ["mapping"])).map(([name]) => ["mapping", name]);
    const isOther = (keys: readonly string[]) => {
      const [old, current] = [valueAt(before, keys), valueAt(after, keys)];
      return old !== undefined && current !== undefined && old !== current;
    };
    return [["propertyName"], ...names].some(isOther) ? "replaced" : "gained";
  },
  scopes: (before, after) => (hasLost(Object.keys(Object(before)), Object.keys(Object(after))) ? "replaced" : "gained"),
  "x-extensible-enum": (before, after) => (hasLost(before, after) ? "narrower" : "gained"),
  "x-unspecified": (before, after) => (hasLost(after, before) ? "gained" : "explained"),
};

/** The effect of another value of a field in two objects. */
export function effectOfField(
  field: string,
  values: readonly unknown[],
  objects: readonly unknown[],
): Effect | undefined {
  const [old = {}, current = {}] = objects.map((object) => (isObject(object) ? object : {}));
  return (rules[field] ?? constrain)(values[0], values[1], old, current);
}

/** The effect of an object that came to a field of another one, or went from it. */
export function effectOfMember(
  field: string,
  name: string,
  spot: Spot,
  added?: { holder: Spot; former: Members },
): Effect {
  const part = parts.get(field);
  if (part === "explanation") return "explained";
  if (part !== "offer") return (part === "constraint") === (added !== undefined) ? "narrower" : "wider";
  if (field === "responses" && !name.startsWith("2")) return "gained";
  if (added === undefined) return "replaced";
  const { holder, former } = added;
  if (field === "responses") {
    const contents = [...former].flatMap(([status, one]) => (status.startsWith("2") ? [contentOf(one)] : []));
    return contents.length === 0 || contents.some((one) => isDeepStrictEqual(one, contentOf(spot)))
      ? "gained"
      : "wider";
  }
  const required =
    field === "properties" ? valueAt(holder.value, ["required"]) : valueAt(follow(spot).value, ["required"]);
  return required === true || stringsOf(required).includes(name) ? "narrower" : "gained";
}

/** The schemas of a response by their media types. */
function contentOf(response: Spot) {
  return mapMembers(valueAt(follow(response).value, ["content"]), (media) => valueAt(media, ["schema"]));
}

/** Tells whether no value is of both types. */
export function areDisjoint(before: unknown, after: unknown): boolean {
  return !allTypes(before).some((type) => allTypes(after).includes(type));
}

/** The types that values may have; all of them without the keyword. */
function allTypes(type: unknown): readonly string[] {
  const types = type === undefined ? ["null", "boolean", "object", "array", "number", "string"] : typesOf({ type });
  return types.flatMap((one) => (one === "number" ? [one, "integer"] : one));
}

function listDependents(value: unknown): readonly string[] {
  return membersOf(value).flatMap(([name, others]) => stringsOf(others).map((other) => JSON.stringify([name, other])));
}
