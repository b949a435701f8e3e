import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Oas3Rule } from "@redocly/openapi-core";
import { attempt } from "../../contract/failures.ts";
import { elementsOf } from "../../spec/json.ts";
import { typesOf } from "../../spec/schemas.ts";
import { follow, reportOn, visitSchemas } from "../nodes.ts";

/** The keywords that limit values of one type (JSON Schema 2020-12, Validation, section 6). */
const limits: Readonly<Record<string, readonly string[]>> = {
  number: ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"],
  string: ["minLength", "maxLength", "pattern"],
  array: ["minItems", "maxItems", "uniqueItems"],
  object: ["minProperties", "maxProperties"],
};

/** Bounds of which the first is not above the second. */
const bounds = [
  ...["Length", "Items", "Properties"].map((noun) => [`min${noun}`, `max${noun}`] as const),
  ["minimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "maximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
] as const;

const limiting = new Set(["format", "required", ...Object.values(limits).flat()]);

/** Keywords that state values. */
const stating = ["default", "const", "enum", "x-extensible-enum"];

/** A schema's limits agree with its type and with each other, patterns are regular expressions, and stated values are valid. */
export const schemaValues: Oas3Rule = () => {
  const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false, logger: false });
  addFormats.default(ajv);
  return visitSchemas((written, ctx) => {
    // A reference has the keywords of what it refers to.
    const schema = { ...follow(written, ctx.location, ctx)?.node, ...written };
    const report = (keyword: string, message: string) => {
      reportOn(ctx.location.child(keyword), message, ctx);
    };
    const types = typesOf(schema).map((type) => (type === "integer" ? "number" : type));
    const { pattern } = written;
    if (typeof pattern === "string" && attempt(() => new RegExp(pattern, "u")) === undefined) {
      report("pattern", "This is no regular expression of ECMAScript, read with the flag `u`: correct it.");
    }
    for (const [type, keywords] of Object.entries(limits)) {
      if (types.length === 0 || types.includes(type)) continue;
      for (const keyword of keywords.filter((name) => name in written)) {
        const message = `\`${keyword}\` limits values of the type ${type}, which the schema does not allow: remove it.`;
        report(keyword, message);
      }
    }
    for (const [lower, upper] of bounds) {
      const [low, high] = [Number(schema[lower]), Number(schema[upper])];
      const isEmpty = low > high || (low === high && /exclusive/.test(lower + upper));
      const keyword = [lower, upper].find((name) => name in written);
      if (isEmpty && keyword !== undefined) {
        report(keyword, `No value satisfies both \`${lower}\` and \`${upper}\`: correct one of them.`);
      }
    }
    for (const keyword of stating.filter((name) => name in written)) {
      // Other rules compare `const` and `enum` with the type.
      const others = keyword === "default" ? ["type", "enum", "const"] : keyword.startsWith("x-") ? ["type"] : [];
      const own = Object.entries(schema).filter(([name]) => limiting.has(name) || others.includes(name));
      const validate = attempt(() => ajv.compile(Object.fromEntries(own)));
      const values = /enum/.test(keyword) ? elementsOf(written[keyword]) : [written[keyword]];
      const wrong = validate === undefined ? -1 : values.findIndex((value) => !validate(value));
      if (wrong === -1) continue;
      const reason = ajv.errorsText(validate?.errors, { dataVar: "it" });
      report(keyword, `${JSON.stringify(values[wrong])} contradicts the schema: ${reason}. Correct one of the two.`);
    }
  });
};
