/** Keywords that assert something about a value itself (JSON Schema 2020-12 Validation, sections 6 and 7). */
import { equalJson, isObject, jsonPointer } from "../../spec/json.ts";
import type { Pattern } from "../../spec/patterns.ts";
import { numberFormats, textFormats } from "./formats.ts";
import { keywordOf, type Check, type Keyword, type Members, type WrittenKeyword } from "./keyword.ts";
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
  listsOfNames,
  typeNamesForm,
} from "./keywordForms.ts";
import { isMultipleOf } from "./multiples.ts";
import { fail, isSettled, takeSteps, TooMuchEffort, type KeywordRule, type Run } from "./run.ts";
import { requireTypes, requireValues } from "./valueWords.ts";

const typeTests: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["array", (value) => Array.isArray(value)],
  ["boolean", (value) => typeof value === "boolean"],
  ["integer", (value) => Number.isInteger(value)],
  ["null", (value) => value === null],
  ["number", (value) => typeof value === "number"],
  ["object", isObject],
  ["string", (value) => typeof value === "string"],
]);

/** Section 6.1.1. Checked first. */
export const typeKeyword: Readonly<Record<"type", Keyword<unknown>>> = {
  type: keywordOf(typeNamesForm, (types, site) => {
    const names = [...types];
    const message = requireTypes(names);
    const tests = names.flatMap((name) => typeTests.get(name) ?? []);
    const [only] = tests;
    const isOfType =
      only !== undefined && tests.length === 1 ? only : (value: unknown) => tests.some((test) => test(value));
    return (value, run) => isOfType(value) || fail(run, site, value, message);
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
  maximum: limit("at most", (value, most) => value <= most),
  minimum: limit("at least", (value, least) => value >= least),
  exclusiveMaximum: limit("less than", (value, most) => value < most),
  exclusiveMinimum: limit("more than", (value, least) => value > least),
  multipleOf: keywordOf(
    aPositiveNumber,
    (divisor, site) => (value, run) =>
      isMultipleOf(value, divisor) || fail(run, site, value, `must be multiple of ${divisor}`),
  ),
  format: keywordOf(aText, (name, site) => formatCheck(numberFormats.get(name), name, site)),
};

/** Section 6.3, and formats of texts (section 7). Lengths are in characters of Unicode. */
export const stringAssertions: Readonly<Record<string, Keyword<string>>> = {
  maxLength: keywordOf(
    aCount,
    (most, site) => (value, run) =>
      value.length <= most ||
      lengthOf(value) <= most ||
      fail(run, site, value, `must not have more than ${most} characters`),
  ),
  minLength: keywordOf(
    aCount,
    (least, site) => (value, run) =>
      (value.length >= least && lengthOf(value) >= least) ||
      fail(run, site, value, `must not have fewer than ${least} characters`),
  ),
  pattern: keywordOf(
    aPattern,
    (pattern, site) => (value, run) =>
      matches(pattern, value, run, site) || fail(run, site, value, `must match pattern "${String(site.expected)}"`),
  ),
  format: keywordOf(aText, (name, site) => formatCheck(textFormats.get(name), name, site)),
};

/** Section 6.4, except for the companions of `contains`. */
export const arrayAssertions: Readonly<Record<string, Keyword<readonly unknown[]>>> = {
  uniqueItems: keywordOf(aBoolean, (isUnique, site) => {
    if (!isUnique) return undefined;
    return (items, run) => {
      const seen = new Map<string, number>();
      for (const [index, item] of items.entries()) {
        const text = textOf(item);
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
  maxItems: keywordOf(
    aCount,
    (most, site) => (items, run) =>
      items.length <= most || fail(run, site, items, `must not have more than ${most} items`),
  ),
  minItems: keywordOf(
    aCount,
    (least, site) => (items, run) =>
      items.length >= least || fail(run, site, items, `must not have fewer than ${least} items`),
  ),
};

/** Section 6.5. */
export const objectAssertions: Readonly<Record<string, Keyword<Members>>> = {
  maxProperties: keywordOf(
    aCount,
    (most, site) => (object, run) =>
      Object.keys(object).length <= most || fail(run, site, object, `must not have more than ${most} properties`),
  ),
  minProperties: keywordOf(
    aCount,
    (least, site) => (object, run) =>
      Object.keys(object).length >= least || fail(run, site, object, `must not have fewer than ${least} properties`),
  ),
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
  dependentRequired: keywordOf(listsOfNames, (dependent, site) => (object, run) => {
    let isValid = true;
    for (const [name, names] of Object.entries(dependent)) {
      if (!Object.hasOwn(object, name)) continue;
      const noun = names.length === 1 ? "property" : "properties";
      const message = `must have ${noun} ${names.join(", ")} when property ${name} is present`;
      if (names.every((one) => Object.hasOwn(object, one))) continue;
      isValid = fail(run, site, object, message);
      if (isSettled(run)) break;
    }
    return isValid;
  }),
};

/** Throws {@link TooMuchEffort} if comparing the text may take too long. */
export function matches(pattern: Pattern, value: string, run: Run, { keyword, expected }: KeywordRule): boolean {
  try {
    return pattern.test(value, (steps) => {
      takeSteps(run, steps);
    });
  } catch {
    const message = `can't be compared with the pattern "${pattern.source}": that may take too long`;
    throw new TooMuchEffort({ pointer: jsonPointer(run.keys.map(String)), keyword, expected, value, message });
  }
}

function limit(words: string, isWithin: (value: number, bound: number) => boolean): Keyword<number> {
  return keywordOf(
    aNumber,
    (bound, site) => (value, run) => isWithin(value, bound) || fail(run, site, value, `must be ${words} ${bound}`),
  );
}

/** An unknown format is an annotation (section 7.2.3). */
function formatCheck<Value>(isOfFormat: ((value: Value) => boolean) | undefined, name: string, site: WrittenKeyword) {
  if (isOfFormat === undefined) return undefined;
  const check: Check<Value> = (value, run) =>
    isOfFormat(value) || fail(run, site, value, `must match format "${name}"`);
  return check;
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

/** A text that is the same for equal values. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${textOf(value[name])}`);
  return `{${members.join()}}`;
}
