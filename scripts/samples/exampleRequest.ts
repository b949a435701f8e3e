import { sample, SchemaSizeExceededError } from "@stoplight/json-schema-sampler";
import { isSent, jsonContent, type MediaType, type Operation, type Parameter } from "../contract/generation.ts";
import { isObject, lastKey, mapMembers } from "../spec/json.ts";
import { essenceOf, isForm } from "../spec/mediaTypes.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { isReference, isSchema, resolveSchema, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import type { SecurityAlternative } from "../contract/security.ts";
import type { SentParameter } from "./parameterText.ts";
import { fileContent, filesIn, type SampleFiles } from "./sampleFiles.ts";
import type { SampleRequest } from "./writeRequest.ts";

export interface ExampleChoice {
  /** The named example for the body; the first one by default. */
  readonly body?: string | undefined;
  /** The security schemes to send credentials for; by default those of {@link firstAlternative}. */
  readonly schemes?: SecurityAlternative | undefined;
}

/** A request that an operation accepts: its examples, and values of schemas where it needs more. */
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

/** The first alternative that has any credentials: none if an operation needs none. */
export function firstAlternative({ security }: Operation): SecurityAlternative {
  return security.find((schemes) => schemes.length > 0) ?? [];
}

/** The content that requests have: JSON or a form if there is a choice, none if nothing is known of an optional body. */
export function sentContent({ requestBody }: Operation): MediaType | undefined {
  const { required, content } = requestBody ?? { required: false, content: [] };
  const candidates = required ? content : content.filter(({ examples }) => examples.length > 0);
  const form = candidates.find(({ mediaType }) => isForm(essenceOf(mediaType)));
  return jsonContent(candidates) ?? form ?? candidates[0];
}

function parameterValue({ example, required, schema, in: place }: Parameter, document: OpenApiDocument): unknown {
  if (example !== undefined || (!required && place !== "path")) return example;
  const value = valueOf(schema, document, "example");
  // A parameter without a value would be missing.
  return value === null || value === "" ? "example" : value;
}

/** The body of a request: the example of a name, by default the first one, or else one made of the schema. */
export function bodyValue(
  { examples, schema }: MediaType,
  document: OpenApiDocument,
  files: SampleFiles,
  name?: string,
): unknown {
  if (examples.length > 0) return examples.find((example) => name === undefined || example.name === name)?.value;
  if (files[""] !== undefined) return fileContent;
  const value = valueOf(schema, document, {});
  if (!isObject(value)) return value;
  return mapMembers(value, (member, key) => (key in files ? fileMember(member) : member));
}

function fileMember(member: unknown): unknown {
  return Array.isArray(member) ? [fileContent] : fileContent;
}

/** A value of the first of several alternatives, with the property that tells which one it is. */
function withDiscriminator(schema: unknown, value: unknown): unknown {
  const { discriminator, oneOf, anyOf } = isSchema(schema) ? schema : {};
  const [first] = oneOf ?? anyOf ?? [];
  if (discriminator === undefined || first === undefined || !isReference(first) || !isObject(value)) return value;
  const { propertyName, mapping = {} } = discriminator;
  const [key = lastKey(first.$ref)] = Object.keys(mapping).filter((name) => mapping[name] === first.$ref);
  return { [propertyName]: key, ...value };
}

/** A value that a schema allows, with its required members, as others may lead back to it; all if none is. */
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
