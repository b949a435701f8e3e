import type { Oas3Rule, UserContext } from "@redocly/openapi-core";
import { isObject, stringsOf } from "../../values/json.ts";
import { typesOf } from "../../spec/schemas.ts";
import { follow, reportOn, visitSchemas, type Node } from "../nodes.ts";

/**
 * Facts that contradict a gap, by the beginning of the gap. Each is a clause, or `undefined` if the gap is
 * possible.
 */
type Refutations = Readonly<Record<string, (schema: Node) => string | undefined>>;

/** Gaps of a value that a keyword or a description fills. */
const ofValues: Refutations = {
  unit: ({ description }) => {
    const [words] =
      /\bin (?:(?:milli|micro)?seconds|minutes|hours|days|weeks|months|years|(?:kilo|mega)?bytes|cents|percent)\b/i.exec(
        String(description),
      ) ?? [];
    return words === undefined ? undefined : `the description says "${words}"`;
  },
  default: refutedBy("default"),
  minimum: refutedBy("minimum", "exclusiveMinimum"),
  maximum: refutedBy("maximum", "exclusiveMaximum"),
  format: refutedBy("format"),
  "allowed values": (schema) => {
    const types = typesOf(schema);
    const isScalar = types.length === 0 || types.some((type) => ["string", "integer", "number"].includes(type));
    if (!isScalar) return "only strings and numbers have them (for an array, put them on its `items`)";
    return refutedBy("enum", "const", "x-extensible-enum")(schema);
  },
};

const ofParameters: Refutations = {
  ...ofValues,
  required: ({ required }) => (required === true ? "`required` is true" : undefined),
};

/**
 * `x-unspecified` names gaps that don't show in how the contract is written. Each is at its place, and isn't
 * filled.
 */
export const unspecified: Oas3Rule = () => [
  {
    any(node: unknown, ctx: UserContext) {
      if (!isObject(node) || !("x-unspecified" in node)) return;
      if (["Info", "Tag", "Operation", "Parameter", "Schema", "SecurityScheme"].includes(ctx.type.name)) return;
      const message =
        "`x-unspecified` is for `info`, tags, operations, parameters, schemas and security schemes only: move it to the " +
        "one with the gap, or remove it if the gap is already visible here.";
      reportOn(ctx.location.child("x-unspecified"), message, ctx);
    },
    Parameter(parameter: unknown, ctx) {
      if (isObject(parameter))
        check(parameter, follow(parameter["schema"], ctx.location, ctx)?.node, ofParameters, ctx);
    },
  },
  visitSchemas((schema, ctx) => {
    check(schema, follow(schema, ctx.location, ctx)?.node, ofValues, ctx);
  }),
];

/** Reports the gaps of a node that it fills itself, or through the schema that it has or refers to. */
function check(node: Node, schema: Node | undefined, refutations: Refutations, ctx: UserContext): void {
  for (const [index, gap] of stringsOf(node["x-unspecified"]).entries()) {
    const word = Object.keys(refutations).find((name) => gap.startsWith(name)) ?? "";
    const fact = refutations[word]?.({ ...schema, ...node });
    const location = ctx.location.child(["x-unspecified", index]);
    if (fact !== undefined) ctx.report({ message: `"${gap}" is not a gap, because ${fact}: remove it.`, location });
  }
}

function refutedBy(...keywords: readonly string[]) {
  return (schema: Node) => {
    const keyword = keywords.find((name) => name in schema);
    return keyword === undefined ? undefined : `\`${keyword}\` is there`;
  };
}
