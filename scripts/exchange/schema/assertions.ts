/** Keywords that assert something about a value itself (JSON Schema 2020-12 Validation, sections 6 and 7). */
import { canonicalJson, equalJson } from "../../values/json.ts";
import { isOfType } from "../../values/jsonType.ts";
import { isMultipleOf } from "../../values/multiples.ts";
import type { Pattern } from "../../spec/patterns.ts";
import { numberFormats, textFormats } from "./formats.ts";
import { keywordOf, type Check, type Form, type Keyword, type Members } from "./keyword.ts";
import {
  aBoolean,
  aCount,
  aList,
  aListOfNames,
  aNumber,
  anyValue,
  aPattern,
  aPositiveNumber,
  aText,
  typeNamesForm,
} from "./keywordForms.ts";
import { fail, isSettled, takeSteps, type Run } from "./run.ts";
import { requireTypes, requireValues } from "./valueWords.ts";

/** Section 6.1.1. Checked first. */
export const typeKeyword: Readonly<Record<"type", Keyword<unknown>>> = {
  type: keywordOf(typeNamesForm, (types, site) => {
    const names = [...types];
    const message = requireTypes(names);
    return (value, run) => names.some((name) => isOfType(value, name)) || fail(run, site, value, message);
  }),
};

/** Sections 6.1.2 and 6.1.3. */
export const valueAssertions = {
  const: keywordOf(anyValue, ([constant], site): Check<unknown> => {
    const message = requireValues([constant]);
    return (value, run) => equalJson(value, constant) || fail(run, site, value, message);
  }),
  enum: keywordOf(aList, (values, site): Check<unknown> => {
    const plain = new Set(values.filter((one) => typeof one !== "object" || one === null));
    const containers = values.filter((one) => !plain.has(one));
    const message = requireValues(values);
    return (value, run) =>
      plain.has(value) || containers.some((one) => equalJson(value, one)) || fail(run, site, value, message);
  }),
};

/** Section 6.2, and formats of numbers (section 7). */
export const numberAssertions: Readonly<Record<string, Keyword<number>>> = {
  maximum: bound("at most", (value, most) => value <= most),
  minimum: bound("at least", (value, least) => value >= least),
  exclusiveMaximum: bound("less than", (value, most) => value < most),
  exclusiveMinimum: bound("more than", (value, least) => value > least),
  multipleOf: limit(aPositiveNumber, isMultipleOf, (divisor) => `must be multiple of ${divisor}`),
  format: formatOf(numberFormats),
};

/** Section 6.3, and formats of texts (section 7). Lengths are in characters of Unicode. */
export const stringAssertions: Readonly<Record<string, Keyword<string>>> = {
  maxLength: atMost(["character", "characters"], (text, most) => text.length <= most || lengthOf(text) <= most),
  minLength: atLeast(["character", "characters"], (text, least) => text.length >= least && lengthOf(text) >= least),
  pattern: keywordOf(
    aPattern,
    (pattern, site) => (value, run) =>
      matches(pattern, value, run) !== false || fail(run, site, value, `must match pattern "${String(site.expected)}"`),
  ),
  format: formatOf(textFormats),
};

/** Section 6.4. */
export const arrayAssertions: Readonly<Record<string, Keyword<readonly unknown[]>>> = {
  uniqueItems: keywordOf(aBoolean, (isUnique, site) => {
    if (!isUnique) return undefined;
    return (items, run) => {
      const seen = new Map<string, number>();
      for (const [index, item] of items.entries()) {
        // Most items are plain, and faster to write so.
        const text = typeof item === "object" ? canonicalJson(item) : JSON.stringify(item);
        takeSteps(run, text.length >> 4);
        const earlier = seen.get(text);
        if (earlier !== undefined) {
          const message = `must not have duplicate items (items ## ${earlier} and ${index} are identical)`;
          return fail(run, site, items, message);
        }
        seen.set(text, index);
      }
      return true;
    };
  }),
};

export const arrayLimits: Readonly<Record<string, Keyword<readonly unknown[]>>> = {
  maxItems: atMost(["item", "items"], (items, most) => items.length <= most),
  minItems: atLeast(["item", "items"], (items, least) => items.length >= least),
};

/** Section 6.5. */
export const objectAssertions: Readonly<Record<string, Keyword<Members>>> = {
  maxProperties: atMost(["property", "properties"], (object, most) => Object.keys(object).length <= most),
  minProperties: atLeast(["property", "properties"], (object, least) => Object.keys(object).length >= least),
  required: keywordOf(aListOfNames, (all, site) => {
    const names = all.filter((name) => !site.optional.has(name));
    const rule = { keyword: site.keyword, expected: names };
    return (object, run) => {
      let isValid = true;
      for (const name of names) {
        if (Object.hasOwn(object, name)) continue;
        isValid = fail(run, rule, object, `must have required property '${name}'`);
        if (isSettled(run)) break;
      }
      return isValid;
    };
  }),
};

/**
 * Returns whether a text matches a pattern, or `undefined` if no text is compared with it. Throws {@link TooMuchEffort} if
 * comparing them takes too long.
 */
function matches(pattern: Pattern, value: string, run: Run): boolean | undefined {
  const isMatch = pattern.test(value, (steps) => {
    takeSteps(run, steps);
  });
  if (isMatch === undefined) run.unchecked += 1;
  return isMatch;
}

type IsWithin<Value> = (value: Value, limit: number) => boolean;

/**
 * A keyword with a number that values are compared with. `messageFor` describes a violation, given that
 * number.
 */
function limit<Value>(
  form: Form<number>,
  isWithin: IsWithin<Value>,
  messageFor: (limit: number) => string,
): Keyword<Value> {
  return keywordOf(form, (written, site) => {
    const message = messageFor(written);
    return (value, run) => isWithin(value, written) || fail(run, site, value, message);
  });
}

function bound(words: string, isWithin: IsWithin<number>): Keyword<number> {
  return limit(aNumber, isWithin, (written) => `must be ${words} ${written}`);
}

/** What is counted: a noun, and its plural. */
type Noun = readonly [one: string, several: string];

function atMost<Value>([one, several]: Noun, isWithin: IsWithin<Value>): Keyword<Value> {
  return limit(aCount, isWithin, (most) => `must have at most ${most} ${most === 1 ? one : several}`);
}

function atLeast<Value>([one, several]: Noun, isWithin: IsWithin<Value>): Keyword<Value> {
  return limit(aCount, isWithin, (least) => `must have at least ${least} ${least === 1 ? one : several}`);
}

/**
 * The keyword `format`, with checks by the name of the format. An unknown one is an annotation (section
 * 7.2.3).
 */
function formatOf<Value>(formats: ReadonlyMap<string, (value: Value) => boolean>): Keyword<Value> {
  return keywordOf(aText, (name, site) => {
    const isOfFormat = formats.get(name);
    if (isOfFormat === undefined) return undefined;
    return (value, run) => isOfFormat(value) || fail(run, site, value, `must match format "${name}"`);
  });
}

/** The number of Unicode characters in a text. Some of them take two UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.codePointAt(index) ?? 0;
    if (code > 0xffff) index += 1;
    length += 1;
  }
  return length;
}
