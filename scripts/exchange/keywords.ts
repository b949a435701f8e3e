/**
 * Keywords and formats for ajv (8.20). Its own `enum` and `uniqueItems` compare each value with each other one, and its `contains`
 * copies all errors for each item: some bodies of a megabyte would take minutes.
 */
import type { Ajv2020, ErrorObject, FuncKeywordDefinition } from "ajv/dist/2020.js";
import { canonicalJson } from "../contract/text.ts";
import { readDateTime } from "../spec/dateTimes.ts";
import { elementsOf, isObject } from "../spec/json.ts";

type Check = (value: unknown) => string | undefined;
type Validate = ((value: unknown) => boolean) & { errors?: Partial<ErrorObject>[] };

function keywordOf(
  keyword: string,
  createCheck: (value: unknown, schema: Readonly<Record<string, unknown>>, ajv: Ajv2020) => Check,
): FuncKeywordDefinition {
  const compile: FuncKeywordDefinition["compile"] = (value: unknown, schema, { self }) => {
    const check = createCheck(value, schema, self);
    const validate: Validate = (found) => {
      const message = check(found);
      validate.errors = message === undefined ? [] : [{ keyword, message, params: {} }];
      return message === undefined;
    };
    return validate;
  };
  return { keyword, compile };
}

const enumeration = keywordOf("enum", (values) => {
  const allowed = new Set(elementsOf(values).map(canonicalJson));
  return (value) => (allowed.has(canonicalJson(value)) ? undefined : "must be equal to one of the allowed values");
});

const uniqueItems = keywordOf("uniqueItems", (isUnique) => (items) => {
  const seen = new Map<string, number>();
  for (const [index, item] of isUnique === true ? elementsOf(items).entries() : []) {
    const text = canonicalJson(item);
    const earlier = seen.get(text);
    if (earlier !== undefined) {
      return `must NOT have duplicate items (items ## ${earlier} and ${index} are identical)`;
    }
    seen.set(text, index);
  }
  return undefined;
});

const contains = keywordOf("contains", (contained, { minContains, maxContains }, ajv) => {
  const [least, most] = [Number(minContains ?? 1), Number(maxContains ?? Infinity)];
  const atMost = most === Infinity ? "" : ` and no more than ${most}`;
  let isValid: ((item: unknown) => boolean) | undefined;
  return (items) => {
    if (!Array.isArray(items)) return undefined;
    // Not before it is needed: the schema may contain itself.
    const validate = (isValid ??= ajv.compile(isObject(contained) ? contained : contained !== false));
    const count = items.filter((item) => validate(item)).length;
    return count < least || count > most ? `must contain at least ${least}${atMost} valid item(s)` : undefined;
  };
});

/** JSON.parse rounds larger integers, so a request with them would not mean what it says. */
const exactInteger = keywordOf("exactInteger", () => (value) => {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  const most = Number.MAX_SAFE_INTEGER;
  return isRounded ? `must be from -${most} to ${most}: the mock does not keep larger integers exactly` : undefined;
});

export const keywords = [enumeration, uniqueItems, contains, exactInteger];

/** Formats in place of those of ajv-formats (3.0.1), whose `url` takes minutes for some texts of a megabyte. */
export const formats = {
  "date-time": (text: string): boolean => readDateTime(text) !== undefined,
  url: isUrl,
} as const;

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S*$/i.test(text) && URL.canParse(text);
}
