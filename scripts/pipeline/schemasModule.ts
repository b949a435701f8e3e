import { keysTo, mapObjects, referencesIn, walk, type WalkedValue } from "../spec/walk.ts";
import {
  allOperations,
  jsonContent,
  successResponses,
  type Generation,
  type MediaType,
  type Operation,
} from "../contract/generation.ts";
import { UserError } from "../contract/failures.ts";
import { capitalize, uncapitalize } from "../values/text.ts";
import { reachable } from "../values/collections.ts";
import { uncheckedKeywords } from "../spec/schemaKeywords.ts";
import { isUncompared } from "../spec/patterns.ts";
import { elementsOf, isObject, jsonPointer, lastKey, pointerKeys, valueAt } from "../values/json.ts";
import { referencedValue, type OpenApiDocument } from "../spec/openapi.ts";
import { inBrackets, indent, literal } from "../samples/javaScriptText.ts";
import { createNames, createTypeNames, moduleText, operationKey, type TypeNames } from "./moduleText.ts";
import { binaryObjects } from "../spec/binary.ts";
import { essenceOf, isForm } from "../spec/mediaTypes.ts";
import { blobType, schemaExpression } from "./schemaExpression.ts";

/**
 * Generates a generation's schemas module. It has a schema for each component, for the JSON and the forms in
 * each operation's or webhook's requests and successes, and the values of enumerations. Schemas that can't be
 * checked are left out. Throws {@link UserError} for a reference that leads nowhere.
 */
export function generateSchemas(generation: Generation): string {
  const { name, document, title } = generation;
  const writer = createWriter(document);
  const typeNames = createTypeNames(document);
  const components = writeComponents(document, writer, typeNames);
  const bodies = writeBodies(generation, writer, typeNames);
  const purpose = "/** The schemas that a client validates with: its option of the same name. */";
  const start = `export const schemas = /*#__PURE__*/ contractSchemas<${literal(name)}>({`;
  const parts = [
    ...components,
    ...bodies.constants,
    [purpose, start, ...bodies.members, "});"].join("\n"),
    describingText(writer.definitions),
    ...listEnumerations(document, writer.nameOf),
    ...writer.inner,
  ];
  return moduleText({
    about:
      `Standard Schemas of ${title}: of each component, and of the JSON of each operation's request and successful response. ` +
      "`schemas` has all of them for a client to validate with, and `withJsonSchema` turns one into a Standard JSON Schema. `withFormats` also asserts formats.",
    example: 'const client = createClient({ baseUrl: "https://api.example.com", validate: "throw", schemas });',
    imports: [
      'import * as s from "../../scripts/client/schema.ts";',
      'import { contractSchemas } from "../../scripts/client/contractSchemas.ts";',
      parts.some((part) => part.includes("types.")) ? 'import type * as types from "./types.ts";' : "",
    ],
    // Declaration files for a consumer's exports refer to the exported types.
    exports: [
      'export { ContractError, type ContractSchemas } from "../../scripts/client/contractSchemas.ts";',
      'export { withFormats } from "../../scripts/client/withFormats.ts";',
      'export type { Issue, Schema } from "../../scripts/client/schema.ts";',
    ],
    parts,
  });
}

type Writer = ReturnType<typeof createWriter>;

/** What the constants of a module share: their names by the pointers of their schemas, and their definitions by name. */
function createWriter(document: OpenApiDocument) {
  const own = "s schemas withFormats withJsonSchema types contractSchemas ContractError ContractSchemas Issue Schema";
  // The compiler doesn't take a member with the name of a method that each object has for one of an index signature.
  const nameOf = createNames([...own.split(" "), ...Object.getOwnPropertyNames(Object.prototype)]);
  const names = new Map<string, string>();
  /** The constants that only others refer to. */
  const inner: string[] = [];
  const definitions = new Map<string, unknown>();
  /** Writes the constant of a schema. `place` is for errors. */
  const constant = (name: string, type: string, schema: unknown, place: string): string => {
    const definition = jsonSchemaOf(schema, binaryObjects(document), (reference) => nameOfReference(reference, place));
    const expression = schemaExpression(definition);
    // Most libraries look for a type, which a bare reference doesn't show.
    definitions.set(name, definitions.get(expression) ?? definition);
    const start = `const ${name}: s.Schema${type === "unknown" ? "" : `<${type}>`} = /*#__PURE__*/ s.schema(() =>`;
    const line = `${start} ${expression});`;
    return line.length > 110 || line.includes("\n") ? `${start}\n${indent(expression)},\n);` : line;
  };
  /**
   * The name of a reference's target. Creates a constant if the target isn't a component and can be checked.
   */
  const nameOfReference = (reference: string, place: string): string | undefined => {
    const keys = pointerKeys(reference);
    const pointer = jsonPointer(keys);
    const known = names.get(pointer);
    if (known !== undefined) return known;
    const schema = keys.length === 0 ? undefined : referencedValue(document, reference);
    if (schema === undefined) {
      const advice = 'leads nowhere: write a JSON Pointer to a schema, such as "#/components/schemas/Name"';
      throw new UserError(`${place}: the reference ${JSON.stringify(reference)} ${advice}`);
    }
    if (isUnchecked(schema)) return undefined;
    const name = nameOf(keys.slice(2).join("_"));
    names.set(pointer, name);
    inner.push(constant(name, "unknown", schema, pointer));
    return name;
  };
  return { nameOf, names, definitions, inner, constant };
}

/** Writes the constants of all components that can be checked. */
function writeComponents(document: OpenApiDocument, writer: Writer, typeNames: TypeNames): readonly string[] {
  const components = Object.entries(document.components?.schemas ?? {})
    .filter(([, schema]) => !isUnchecked(schema))
    .map(([key, schema]) => ({ key, schema, pointer: jsonPointer(["components", "schemas", key]) }));
  // Components may refer to later ones.
  for (const { key, pointer } of components) writer.names.set(pointer, writer.nameOf(key));
  return components.map(({ key, schema, pointer }) => {
    const name = writer.names.get(pointer) ?? key;
    return `export ${writer.constant(name, typeNames.ofComponent(key), schema, pointer)}`;
  });
}

/** Writes the constants of all bodies, and the members of `schemas`, which have them by operation. */
function writeBodies(generation: Generation, { nameOf, constant }: Writer, typeNames: TypeNames) {
  const constants: string[] = [];
  const bodies: string[] = [];
  for (const operation of allOperations(generation)) {
    const members = bodiesOf(operation, typeNames).flatMap(([part, schemaOf]) => {
      const alternatives = [...schemaOf.values()];
      const either = alternatives.length === 1 ? alternatives[0] : { anyOf: alternatives };
      if (alternatives.length === 0 || isUnchecked(either)) return [];
      const name = nameOf(operationKey(operation) + part);
      constants.push(`export ${constant(name, [...schemaOf.keys()].join(" | "), either, operation.name)}`);
      return [`${part.toLowerCase()}: ${name}`];
    });
    if (members.length > 0 && !operation.isWebhook)
      bodies.push(`  ${JSON.stringify(operation.name)}: { ${members.join(", ")} },`);
  }
  return { constants, members: bodies };
}

/** `withJsonSchema`, with the definition of each schema and the names of the schemas that it refers to. */
function describingText(definitions: ReadonlyMap<string, unknown>): string {
  const described = [...definitions].map(([name, definition]) => {
    const json = mapObjects(definition, describedForm);
    const used = reachable(referencesIn(definition), (one) => referencesIn(definitions.get(lastKey(one))));
    return `${name}: ${inBrackets("[", [name, ...[json, ...[...used].map(lastKey)].map(literal)], "]")}`;
  });
  const comment = "/** Turns a schema of this module into a Standard JSON Schema. */";
  const start = `${comment}\nexport const withJsonSchema = /*#__PURE__*/`;
  return inBrackets(`${start} s.describing(() => ({`, described, "}));");
}

/** Keywords that JSON Schema lacks, and keywords that would change the targets of references. */
const foreignKeywords = ["definitions", "discriminator", "example", "externalDocs", "id", "xml"];

/** Returns whether a keyword other than `$ref` stays in JSON Schema. */
function isKept(keyword: string): boolean {
  return !keyword.startsWith("$") && !keyword.startsWith("x-") && !foreignKeywords.includes(keyword);
}

/**
 * A schema in JSON Schema, for both 2020-12 and draft 07, which ignores everything beside a reference.
 * Schemas in `files` get a type that only {@link schemaExpression} knows.
 */
function jsonSchemaOf(
  schema: unknown,
  files: ReadonlySet<unknown>,
  nameOf: (reference: string) => string | undefined,
): unknown {
  if (!isObject(schema)) return {};
  return mapObjects(schema, ({ $ref, ...others }, keys) => {
    const one = Object.fromEntries(Object.entries(others).filter(([keyword]) => isKept(keyword)));
    // Files that may also be `null` are not checked.
    if (files.has(valueAt(schema, keys))) return Array.isArray(one["type"]) ? {} : { type: blobType };
    const name = typeof $ref === "string" ? nameOf($ref) : undefined;
    if (name === undefined) return one;
    const target = { $ref: `#/$defs/${name}` };
    return Object.keys(one).length === 0 ? target : { ...one, allOf: [target, ...elementsOf(one["allOf"])] };
  });
}

/** A schema in the form that libraries see. JSON Schema has no types for missing values and files. */
function describedForm(schema: Readonly<Record<string, unknown>>): unknown {
  if (schema["type"] === "undefined") return false;
  return schema["type"] === blobType ? {} : schema;
}

/** Returns whether a schema is `false`, or it or a part of it has an uncheckable keyword or pattern. Lint has warned about it. */
function isUnchecked(schema: unknown): boolean {
  if (schema === false) return true;
  const isKept = ({ value, isMap }: WalkedValue) =>
    isMap ||
    !isObject(value) ||
    !(uncheckedKeywords.some((keyword) => keyword in value) || isUncompared(value["pattern"]));
  return ![...walk(schema)].every(isKept);
}

/** The schemas of the JSON and the forms in an operation's request and successes, by type name. */
function bodiesOf(operation: Operation, types: TypeNames) {
  const read = (content: MediaType | undefined, status?: string): [string, unknown][] =>
    content === undefined ? [] : [[types.ofContent(operation, status, content), content.schema]];
  const successes = successResponses(operation);
  const received = new Map(successes.flatMap(({ status, content }) => read(jsonContent(content), status)));
  // For a success without content, a client has no data.
  const isOptional = received.size > 0 && successes.some(({ content }) => content.length === 0);
  if (isOptional) received.set("undefined", { type: "undefined" });
  const { content = [] } = operation.requestBody ?? {};
  const forms = content.filter(({ mediaType }) => isForm(essenceOf(mediaType)));
  const sent = new Map([jsonContent(content), ...forms].flatMap((one) => read(one)));
  return Object.entries({ Request: sent, Response: received });
}

/** The listed values of enumerations among the components, open or closed: `membershipRoleValues`. */
function listEnumerations(document: OpenApiDocument, nameOf: (wanted: string) => string): readonly string[] {
  return [...walk({ schemas: document.components?.schemas })].flatMap((place) => {
    const values = elementsOf(valueAt(place.value, ["x-extensible-enum"]) ?? valueAt(place.value, ["enum"]));
    if (values.length === 0 || place.isMap) return [];
    const keys = keysTo(place).slice(1);
    const words = keys.filter((_, index) => index === 0 || keys[index - 1] === "properties").map(capitalize);
    const name = nameOf(`${uncapitalize(words.join(""))}Values`);
    return [`export const ${name} = ${literal(values)} as const;`];
  });
}
