/** Keywords that apply schemas to a value or to its parts (JSON Schema 2020-12 Core, sections 8.2.3 and 10). */
import { listInWords } from "../../values/text.ts";
import { stringMembersOf, stringOf, valueAt } from "../../values/json.ts";
import { maskAndCut } from "../secrets.ts";
import { applyInside, applySchema } from "./applySchema.ts";
import { keywordOf, type Keyword, type Members, type PreparedSchema } from "./keyword.ts";
import { aListOfSchemas, aReference, aSchema, schemasByName } from "./keywordForms.ts";
import { fail, isSettled, isValidQuietly, violationsOf, type KeywordRule, type Run } from "./run.ts";

/** Section 8.2.3. */
export const references: Readonly<Record<string, Keyword<unknown>>> = {
  $ref: keywordOf(aReference, ([target], { scope }) => {
    const schema = scope.schema(target);
    return (value, run) => applySchema(schema, value, run);
  }),
};

/**
 * Creates a function that says why a value matches no alternative. A discriminator names the one that it's compared with, or
 * else the values that the discriminator may have.
 */
function createExplanation(
  message: string,
  listed: readonly unknown[],
  schemas: readonly PreparedSchema[],
  discriminator: unknown,
) {
  const name = stringOf(valueAt(discriminator, ["propertyName"]));
  const mapping = new Map(Object.entries(stringMembersOf(valueAt(discriminator, ["mapping"]))));
  return (value: unknown, run: Run) => {
    const told = name === undefined || mapping.size === 0 ? undefined : valueAt(value, [name]);
    if (typeof told !== "string") return { message, alternatives: violationsOfEach(schemas, value, run) };
    const target = mapping.get(told);
    const values = listInWords(
      [...mapping.keys()].map((one) => JSON.stringify(one)),
      "disjunction",
    );
    if (target === undefined) return { message: `must have ${name} ${values}` };
    const meant = schemas.filter((_, index) => valueAt(listed[index], ["$ref"]) === target);
    return { message, alternatives: violationsOfEach(meant.length > 0 ? meant : schemas, value, run) };
  };
}

/** Sections 10.2.1 and 10.2.2: schemas for the same value. */
export const combinations: Readonly<Record<string, Keyword<unknown>>> = {
  anyOf: keywordOf(aListOfSchemas, (listed, { scope, schema: around, ...rule }) => {
    const schemas = listed.map((schema) => scope.schema(schema));
    const explain = createExplanation("must match an alternative", listed, schemas, around["discriminator"]);
    return (value, run) =>
      isAnyValid(schemas, value, run) !== false || fail(run, rule, value, () => explain(value, run));
  }),
  oneOf: keywordOf(aListOfSchemas, (listed, { scope, schema: around, ...rule }) => {
    const schemas = listed.map((schema) => scope.schema(schema));
    const message = "must match exactly one alternative";
    const explain = createExplanation(message, listed, schemas, around["discriminator"]);
    return (value, run) => {
      const results = schemas.map((schema) => isValidQuietly(run, () => applySchema(schema, value, run)));
      const count = results.filter((isValid) => isValid === true).length;
      if (count > 1) return fail(run, rule, value, message);
      if (count === 1 || results.includes(undefined)) return true;
      return fail(run, rule, value, () => explain(value, run));
    };
  }),
  allOf: keywordOf(aListOfSchemas, (listed, { scope, optional }) => {
    // Properties that are optional in the whole are optional in its parts too.
    const schemas = listed.map((schema) => scope.schema(schema, optional));
    return (value, run) => {
      let isValid = true;
      for (const schema of schemas) {
        if (applySchema(schema, value, run)) continue;
        isValid = false;
        if (isSettled(run)) break;
      }
      return isValid;
    };
  }),
};

/** Section 10.3.1.2. */
export const itemApplicators: Readonly<Record<string, Keyword<readonly unknown[]>>> = {
  items: keywordOf(aSchema, ([written], { scope, schema: { prefixItems } }) => {
    // It is about the others.
    if (prefixItems !== undefined) return undefined;
    const schema = scope.schema(written);
    return (items, run) => {
      let isValid = true;
      for (let index = 0; index < items.length; index += 1) {
        if (applyInside(schema, items[index], index, run)) continue;
        isValid = false;
        if (isSettled(run)) break;
      }
      return isValid;
    };
  }),
};

/** Section 10.3.2. */
export const propertyApplicators: Readonly<Record<string, Keyword<Members>>> = {
  additionalProperties: keywordOf(
    aSchema,
    ([written], { scope, schema: { properties, patternProperties }, ...rule }) => {
      const schema = scope.schema(written);
      // It is about the others.
      if (patternProperties !== undefined) return undefined;
      const known = new Set(Object.keys(schemasByName.read(properties, scope.document) ?? {}));
      const forbid = forbidder(rule, known);
      return (object, run) => {
        let isValid = true;
        for (const name of Object.keys(object)) {
          if (known.has(name)) continue;
          const isAllowed =
            written === false ? forbid(run, object, name) : applyInside(schema, object[name], name, run);
          if (isAllowed) continue;
          isValid = false;
          if (isSettled(run)) break;
        }
        return isValid;
      };
    },
  ),
  properties: keywordOf(schemasByName, (written, { scope }) => {
    const properties = Object.entries(written).map(([name, schema]) => ({ name, schema: scope.schema(schema) }));
    return (object, run) => {
      let isValid = true;
      for (const { name, schema } of properties) {
        if (!Object.hasOwn(object, name)) continue;
        if (applyInside(schema, object[name], name, run)) continue;
        isValid = false;
        if (isSettled(run)) break;
      }
      return isValid;
    };
  }),
};

/** Returns whether a value matches one of several schemas. */
function isAnyValid(schemas: readonly PreparedSchema[], value: unknown, run: Run) {
  return isValidQuietly(run, () => schemas.some((schema) => applySchema(schema, value, run)));
}

/** The violations of each alternative. */
function violationsOfEach(schemas: readonly PreparedSchema[], value: unknown, run: Run) {
  return schemas.map((schema) => violationsOf(run, () => applySchema(schema, value, run)));
}

/** Creates a function that reports a forbidden property and returns `false`. `known` are the allowed ones. */
function forbidder(rule: KeywordRule, known: Iterable<string>) {
  const others = namesInWords(known);
  return (run: Run, object: Members, property: string): false =>
    fail(run, rule, object, () => {
      const message = `must not have ${JSON.stringify(maskAndCut(property))}${others}`;
      return { message, property };
    });
}

/** The allowed properties of an object that has another one. */
function namesInWords(names: Iterable<string>): string {
  const list = [...names].join(", ");
  return list === "" ? "" : `; it may have ${maskAndCut(list, 300)}`;
}
