import type { Location, Oas3Rule, UserContext } from "@redocly/openapi-core";
import { elementsOf, isObject, membersOf } from "../../spec/json.ts";
import { derivedGaps } from "../decorators/nameGaps.ts";
import { typesOf } from "../../spec/schemas.ts";
import { follow, keyOf, visitSchemas, type Node } from "../nodes.ts";

/** Says why something is no gap: a clause that begins with the fact. `undefined` if there may be one. */
type Refute = (schema: Node) => string | undefined;
type Vocabulary = Readonly<Record<string, Refute>>;

/** Statements about a value that optional keywords make; for the first four there is no keyword, but words may make them. */
const valueGaps: Vocabulary = {
  unit: ({ description }) => {
    const [words] =
      /\bin (?:(?:milli|micro)?seconds|minutes|hours|days|weeks|months|years|(?:kilo|mega)?bytes|cents|percent)\b/i.exec(
        String(description),
      ) ?? [];
    return words === undefined ? undefined : `the description says "${words}"`;
  },
  meaning: () => undefined,
  lifetime: () => undefined,
  exchange: () => undefined,
  default: refutedBy("default"),
  minimum: refutedBy("minimum", "exclusiveMinimum"),
  maximum: refutedBy("maximum", "exclusiveMaximum"),
  format: refutedBy("format"),
  "allowed values": (schema) => {
    const types = typesOf(schema);
    const isScalar = types.length === 0 || types.some((type) => /^(string|integer|number)$/.test(type));
    if (!isScalar) return "only strings and numbers have them (those of an array belong on its `items`)";
    return refutedBy("enum", "const", "x-extensible-enum")(schema);
  },
};

/**
 * `x-unspecified` names the gaps that cannot be seen from how something is written: a unit, a lifetime, a bound.
 * A name begins with a known word and may go on. It is refused if the gap is filled, and if a bundle gets it anyway.
 */
export const unspecified: Oas3Rule = () => [
  {
    any(node: unknown, ctx: UserContext) {
      if (!isObject(node) || !("x-unspecified" in node)) return;
      if (["Info", "Tag", "Parameter", "Schema", "SecurityScheme"].includes(ctx.type.name)) return;
      const message =
        "`x-unspecified` is written on `info`, tags, parameters, schemas and security schemes only: move it to the " +
        "one that has the gap, or remove it if the gap shows in how this is written.";
      ctx.report({ message, location: keyOf(ctx.location.child("x-unspecified")) });
    },
    Info(info: unknown, ctx) {
      if (isObject(info)) readGaps(info, ctx);
    },
    Tag(tag: unknown, ctx) {
      if (isObject(tag)) check(tag, tag, undefined, ctx);
    },
    Parameter(parameter: unknown, ctx) {
      if (!isObject(parameter)) return;
      const schema = follow(parameter["schema"], ctx.location, ctx)?.node ?? {};
      const required: Refute = () => (parameter["required"] === true ? "`required` is true" : undefined);
      check(parameter, { ...schema, ...parameter }, { required, ...valueGaps }, ctx);
    },
    SecurityScheme(scheme: unknown, ctx) {
      if (isObject(scheme)) check(scheme, scheme, { lifetime: () => undefined }, ctx);
    },
    Operation(operation: unknown, ctx) {
      if (!isObject(operation) || !("x-security-optional" in operation)) return;
      const requirements = elementsOf(operation["security"]);
      const isBeside = requirements.length > 1 && requirements.some((one) => membersOf(one).length === 0);
      if (operation["x-security-optional"] === true && isBeside) return;
      const message =
        "`x-security-optional: true` says that credentials are optional for certain: write it only where " +
        "`security` has `{}` beside a scheme.";
      ctx.report({ message, location: keyOf(ctx.location.child("x-security-optional")) });
    },
  },
  visitSchemas((schema, ctx) => {
    // A reference has the keywords of what it refers to.
    check(schema, { ...follow(schema, ctx.location, ctx)?.node, ...schema }, valueGaps, ctx);
  }),
];

/** Reports the gaps of a node that are derived, refuted or unknown. Without a vocabulary, any words will do. */
function check(node: Node, schema: Node, vocabulary: Vocabulary | undefined, ctx: UserContext): void {
  const known = Object.keys(vocabulary ?? {});
  for (const [gap, location] of readGaps(node, ctx)) {
    const word = beginning(gap, [...known, ...derivedGaps]) ?? "";
    const fact = vocabulary?.[word]?.(schema);
    const report = (message: string) => {
      ctx.report({ message: `"${gap}" ${message}`, location });
    };
    if (fact !== undefined) report(`is no gap, because ${fact}: remove it.`);
    else if (known.includes(word)) continue;
    else if (derivedGaps.includes(word)) {
      report("is derived from how the contract is written, and bundles get it: remove it.");
    } else if (vocabulary !== undefined) {
      report(`must begin with one of these: ${known.map((name) => `"${name}"`).join(", ")}.`);
    }
  }
}

/** The gaps of `x-unspecified`, each with its place. Reports what is wrong with the list itself. */
function readGaps(node: Node, ctx: UserContext): [string, Location][] {
  const list = node["x-unspecified"];
  if (list === undefined) return [];
  const place = ctx.location.child("x-unspecified");
  if (!Array.isArray(list) || list.length === 0) {
    ctx.report({ message: "`x-unspecified` must be a list of at least one gap.", location: place });
    return [];
  }
  return list.flatMap((gap: unknown, index): [string, Location][] => {
    if (typeof gap !== "string" || gap.trim() === "") {
      ctx.report({ message: "A gap in `x-unspecified` must be described in words.", location: place.child(index) });
      return [];
    }
    if (list.indexOf(gap) < index) {
      ctx.report({ message: `"${gap}" is listed twice: remove one of them.`, location: place.child(index) });
    }
    return [[gap, place.child(index)]];
  });
}

/** The longest of some beginnings that a gap has, as a whole word: "required fields" is not about "required". */
function beginning(gap: string, beginnings: readonly string[]): string | undefined {
  return beginnings
    .filter((name) => gap.startsWith(name) && !/^[\w-]/.test(gap.slice(name.length)))
    .sort((a, b) => b.length - a.length)[0];
}

function refutedBy(...keywords: readonly string[]): Refute {
  return (schema) => {
    const keyword = keywords.find((name) => name in schema);
    return keyword === undefined ? undefined : `\`${keyword}\` is there`;
  };
}
