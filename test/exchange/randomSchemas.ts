/** Random schemas of JSON Schema 2020-12, and random values, of which about half are valid. */

/** Gives the next random number below a limit; the same ones for a seed. */
export type Random = (limit: number) => number;

/** A linear congruential generator: all that matters is that a seed gives the same numbers everywhere. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Schema = boolean | Readonly<Record<string, unknown>>;

const names = ["a", "b", "ab", "c", "toString", "__proto__"];
const types = ["string", "number", "integer", "boolean", "null", "array", "object"];
const texts = ["", "a", "ab", "abc", "𝒳", "2020-02-30", "2024-02-29", "http://a.b/c", "a@b.c", "1.2.3.4"];
const numbers = [0, 1, 2, 3, 4, 6, -1, 1.5, 2.5, 1e20];
const patterns = ["^a", "b$", "^.{2}$", "\\p{L}"];
const definitions = ["first", "second"];

/** A schema with definitions that its references lead to. */
export function randomDocument(random: Random): Readonly<Record<string, unknown>> {
  const $defs = Object.fromEntries(definitions.map((name) => [name, randomSchema(random, 1)]));
  const schema = randomSchema(random, 3);
  return typeof schema === "boolean" ? { allOf: [schema], $defs } : { ...schema, $defs };
}

function randomSchema(random: Random, levels: number): Schema {
  if (random(12) === 0) return random(3) > 0;
  const keywords = Array.from({ length: 1 + random(4) }, () => randomKeyword(random, levels));
  return Object.fromEntries(keywords.flatMap((one) => Object.entries(one)));
}

/** A keyword and those that it goes with. With few levels left, it has no schema in it. */
function randomKeyword(random: Random, levels: number): Readonly<Record<string, unknown>> {
  const makers = levels > 0 && random(2) === 0 ? [...applicators, ...applicators, ...assertions] : assertions;
  const make = pick(random, makers);
  return make(random, () => randomSchema(random, levels - 1));
}

type Make = (random: Random, schema: () => Schema) => Readonly<Record<string, unknown>>;

const assertions: readonly Make[] = [
  (random) => ({
    type: random(3) === 0 ? [...new Set([pick(random, types), pick(random, types)])] : pick(random, types),
  }),
  (random) => ({ const: randomValue(random, 1) }),
  (random) => ({ enum: [randomValue(random, 1), randomValue(random, 1), randomValue(random, 0)] }),
  (random) => ({ minimum: pick(random, numbers) }),
  (random) => ({ maximum: pick(random, numbers) }),
  (random) => ({ exclusiveMinimum: pick(random, numbers) }),
  (random) => ({ exclusiveMaximum: pick(random, numbers) }),
  (random) => ({ multipleOf: pick(random, [1, 2, 3, 0.5]) }),
  (random) => ({ minLength: random(4) }),
  (random) => ({ maxLength: random(4) }),
  (random) => ({ pattern: pick(random, patterns) }),
  (random) => ({ format: pick(random, ["date", "uri", "email", "ipv4"]) }),
  (random) => ({ minItems: random(3) }),
  (random) => ({ maxItems: random(4) }),
  () => ({ uniqueItems: true }),
  (random) => ({ minProperties: random(3) }),
  (random) => ({ maxProperties: random(4) }),
  (random) => ({ required: randomNames(random) }),
  (random) => ({ $ref: `#/$defs/${pick(random, definitions)}` }),
];

const applicators: readonly Make[] = [
  (random, schema) => ({ allOf: listOf(random, schema) }),
  (random, schema) => ({ anyOf: listOf(random, schema) }),
  (random, schema) => ({ oneOf: listOf(random, schema) }),
  (random, schema) => ({ properties: { [pick(random, names)]: schema(), [pick(random, names)]: schema() } }),
  (_, schema) => ({ additionalProperties: schema() }),
  (_, schema) => ({ items: schema() }),
];

function listOf(random: Random, schema: () => Schema): readonly Schema[] {
  return Array.from({ length: 1 + random(3) }, schema);
}

function randomNames(random: Random): readonly string[] {
  return [...new Set(Array.from({ length: 1 + random(2) }, () => pick(random, names)))];
}

/** A value with so many levels at most. */
export function randomValue(random: Random, levels: number): unknown {
  const kind = random(levels > 0 ? 10 : 6);
  if (kind < 2) return pick(random, texts);
  if (kind < 4) return pick(random, numbers);
  if (kind < 6) return pick(random, [true, false, null]);
  const inner = () => randomValue(random, levels - 1);
  if (kind < 8) return Array.from({ length: random(4) }, inner);
  return Object.fromEntries(Array.from({ length: random(4) }, () => [pick(random, names), inner()]));
}

function pick<T>(random: Random, from: readonly [T, ...T[]] | readonly T[]): T {
  const picked = from[random(from.length)];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}
