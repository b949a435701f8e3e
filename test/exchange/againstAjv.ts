/**
 * Compares the validator with ajv: `node test/exchange/againstAjv.ts 5000 25` makes 5,000 schemas, and 25 values for each,
 * and prints how many verdicts differ, by the reason, and each difference that has none.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { attempt } from "../../scripts/contract/failures.ts";
import { groupBy } from "../../scripts/values/collections.ts";
import { findViolations } from "../../scripts/exchange/validator.ts";
import { createRandom, randomDocument, randomValue } from "./randomSchemas.ts";

/** A value of which the two say different things. */
export interface Difference {
  readonly schema: object;
  readonly value: unknown;
  readonly ajv: boolean;
  readonly ours: boolean;
}

/** Compares the verdicts of so many values of so many schemas. `skipped`: the schemas that ajv cannot compile. */
export function compareWithAjv(schemas: number, values: number, seed: number) {
  const random = createRandom(seed);
  const differences: Difference[] = [];
  const counts = { pairs: 0, valid: 0, skipped: 0 };
  for (let made = 0; made < schemas; made += 1) {
    const schema = randomDocument(random);
    const isValid = attempt(() => compileWithAjv(schema));
    if (isValid === undefined) counts.skipped += 1;
    for (let count = 0; count < values; count += 1) {
      const value = randomValue(random, 3);
      const { violations, stopped } = findViolations(schema, value, { document: schema, oneWay: "writeOnly" });
      const ours = violations.length === 0;
      const ajv = isValid === undefined ? undefined : attempt(() => isValid(value));
      // The schema applies itself to the same value without end.
      if (ajv === undefined || stopped !== undefined) continue;
      if (ajv !== ours) differences.push({ schema, value, ajv, ours });
      counts.pairs += 1;
      counts.valid += ours ? 1 : 0;
    }
  }
  return { ...counts, differences };
}

function compileWithAjv(schema: object): ValidateFunction {
  // Only own properties: else an object has the property `toString`.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, ownProperties: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

/** Mistakes of ajv (8.20), and the schemas and values in which they show. In all of them, the validator keeps the standard. */
const mistakes: readonly (readonly [name: string, isMade: (schema: string, value: string) => boolean])[] = [
  [
    "rounds quotients of large numbers",
    (schema, value) => schema.includes('"multipleOf"') && value.includes("0".repeat(20)),
  ],
  ["leaves properties named like members of prototypes out", (...texts) => /"__proto__"|"toString"/.test(texts.join())],
];

/** The mistake of ajv that a difference shows; `undefined` if it is none that is known. */
export function explain({ schema, value }: Difference): string | undefined {
  const [schemaText, valueText] = [JSON.stringify(schema), JSON.stringify(value)];
  return mistakes.find(([, isMade]) => isMade(schemaText, valueText))?.[0];
}

if (import.meta.main) {
  const [schemas = "5000", values = "25", seed = "1"] = process.argv.slice(2);
  const { differences, ...counts } = compareWithAjv(Number(schemas), Number(values), Number(seed));
  for (const [reason = "no known reason", some] of groupBy(differences, explain)) {
    console.log(`${some.length} differ: ajv ${reason}`);
    if (reason === "no known reason") for (const difference of some) console.log(JSON.stringify(difference));
  }
  console.log({ ...counts, differences: differences.length });
}
