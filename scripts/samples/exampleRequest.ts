import { sample, SchemaSizeExceededError } from "@stoplight/json-schema-sampler";
import { isSent, jsonContent, type MediaType, type Operation, type Parameter } from "../contract/generation.ts";
import { isObject, lastKey, mapMembers } from "../spec/json.ts";
import { essenceOf, isForm } from "../spec/mediaTypes.ts";
import { isMatching } from "../spec/patterns.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { applicableSchemas, propertySchemas } from "../spec/schemas.ts";
import { isReference, isSchema, resolveSchema, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import type { SecurityAlternative } from "../contract/security.ts";
import type { SentParameter } from "./parameterText.ts";
import { fileAt, fileContent, filesIn, type SampleFiles } from "./sampleFiles.ts";
import type { SampleRequest } from "./writeRequest.ts";

export interface ExampleChoice {
  /** The name of the body's example. Default: the first one. */
  readonly body?: string | undefined;
  /** The security schemes to send credentials for. Default: {@link firstAlternative}. */
  readonly schemes?: SecurityAlternative | undefined;
}

/** A request that an operation accepts, made from its examples. Missing values are made from schemas. */
export function sampleRequest(operation: Operation, server: string, choice: ExampleChoice = {}): SampleRequest {
  const { document, method, path } = operation;
  const content = sentContent(operation);
  const files = content === undefined ? {} : filesIn(operation, content);
  const schemes = choice.schemes ?? firstAlternative(operation);
  return {
    method: method.toUpperCase(),
    server,
    path,
    parameters: sentParameters(operation),
    credentials: schemes.filter((scheme) => scheme.in !== "connection"),
    contentType: files[""]?.mediaType ?? content?.mediaType,
    body: content && bodyValue(content, document, files, choice.body),
    files,
    encoding: Object.fromEntries(content?.encoding ?? []),
  };
}

function sentParameters({ parameters, document }: Operation): readonly SentParameter[] {
  return parameters.filter(isSent).flatMap((parameter) => {
    const { name, in: place, style, explode, mediaType } = parameter;
    const value = parameterValue(parameter, document);
    return value === undefined ? [] : [{ name, in: place, style, explode, mediaType, value }];
  });
}

/** The first alternative with credentials. Empty if an operation needs none. */
export function firstAlternative({ security }: Operation): SecurityAlternative {
  return security.find((schemes) => schemes.length > 0) ?? [];
}

/**
 * The content of requests: JSON or a form if there is a choice, and none if nothing is known about an
 * optional body.
 */
export function sentContent({ document, requestBody }: Operation): MediaType | undefined {
  const { required, content } = requestBody ?? { required: false, content: [] };
  const isKnown = ({ examples, schema }: MediaType) => examples.length > 0 || !isUntyped(resolveSchema(document, schema));
  const candidates = required ? content : content.filter(isKnown);
  const form = candidates.find(({ mediaType }) => isForm(essenceOf(mediaType)));
  return jsonContent(candidates) ?? form ?? candidates[0];
}

function parameterValue({ example, required, schema, in: place }: Parameter, document: OpenApiDocument): unknown {
  if (example !== undefined || (!required && place !== "path")) return example;
  const value = matchingValue(valueOf(schema, document, "example"), schema, document);
  // A parameter without a value would be missing.
  return value === null || value === "" ? "example" : value;
}

/** Texts that match most patterns of identifiers. They are short, because some patterns take long for a long text. */
const plainTexts = Array.from({ length: 20 }, (_, index) => ["1", "a", "A"].map((one) => one.repeat(index + 1))).flat();

/** A class of characters in a pattern, with the number of characters: `[0-9a-f]{32}`. */
const countedClass = /(\[[^\]]+\]|\\[dw])(?:\{(\d{1,3})\})?/g;

/** Texts for a pattern of fixed length, such as `^[A-Z]{2}-[0-9a-f]{32}$`. Empty for any other pattern. */
function fixedTexts(pattern: string): readonly string[] {
  const text = pattern.replaceAll(countedClass, (_, characters: string, count = "1") => {
    const one = ["1", "a", "A"].find((character) => isMatching(`^${characters}$`, character)) ?? "1";
    return one.repeat(Number(count));
  });
  return /^\^[\w-]*\$$/.test(text) ? [text.slice(1, -1)] : [];
}

/** Replaces the texts in a value that don't match the patterns of their schemas, if simple texts do. */
function matchingValue(value: unknown, schema: unknown, document: OpenApiDocument): unknown {
  const applicable = applicableSchemas(document, schema);
  if (typeof value === "string") {
    const { pattern, minLength } = applicable.find((one) => one.pattern !== undefined) ?? {};
    return pattern === undefined ? value : matchingText(value, pattern, minLength);
  }
  if (Array.isArray(value)) {
    const { items } = applicable.find((one) => isObject(one.items)) ?? {};
    return value.map((item) => matchingValue(item, items, document));
  }
  const properties = propertySchemas(document, schema);
  return isObject(value)
    ? mapMembers(value, (member, name) => matchingValue(member, properties.get(name), document))
    : value;
}

function matchingText(value: string, pattern: string, minLength = 0): string {
  if (isMatching(pattern, value)) return value;
  const texts = [...fixedTexts(pattern), ...plainTexts];
  return texts.find((text) => text.length >= minLength && isMatching(pattern, text)) ?? value;
}

/** The body of a request: the named example, or else the first one, or else a value made from the schema. */
export function bodyValue(
  { examples, schema }: MediaType,
  document: OpenApiDocument,
  files: SampleFiles,
  name?: string,
): unknown {
  if (examples.length > 0) return examples.find((example) => name === undefined || example.name === name)?.value;
  if (files[""] !== undefined) return fileContent;
  const value = matchingValue(valueOf(schema, document, {}), schema, document);
  if (!isObject(value)) return value;
  return mapMembers(value, (member, key) => (fileAt(files, key) ? fileMember(member) : member));
}

function fileMember(member: unknown): unknown {
  return Array.isArray(member) ? [fileContent] : fileContent;
}

/** Adds the discriminator's property to a value of the first alternative. */
function withDiscriminator(schema: unknown, value: unknown): unknown {
  const { discriminator, oneOf, anyOf } = isSchema(schema) ? schema : {};
  const [first] = oneOf ?? anyOf ?? [];
  if (discriminator === undefined || first === undefined || !isReference(first) || !isObject(value)) return value;
  const { propertyName, mapping = {} } = discriminator;
  const [key = lastKey(first.$ref)] = Object.keys(mapping).filter((name) => mapping[name] === first.$ref);
  return { [propertyName]: key, ...value };
}

/**
 * A value that a schema allows, with its required members, since others may be recursive. With all members if
 * none is required.
 */
function valueOf(given: SchemaObject, document: OpenApiDocument, untyped: unknown): unknown {
  const schema: unknown = resolveSchema(document, given);
  if (!isObject(schema) || isUntyped(schema)) return untyped;
  const write = (skipNonRequired: boolean) =>
    sample(schema, { skipNonRequired, skipReadOnly: true, quiet: true, ticks: 2_500 }, document);
  try {
    const required = write(true);
    return isObject(required) && Object.keys(required).length === 0
      ? write(false)
      : withDiscriminator(schema, required);
  } catch (error) {
    if (error instanceof SchemaSizeExceededError) return {};
    throw error;
  }
}
