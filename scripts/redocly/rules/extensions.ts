import type { Oas3Rule } from "@redocly/openapi-core";
import { closest, distance } from "fastest-levenshtein";
import { effects } from "../../contract/resourceExtension.ts";
import { membersOf } from "../../spec/json.ts";
import { reportOn } from "../nodes.ts";

const text = { type: "string", pattern: "\\w" };
const texts = { type: "array", items: text, minItems: 1, uniqueItems: true };
const map = { type: "object", additionalProperties: { type: "string" } };
const day = { type: "string", format: "date" };
const days = { "x-deprecated-on": day, "x-sunset": day };
const valueGaps = [
  ...["unit", "meaning", "lifetime", "exchange"],
  ...["default", "minimum", "maximum", "format", "allowed values"],
];

/** The values of extensions as JSON Schema, by the types of the objects with them. */
const schemas = {
  Info: { ...days, "x-unspecified": texts },
  // Bundles add this gap to groups.
  Tag: { "x-unspecified": { ...texts, items: { pattern: "^(?!operations\\b)" } } },
  Parameter: { "x-unspecified": gapsOf("required(?! fields)", ...valueGaps) },
  SecurityScheme: { "x-unspecified": gapsOf("lifetime") },
  Operation: {
    ...days,
    "x-unspecified": gapsOf("credentials"),
    "x-resource": withFields({
      ...{ name: text, effect: { enum: [...effects, "none"] }, copies: text },
      ...{ set: { type: "object" }, moves: map },
    }),
  },
  Schema: {
    ...days,
    "x-unspecified": gapsOf(...valueGaps),
    "x-closed-enum": text,
    "x-extensible-enum": { type: "array", minItems: 1, uniqueItems: true },
    "x-resource": withFields({ name: text, properties: map, renews: texts }),
  },
};

/** Redocly assertions that check each extension's value. */
export const extensions = Object.fromEntries(
  Object.entries(schemas).flatMap(([type, fields]) =>
    Object.entries(fields).map(([property, schema]) => {
      const message = `Correct this \`${property}\`, as CONTRIBUTING.md describes it: {{problems}}.`;
      const rule = { subject: { type, property }, assertions: { schema }, message, severity: "error" as const };
      return [`rule/${type}/${property}`, rule] as const;
    }),
  ),
);

const others = "x-deprecated-since x-example x-pagination x-security-optional x-since x-tagGroups";
const names = [...Object.values(schemas).flatMap(Object.keys), ...others.split(" ")];

/**
 * An extension whose name is almost one of ours is misspelled. Otherwise, nobody would notice that nothing
 * reads it.
 */
export const extensionName: Oas3Rule = () => ({
  any: {
    enter(node: unknown, ctx) {
      if (ctx.type.extensionsPrefix !== "x-") return;
      for (const [name] of membersOf(node)) {
        const similar = name.startsWith("x-") ? closest(name, names) : name;
        if (name === similar || distance(name, similar) * 3 >= name.length) continue;
        reportOn(ctx.location.child(name), `Nothing reads \`${name}\`: did you mean \`${similar}\`?`, ctx);
      }
    },
  },
});

/** Gaps that begin with one of these as a whole word. */
function gapsOf(...beginnings: readonly string[]) {
  return { ...texts, items: { pattern: `^(?:${beginnings.join("|")})(?![\\w-])` } };
}

function withFields(properties: object) {
  return { type: "object", properties, additionalProperties: false };
}
