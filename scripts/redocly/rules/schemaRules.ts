import type { Arazzo1Rule, Oas3Rule, UserContext } from "@redocly/openapi-core";
import { likelyName } from "../../values/similarName.ts";
import { checkedKeywords, limitedTypes } from "../../exchange/schema/checkedKeywords.ts";
import { faultsAt } from "../../exchange/schema/schemaFaults.ts";
import { responseViolation, unlessUnusable } from "../../exchange/validator.ts";
import { elementsOf, isObject, lastKey, stringsOf } from "../../values/json.ts";
import { slowPatterns } from "../../spec/patterns.ts";
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from "../../spec/schemaKeywords.ts";
import { typesOf } from "../../spec/schemas.ts";
import { currentKeywords, follow, reportOn, visitSchemas, type Node } from "../nodes.ts";

/**
 * The name of a component schema is in PascalCase in every file, because it becomes the name of a TypeScript
 * type.
 */
export const schemaName: Oas3Rule = () => ({
  Schema(_: unknown, ctx) {
    if (!/^#\/components\/schemas\/[^/]+$/.test(ctx.location.pointer)) return;
    const name = lastKey(ctx.location.pointer);
    if (/^[A-Z][A-Za-z0-9]*$/.test(name)) return;
    const message = `The schema's name "${name}" becomes a type's name: write it in PascalCase, letters and digits only.`;
    reportOn(ctx.location, message, ctx);
  },
});

/** A schema's `type` comes before its `description` and `x-unspecified`. */
export const schemaOrder: Oas3Rule = () => visitSchemas(checkOrder);

/** The same for the inputs of workflows. */
export const inputOrder: Arazzo1Rule = () => ({
  Schema(schema: unknown, ctx: UserContext) {
    if (isObject(schema)) checkOrder(schema, ctx);
  },
});

function checkOrder(schema: Node, ctx: UserContext): void {
  if (!("type" in schema)) return;
  const keys = Object.keys(schema);
  const early = keys.slice(0, keys.indexOf("type")).find((key) => key === "description" || key === "x-unspecified");
  if (early === undefined) return;
  reportOn(ctx.location.child(early), `\`${early}\` comes before \`type\`: move it after \`type\`.`, ctx);
}

/**
 * A closed set of values (`enum`, `const`) has the reason why it is closed in `x-closed-enum`, and isn't open
 * as well.
 */
export const closedEnum: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    const keyword = ["enum", "const"].find((name) => name in schema);
    const isExplained = "x-closed-enum" in schema;
    if (keyword === undefined && isExplained) {
      const message = "`x-closed-enum` needs an `enum` or `const` beside it: remove it.";
      reportOn(ctx.location.child("x-closed-enum"), message, ctx);
    }
    if (keyword !== undefined && !isExplained) {
      const message =
        `\`${keyword}\` closes the set of values: give the evidence that there are no others in \`x-closed-enum\`, ` +
        "or use `x-extensible-enum`.";
      reportOn(ctx.location.child(keyword), message, ctx);
    }
    if (keyword !== undefined && "x-extensible-enum" in schema) {
      const message = `A set of values is either open or closed: remove \`x-extensible-enum\` or \`${keyword}\`.`;
      reportOn(ctx.location.child("x-extensible-enum"), message, ctx);
    }
  });

/** Formats of JSON Schema 2020-12 (Validation, section 7.3), and those in OpenAPI's registry of formats. */
const knownFormats = [
  ..."date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uuid regex".split(" "),
  ..."uri uri-reference uri-template iri iri-reference json-pointer relative-json-pointer".split(" "),
  ..."password byte binary base64url char commonmark html http-date media-range".split(" "),
  ..."int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double double-int decimal decimal128".split(" "),
  ..."sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token".split(" "),
];

/** Formats are known, since tools ignore unknown ones. Option `also`: additional names. */
export const knownFormat: Oas3Rule = ({ also }) =>
  visitSchemas(({ format }, ctx) => {
    const known = [...knownFormats, ...stringsOf(also)];
    if (typeof format !== "string" || known.includes(format)) return;
    const message = `"${format}" is not a known format: correct it, or add it to the option \`also\` of this rule in redocly.yaml.`;
    ctx.report({ message, location: ctx.location.child("format"), suggest: [likelyName(format, known) ?? []].flat() });
  });

/** Keywords have valid values. Otherwise, no value can be checked against the schema, or against its patterns. */
export const keywordForms: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    reportSlowPatterns(schema, ctx);
    for (const { keyword, message } of keywordFaults(schema, ctx)) {
      reportOn(
        ctx.location.child(keyword),
        `\`${keyword}\` ${message}: otherwise no value can be checked against the schema.`,
        ctx,
      );
    }
  });

/** The keywords whose malformed values can be ignored without the schemas in them. */
export const ignorableKeywords: readonly string[] = [...checkedKeywords.keys()].filter(
  (keyword) => ![...schemaKeywords, ...schemaMapKeywords, ...schemaListKeywords, "$ref"].includes(keyword),
);

/**
 * Reports malformed keywords that {@link ignoreMalformed} removes, patterns that nothing is compared with, and keywords of OpenAPI
 * 3.0 that are written as in 3.1, and read so.
 */
export const ignoredKeyword: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    reportSlowPatterns(schema, ctx);
    for (const { keyword, message } of ignorableFaults(schema, ctx)) {
      reportOn(ctx.location.child(keyword), `\`${keyword}\` ${message}: it is ignored.`, ctx);
    }
    if (ctx.specVersion !== "oas3_0") return;
    const newer = exclusiveLimits.filter((keyword) => typeof schema[keyword] === "number");
    for (const keyword of Array.isArray(schema["type"]) ? ["type", ...newer] : newer) {
      reportOn(ctx.location.child(keyword), `\`${keyword}\` is written and read as in OpenAPI 3.1.`, ctx);
    }
  });

const exclusiveLimits = ["exclusiveMinimum", "exclusiveMaximum"];

/** What to write in place of a value that {@link keywordForms} or {@link ignoredKeyword} reports, if many make the mistake. */
export function adviceOnKeyword(keyword: string, written: unknown): string | undefined {
  if (keyword === "required") return "List the names of required properties beside `properties`.";
  if (written === true && ["minimum", "maximum", ...exclusiveLimits].includes(keyword))
    return "Write the limit itself. From OpenAPI 3.1 on, a boolean means nothing.";
  const isNewer = ["type", ...exclusiveLimits].includes(keyword) && faultsAt({ [keyword]: written }, {}).length === 0;
  return isNewer ? "Begin the description with `openapi: 3.1.1`, or write the keyword as in OpenAPI 3.0." : undefined;
}

/** The faults in the keywords that can be ignored. */
export function ignorableFaults(schema: Node, ctx: UserContext) {
  return keywordFaults(schema, ctx).filter(({ keyword }) => ignorableKeywords.includes(keyword));
}

function keywordFaults(schema: Node, ctx: UserContext) {
  return faultsAt({ ...currentKeywords(schema, ctx), $ref: undefined }, {});
}

function reportSlowPatterns(schema: Node, ctx: UserContext): void {
  for (const keys of slowPatterns(schema)) reportOn(ctx.location.child([...keys]), slow, ctx);
}

const slow =
  "Nothing is compared with this pattern, because JavaScript may take long for it. Examples aren't checked, and generated schemas " +
  "leave out the component or the body that contains it. Begin it with `^`, with few alternatives and at most one part that is " +
  "repeated (`*`, `+`) or refers to a group; or describe it in words.";

const limiting = new Set(["format", "required", ...limitedTypes.keys()]);

/** Keywords whose values are values of the schema. */
const stating = ["default", "const", "enum", "x-extensible-enum"];

/** A schema's limits agree with its type and with each other, and the values in it are valid. */
export const schemaValues: Oas3Rule = () =>
  visitSchemas((visited, ctx) => {
    const written = currentKeywords(visited, ctx);
    // A reference has the keywords of its target.
    const schema = { ...currentKeywords(follow(written, ctx.location, ctx)?.node ?? {}, ctx), ...written };
    const report = (keyword: string, message: string) => {
      reportOn(ctx.location.child(keyword), message, ctx);
    };
    const types = typesOf(schema);
    for (const [keyword, limited] of limitedTypes) {
      if (!(keyword in written) || types.length === 0 || limited.some((type) => types.includes(type))) continue;
      report(keyword, `\`${keyword}\` limits no value of the schema's type: correct or remove it.`);
    }
    for (const noun of ["imum", "Length", "Items", "Properties"]) {
      const [lower, upper] = [`min${noun}`, `max${noun}`];
      const keyword = [lower, upper].find((name) => name in written);
      if (keyword === undefined || !(Number(schema[lower]) > Number(schema[upper]))) continue;
      report(keyword, `No value satisfies both \`${lower}\` and \`${upper}\`: correct one of them.`);
    }
    for (const keyword of stating.filter((name) => name in written)) {
      // Other rules compare `const` and `enum` with the type.
      const others = keyword === "default" ? ["type", "enum", "const"] : keyword.startsWith("x-") ? ["type"] : [];
      const own = Object.entries(schema).filter(([name]) => limiting.has(name) || others.includes(name));
      const findViolation = responseViolation(Object.fromEntries(own), {});
      const values = keyword.includes("enum") ? elementsOf(written[keyword]) : [written[keyword]];
      // Another rule reports malformed schemas.
      const find = (value: unknown) =>
        unlessUnusable(
          () => findViolation(value),
          () => undefined,
        );
      const [violation] = values.flatMap((value) => find(value) ?? []);
      if (violation === undefined) continue;
      const { pointer, value, message } = violation;
      const contradiction = `contradicts the schema: ${pointer === "" ? "it" : pointer} ${message}`;
      report(keyword, `${JSON.stringify(value)} ${contradiction}. Correct one of the two.`);
    }
  });
