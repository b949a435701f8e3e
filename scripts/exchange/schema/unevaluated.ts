/**
 * Keywords for the parts that no other keyword has evaluated (JSON Schema 2020-12 Core, section 11). They
 * come last.
 */
import { membersOf } from "../../spec/json.ts";
import { forbidder } from "./applicators.ts";
import { applyInside } from "./applySchema.ts";
import { keywordOf, type Keyword, type Members } from "./keyword.ts";
import { aSchema } from "./keywordForms.ts";
import { fail, isSettled } from "./run.ts";

/** Section 11.2. */
export const unevaluatedItems: Readonly<Record<string, Keyword<readonly unknown[]>>> = {
  unevaluatedItems: keywordOf(aSchema, ([written], { scope, ...rule }) => {
    const schema = scope.schema(written);
    return (items, run, evaluated) => {
      const indexes = [...items.keys()].filter((index) => evaluated?.has(index) !== true);
      const [first] = indexes;
      if (written === false && first !== undefined)
        return fail(run, rule, items, `must not have more than ${first} items`);
      let isValid = true;
      for (const index of indexes) {
        evaluated?.add(index);
        if (applyInside(schema, items[index], index, run)) continue;
        isValid = false;
        if (isSettled(run)) break;
      }
      return isValid;
    };
  }),
};

/** Section 11.3. */
export const unevaluatedProperties: Readonly<Record<string, Keyword<Members>>> = {
  unevaluatedProperties: keywordOf(aSchema, ([written], { scope, schema: { properties }, ...rule }) => {
    const schema = scope.schema(written);
    const forbid = forbidder(
      rule,
      membersOf(properties).map(([name]) => name),
    );
    return (object, run, evaluated) => {
      let isValid = true;
      for (const name of Object.keys(object)) {
        if (evaluated?.has(name) === true) continue;
        evaluated?.add(name);
        const isAllowed = written === false ? forbid(run, object, name) : applyInside(schema, object[name], name, run);
        if (isAllowed) continue;
        isValid = false;
        if (isSettled(run)) break;
      }
      return isValid;
    };
  }),
};
