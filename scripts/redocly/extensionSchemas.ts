import { effects } from "../contract/resourceExtension.ts";
import { splitOnce } from "../values/text.ts";

const text = { type: "string", pattern: "\\w" };
const texts = { type: "array", items: text, minItems: 1, uniqueItems: true };
const map = { type: "object", additionalProperties: { type: "string" } };
const day = { type: "string", format: "date" };
const valueGaps = [
  ...["unit", "meaning", "lifetime", "exchange"],
  ...["default", "minimum", "maximum", "format", "allowed values"],
];

const days = {
  "x-deprecated-on": { description: "The date of the deprecation, such as 2026-12-01.", ...day },
  "x-sunset": { description: "The last day on which it works, such as 2027-06-30.", ...day },
};

const ofOperation = {
  ...days,
  "x-unspecified": gapsOf("the operation", "credentials"),
  "x-resource": withFields(
    "The effect of the operation on a resource, where path, method and schemas don't determine it. The mock applies it.",
    {
      name: { description: "The type of resource, in all generations that use this name.", ...text },
      effect: { description: "What the operation does to the resource.", enum: [...effects, "none"] },
      copies: {
        description: "The path parameter that identifies the resource to copy. A new resource begins as its copy.",
        ...text,
      },
      set: {
        description:
          "Properties that get a literal value, or a value of the request as a runtime expression, such as " +
          "`$request.path.bookingUid`.",
        type: "object",
      },
      moves: {
        description: "Pairs of times. `end: start` moves `end` by the same amount as `start`.",
        ...map,
      },
    },
  ),
  "x-pagination": {
    ...withFields("The query parameters that paginate the list of the response.", {
      limit: { description: "The parameter with the size of a page.", ...text },
      offset: { description: "The parameter with the number of items to skip.", ...text },
    }),
    required: ["limit", "offset"],
  },
  "x-security-optional": {
    description: "`true` if it's certain that the credentials are optional. Otherwise, `{}` in `security` is a gap.",
    type: "boolean",
  },
};

const ofSchema = {
  ...days,
  "x-unspecified": gapsOf("the value", ...valueGaps),
  "x-closed-enum": { description: "The reason why `enum` or `const` lists every possible value.", ...text },
  "x-extensible-enum": {
    description: "The known values. Others are possible.",
    type: "array",
    minItems: 1,
    uniqueItems: true,
  },
  "x-resource": withFields("The resource that the schema describes, for the mock.", {
    name: { description: "The type of resource, in all generations that use this name.", ...text },
    properties: { description: "Properties that other schemas of the same type name differently.", ...map },
    renews: { description: "Properties with a new value in each response.", ...texts },
  }),
};

/**
 * The extensions that sources can have, as JSON Schema, by the types of the objects with them. Lint checks
 * the values, and the schemas for editors contain them. The descriptions are for editors.
 */
export const extensionSchemas = {
  Root: {
    "x-tagGroups": {
      description: "The sections of the docs. Each tag is in exactly one.",
      type: "array",
      items: {
        ...withFields("A section with its groups, which are tags.", {
          name: { description: "The title of the section.", ...text },
          tags: { description: "The names of the tags, in order.", type: "array", items: text, uniqueItems: true },
        }),
        required: ["name", "tags"],
      },
    },
  },
  Info: { ...days, "x-unspecified": { description: "What the contract as a whole doesn't specify.", ...texts } },
  Tag: {
    "x-unspecified": {
      description: "What isn't specified about the group. Bundles add `operations` to a group without any.",
      ...texts,
      items: { pattern: "^(?!operations\\b)" },
    },
  },
  Parameter: { "x-unspecified": gapsOf("the parameter", "required(?! fields)", ...valueGaps) },
  SecurityScheme: {
    "x-unspecified": gapsOf("the credential", "lifetime"),
    "x-example": {
      description: "The credential that samples and tests send. For Basic authentication: `user:password`.",
      ...text,
    },
  },
  Operation: ofOperation,
  Schema: ofSchema,
};

/** Gaps that begin with one of these as a whole word. */
function gapsOf(owner: string, ...beginnings: readonly string[]) {
  const examples = beginnings.map((beginning) => splitOnce(beginning, "(")[0]);
  const words = examples.map((example) => `\`${example}\``).join(", ");
  const description = `What isn't specified about ${owner}. Each entry begins with one of: ${words}.`;
  // Editors offer the examples.
  return { description, ...texts, items: { pattern: `^(?:${beginnings.join("|")})(?![\\w-])`, examples } };
}

function withFields(description: string, properties: object) {
  return { description, type: "object", properties, additionalProperties: false };
}
