import { uncheckedKeywords } from "../redocly/rules/schemaRules.ts";
import { mapObjects, walk, type Place } from "../spec/walk.ts";
import {
  jsonContent,
  successResponses,
  type Generation,
  type MediaType,
  type Operation,
} from "../contract/generation.ts";
import { UserError } from "../contract/failures.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { elementsOf, membersOf } from "../spec/json.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { indent, literal } from "../samples/javaScriptText.ts";
import { schemaExpression } from "./schemaExpression.ts";
import { capitalize, createNames, createTypeNames, moduleComment, operationKey, type TypeNames } from "./moduleText.ts";

/**
 * Makes the text of a generation's schemas module, which lies beside its `types.ts` and takes types from that: a schema
 * for each component and for the JSON of each operation's requests and successes, but none that cannot be checked, and
 * the values that enumerations list. Throws {@link UserError} for a pattern that is none, and for a reference that leads
 * nowhere or out of the document.
 */
export function generateSchemas({ document, operations, title }: Generation, types: string): string {
  const typeNames = createTypeNames(types);
  const own = ["s", "schemas", "types", "contractSchemas", "ContractError", "ContractSchemas", "Issue", "Schema"];
  const nameOf = createNames(own);
  const names = new Map<string, string>();
  const inner: string[] = [];

  const constant = (name: string, type: string, schema: unknown, place: string): string => {
    const nameOf = (reference: string) => nameOfReference(reference, place);
    const expression = schemaExpression(schema, { place, nameOf });
    const start = `const ${name}: s.Schema${type === "unknown" ? "" : `<${type}>`} = /*#__PURE__*/ s.schema(() =>`;
    const line = `${start} ${expression});`;
    return line.length > 110 || line.includes("\n") ? `${start}\n${indent(expression)},\n);` : line;
  };
  /** The name of what a reference at a place leads to, which gets a constant if it is no component. */
  const nameOfReference = (reference: string, place: string): string => {
    const fail = (why: string) => new UserError(`${place}: the reference ${JSON.stringify(reference)} ${why}`);
    if (!/^#(?:\/|$)/.test(reference)) {
      const wrong = reference.startsWith("#") ? "is to an anchor" : "leads to another document";
      throw fail(`${wrong}: write a JSON Pointer, such as "#/components/schemas/Name"`);
    }
    const keys = pointerKeys(reference);
    const pointer = jsonPointer(keys);
    const known = names.get(pointer);
    if (known !== undefined) return known;
    const schema = valueAt(document, keys);
    if (schema === undefined) throw fail("leads nowhere");
    if (isUnchecked(schema)) return "s.anything";
    const name = nameOf(keys.slice(2).join("_"));
    names.set(pointer, name);
    inner.push(constant(name, "unknown", schema, pointer));
    return name;
  };

  const components = Object.entries(document.components?.schemas ?? {}).filter(([, schema]) => !isUnchecked(schema));
  const pointerOf = (key: string) => jsonPointer(["components", "schemas", key]);
  for (const [key] of components) names.set(pointerOf(key), nameOf(key));
  const exported = components.map(([key, schema]) =>
    constant(names.get(pointerOf(key)) ?? key, typeNames.ofComponent(key), schema, pointerOf(key)),
  );
  const bodies: string[] = [];
  for (const operation of operations) {
    const members = bodiesOf(operation, typeNames).flatMap(([part, schemaOf]) => {
      const [schema, ...others] = schemaOf.values();
      if (schema === undefined) return [];
      const name = nameOf(operationKey(operation) + part);
      const either = others.length === 0 ? schema : { anyOf: [schema, ...others] };
      if (isUnchecked(either)) return [];
      exported.push(constant(name, [...schemaOf.keys()].join(" | "), either, operation.name));
      return [`${part.toLowerCase()}: ${name}`];
    });
    if (members.length > 0) bodies.push(`  ${JSON.stringify(operation.name)}: { ${members.join(", ")} },`);
  }
  // What a client validates with, by the names of operations.
  exported.push(["const schemas = /*#__PURE__*/ contractSchemas<types.paths>({", ...bodies, "});"].join("\n"));
  const texts = [...exported, ...listEnumerations(document, nameOf)].map((text) => `export ${text}`);
  const text = [...texts, ...inner].join("\n\n");
  const comment = moduleComment(
    `Standard Schemas of ${title}: of each component, and of the JSON of each operation's request and successful response. ` +
      "`schemas` has all of these for a client to validate with.",
    'const client = createClient({ baseUrl: "https://api.example.com", validate: "throw", schemas });',
  );
  // The exported types are there for declarations made of what a consumer exports, which have to name them.
  return `${comment}${/\bs\./.test(text) ? 'import * as s from "../../scripts/client/schema.ts";\n' : ""}\
import { contractSchemas } from "../../scripts/client/contractSchemas.ts";
import type * as types from "./types.ts";

export { ContractError, type ContractSchemas } from "../../scripts/client/contractSchemas.ts";
export type { Issue, Schema } from "../../scripts/client/schema.ts";

${text}
`;
}

/** Tells whether a schema, or a part of it, has a keyword that cannot be checked; lint has warned of it. */
function isUnchecked(schema: unknown): boolean {
  const keywordsOf = ({ value, isMap }: Place) => (isMap ? [] : membersOf(value).map(([keyword]) => keyword));
  return [...walk(schema)].some((place) => uncheckedKeywords.some((keyword) => keywordsOf(place).includes(keyword)));
}

/** The schemas of the JSON of an operation's request, and of its successes, by the types of what they describe. */
function bodiesOf(operation: Operation, types: TypeNames): readonly [part: string, ReadonlyMap<string, unknown>][] {
  const read = (content: readonly MediaType[] | undefined, status?: string): [string, unknown][] => {
    const json = jsonContent(content);
    return json === undefined ? [] : [[types.ofContent(operation, status, json), json.schema]];
  };
  const successes = successResponses(operation);
  const received = new Map(successes.flatMap(({ status, content }) => read(content, status)));
  // A client has no data of a success without content.
  const isOptional = received.size > 0 && successes.some(({ content }) => content.length === 0);
  if (isOptional) received.set("undefined", { type: "undefined" });
  return [
    ["Request", new Map(read(operation.requestBody?.content))],
    ["Response", received],
  ];
}

/** The values that enumerations in components list, whether or not there may be others: `membershipRoleValues`. */
function listEnumerations(document: OpenApiDocument, nameOf: (wanted: string) => string): readonly string[] {
  const constants: string[] = [];
  mapObjects(
    document.components?.schemas,
    (schema, keys) => {
      const values = elementsOf(schema["x-extensible-enum"] ?? schema["enum"]);
      const words = keys.filter((_, index) => index === 0 || keys[index - 1] === "properties").map(capitalize);
      const name = `${words.join("").replace(/^./u, (letter) => letter.toLowerCase())}Values`;
      if (values.length > 0) constants.push(`const ${nameOf(name)} = ${literal(values)} as const;`);
      return schema;
    },
    [],
    true,
  );
  return constants;
}
