import { astToString, NEVER, NULL, STRING, tsLiteral, tsRecord, UNDEFINED } from "openapi-typescript/dist/lib/ts.mjs";
import { resolveRef } from "openapi-typescript/dist/lib/utils.mjs";
import transformSchema from "openapi-typescript/dist/transform/index.mjs";
import ts from "typescript";
import { gapText } from "../contract/gaps.ts";
import { binaryObjects } from "../spec/binary.ts";
import { elementsOf, isObject, lastKey, mapMembers, stringsOf, valueAt } from "../values/json.ts";
import { isReference, isSchema, resolveSchema, type OpenApiDocument } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { typesOf } from "../spec/schemas.ts";
import { mapObjects } from "../spec/walk.ts";
import { withRequiredProperties } from "./requiredProperties.ts";
import { commentText, createNames, listNamedTypes, moduleText } from "./moduleText.ts";

/**
 * Generates the types of a bundle: those of openapi-typescript, and each schema under its own name. Names
 * that can't be type names, or are used for something else (`paths`, `string`), are left out.
 */
export function generateTypes(document: OpenApiDocument): string {
  const named = listNamedTypes(document);
  const unspecified = createNames(named)("UnspecifiedFields");
  const statements = transformBundle(prepare(withRequiredProperties(document), unspecified));
  const declarations = statements.map((statement) =>
    ts.isInterfaceDeclaration(statement) && ["paths", "operations"].includes(statement.name.text)
      ? ts.visitEachChild(statement, allowUndefinedParameters, undefined)
      : statement,
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(([name]) => named.has(name));
  declarations.forEach(tidyComments);
  const [first] = schemas;
  const example = first === undefined ? "" : `let value: ${first[0]} | undefined;`;
  const about = `The types of ${document.info?.title ?? "the API"}.`;
  // The compiler's printer indents by four spaces.
  const text = astToString(declarations).replace(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2));
  const extra = new RegExp(`\\b${unspecified}\\b`).test(text) ? unspecifiedObject(unspecified) : "";
  const aliases = schemas.map(([name, schema]) => aliasOf(name, schema));
  return moduleText({ about, example, parts: [text + extra + aliases.join("")] });
}

/**
 * The output of openapi-typescript, without its linting and bundling. These take longer than this step and
 * were done before. Options that are `false` have their defaults.
 */
function transformBundle(prepared: unknown): readonly ts.Node[] {
  const document: unknown = JSON.parse(JSON.stringify(prepared));
  const silent = true;
  return transformSchema(document, {
    silent,
    // A default is the value of a missing field. It doesn't make the field required.
    defaultNonNullable: false,
    // An object without listed properties is open unless it says otherwise.
    emptyObjectsUnknown: true,
    transform: typeOfSpecialSchema,
    // The alternatives say their values themselves.
    discriminators: { objects: {}, refsHandled: [] },
    resolve: (reference) => resolveRef(document, reference, { silent }),
    injectFooter: [],
    postTransform: undefined,
    transformProperty: orInherited,
    ...{ additionalProperties: false, alphabetize: false, arrayLength: false, enum: false, enumValues: false },
    ...{ conditionalEnums: false, dedupeEnums: false, excludeDeprecated: false, exportType: false, immutable: false },
    ...{ rootTypes: false, rootTypesNoSchemaPrefix: false, rootTypesKeepCasing: false, pathParamsAsTypes: false },
    ...{ propertiesRequiredByDefault: false, makePathsEnum: false, generatePathParams: false, readWriteMarkers: false },
  });
}

/** Types that openapi-typescript 7.13 lacks. `undefined` leaves the schema to it. */
function typeOfSpecialSchema(schema: unknown): ts.TypeNode | undefined {
  if (!isObject(schema)) return undefined;
  const values = schema["x-extensible-enum"];
  if (Array.isArray(values)) return openEnumeration(values, schema["type"]);
  if (schema["type"] === "object" && schema["maxProperties"] === 0) return tsRecord(STRING, NEVER);
  const unspecified = schema[unspecifiedFields];
  if (typeof unspecified === "string") {
    return orNull(ts.factory.createTypeReferenceNode(unspecified), schema["type"]);
  }
  if (isBytes in schema) return orNull(ts.factory.createTypeReferenceNode("Blob"), schema["type"]);
  return undefined;
}

/**
 * Adds `undefined` to optional query parameters and headers, and to the objects that contain them, for
 * `exactOptionalPropertyTypes`.
 */
function allowUndefinedParameters(node: ts.Node): ts.Node {
  const name = ts.isPropertySignature(node) && !ts.isComputedPropertyName(node.name) ? node.name.text : undefined;
  if (name === "requestBody" || name === "responses") return node;
  if (name !== "query" && name !== "header") return ts.visitEachChild(node, allowUndefinedParameters, undefined);
  return allowUndefined(ts.visitEachChild(node, allowUndefined, undefined));
}

function allowUndefined(node: ts.Node): ts.Node {
  if (!ts.isPropertySignature(node)) return ts.visitEachChild(node, allowUndefined, undefined);
  const { modifiers, name, questionToken, type } = node;
  if (questionToken === undefined || type === undefined) return node;
  const union = type.kind === NEVER.kind ? UNDEFINED : ts.factory.createUnionTypeNode([type, UNDEFINED]);
  return ts.factory.updatePropertySignature(node, modifiers, name, questionToken, union);
}

/**
 * The type of an alternative that accepts objects of types with an index signature, but no object literals,
 * which the compiler checks against the other alternatives. Its only key is a symbol that every module can
 * name, because declaration files may repeat the type.
 */
function unspecifiedObject(name: string): string {
  const comment = commentText(["An object whose fields aren't specified. To pass one, name its type."]);
  return `/*${comment}*/\nexport interface ${name} {\n  [Symbol.iterator]?: never;\n}\n`;
}

const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => /^[a-z]/i.test(name));

/** An object without an optional member has what it inherits under its name: `toString?: string | Object["toString"]`. */
function orInherited(property: ts.PropertySignature): ts.PropertySignature {
  const { modifiers, name, questionToken, type } = property;
  const text = ts.isComputedPropertyName(name) ? "" : name.text;
  if (questionToken === undefined || type === undefined || !inherited.includes(text)) return property;
  const reference = ts.factory.createTypeReferenceNode("Object");
  const literal = ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(text));
  const union = ts.factory.createUnionTypeNode([type, ts.factory.createIndexedAccessTypeNode(reference, literal)]);
  return ts.factory.updatePropertySignature(property, modifiers, name, questionToken, union);
}

/** Adds `null` to a type if the schema's `type` lists it. */
function orNull(node: ts.TypeNode, type: unknown): ts.TypeNode {
  return typesOf({ type }).includes("null") ? ts.factory.createUnionTypeNode([node, NULL]) : node;
}

/** The listed values, which editors complete, and any other value of their type: `"MEMBER" | (string & {})`. */
function openEnumeration(values: readonly unknown[], type: unknown): ts.TypeNode {
  const kinds = new Set(values.map((value) => typeof value).filter((kind) => kind === "string" || kind === "number"));
  // The intersection keeps the compiler from merging the listed values into their type.
  const others = [...kinds].map((kind) => ts.factory.createTypeReferenceNode(`(${kind} & {})`));
  const nullable = typesOf({ type }).includes("null") && !values.includes(null);
  return ts.factory.createUnionTypeNode([...values.map(tsLiteral), ...others, ...(nullable ? [NULL] : [])]);
}

function aliasOf(name: string, schema: unknown): string {
  const description = commentOf(schema);
  const comment = description === undefined ? "" : `/*${commentText(description.split("\n"))}*/\n`;
  return `${comment}export type ${name} = components["schemas"][${JSON.stringify(name)}];\n`;
}

/** Removes indentation, and tags that only repeat the type, from the comments of openapi-typescript (7.13). */
function tidyComments(node: ts.Node): void {
  const comments = ts.getSyntheticLeadingComments(node)?.map((comment) => {
    const lines = comment.text.split("\n").map((line) => line.replace(/^ ?\*(?: {5}| )?/, "").trimEnd());
    const told = lines.filter((line) => !/^@(?:constant$|enum \{)/.test(line));
    return { ...comment, text: commentText(told.join("\n").trim().split("\n")) };
  });
  if (comments !== undefined) ts.setSyntheticLeadingComments(node, comments);
  ts.forEachChild(node, tidyComments);
}

/**
 * Copies a document, closes alternatives, and moves all text for editors into titles, which
 * openapi-typescript (7.13) copies into comments. Leaves out examples that look like references, which would
 * be followed.
 */
function prepare(document: OpenApiDocument, unspecified: string): unknown {
  const schemas = document.components?.schemas ?? {};
  const binary = binaryObjects(document);
  return mapObjects(document, (object, keys) => {
    const isProperty = keys.at(-2) === "properties" && isReference(object) && !("description" in object);
    const title = commentOf(isProperty ? schemas[lastKey(object.$ref)] : object);
    const isMistaken = isReference(object["example"]) || isReference(object["value"]);
    const examples = isMistaken ? { example: undefined, value: undefined } : {};
    const told = { summary: undefined, description: undefined, format: undefined };
    const bytes = binary.size > 0 && binary.has(valueAt(document, keys)) ? bytesAt(object, keys) : {};
    return closeAlternatives(
      { ...object, ...examples, ...told, ...constantIn(object), ...bytes, title },
      document,
      unspecified,
    );
  });
}

/** The comment for an object: its title, description, gaps and format. `undefined` if it has none of these. */
function commentOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { title, summary, description, format, "x-since": since } = value;
  // A parameter or a media type has no gaps itself, but its schema may.
  const schema = isObject(value["schema"]) ? value["schema"] : {};
  const unspecified = stringsOf(value["x-unspecified"] ?? schema["x-unspecified"]);
  const parts = [
    ...stringsOf([title, summary, description]).map((text) => text.trim()),
    ...(typeof since === "string" ? [`Since ${since}.`] : []),
    ...(unspecified.length > 0 ? [`Not specified: ${unspecified.map(gapText).join(", ")}.`] : []),
  ];
  const prose = parts.filter((part) => part !== "").join("\n\n");
  if (typeof format !== "string") return prose || undefined;
  return `${prose}${prose.includes("\n") ? "\n" : " "}Format: ${format}.`.trim();
}

/** Listed values in a form for which openapi-typescript (7.13) has types: `null`, and lists in a list. */
function constantIn(schema: Schema): object {
  if (schema["const"] === null) return { const: undefined, enum: [null] };
  const values = "const" in schema ? [schema["const"]] : elementsOf(schema["enum"]);
  return values.length > 0 && values.every(Array.isArray) ? { type: "array" } : {};
}

/** Marks a schema for bytes. */
const isBytes = "x-bytes";

/**
 * Adds the mark for bytes to an object. A media type without a schema gets a schema with the mark.
 * openapi-typescript (7.13) considers the schema of a whole body only if it has a type.
 */
function bytesAt({ type = "string" }: Schema, keys: readonly string[]): object {
  const mark = { [isBytes]: true, type };
  return keys.at(-2) === "content" ? { schema: mark } : mark;
}

/** Has the name of the type of an object without specified fields, in the output of {@link closeAlternatives}. */
const unspecifiedFields = "x-unspecified-fields";

type Schema = Readonly<Record<string, unknown>>;

/** Closes alternatives that allow any field, so that the compiler finds misspelled fields in the others. */
function closeAlternatives(object: Schema, document: OpenApiDocument, unspecified: string): object {
  return mapMembers(object, (value, keyword) => {
    if (keyword !== "anyOf" && keyword !== "oneOf") return value;
    const alternatives = elementsOf(value);
    const schemas = alternatives.map((schema): Schema =>
      isSchema(schema) ? { ...resolveSchema(document, schema) } : {},
    );
    return schemas.map((schema, index) => {
      const hasSibling = schemas.some((other) => other !== schema && hasFields(other));
      return hasSibling && isOpen(schema) ? closedSchema(schema, unspecified) : alternatives[index];
    });
  });
}

/** openapi-typescript (7.13) closes objects with listed fields unless they say otherwise. */
function isOpen(schema: Schema): boolean {
  const { type, additionalProperties = !hasFields(schema) } = schema;
  const allowsAny = isObject(additionalProperties) ? isUntyped(additionalProperties) : additionalProperties === true;
  return typesOf({ type }).includes("object") && allowsAny;
}

function hasFields(schema: Schema): boolean {
  return ["properties", "allOf", "anyOf", "oneOf"].some((keyword) => keyword in schema);
}

function closedSchema(schema: Schema, unspecified: string): Schema {
  if (!hasFields(schema)) return { type: schema["type"], [unspecifiedFields]: unspecified };
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== "additionalProperties"));
}
