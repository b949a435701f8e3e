import { isSent, jsonContent, type MediaType, type Operation, type Parameter } from "../contract/generation.ts";
import { isObject, mapMembers } from "../values/json.ts";
import { essenceOf, isForm } from "../spec/mediaTypes.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { resolveSchema, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import type { SecurityAlternative } from "../contract/security.ts";
import type { SentParameter } from "./parameterText.ts";
import { schemaValue } from "./schemaValue.ts";
import { fileAt, fileContent, filesIn, type SampleFiles } from "./sampleFiles.ts";
import type { SampleRequest } from "./serializeRequest.ts";

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
  };
}

function sentParameters({ parameters, document }: Operation): readonly SentParameter[] {
  return parameters.filter(isSent).flatMap((parameter) => {
    const { name, in: place } = parameter;
    const value = parameterValue(parameter, document);
    return value === undefined ? [] : [{ name, in: place, value }];
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
  const isKnown = ({ examples, schema }: MediaType) =>
    examples.length > 0 || !isUntyped(resolveSchema(document, schema));
  const candidates = required ? content : content.filter(isKnown);
  const form = candidates.find(({ mediaType }) => isForm(essenceOf(mediaType)));
  return jsonContent(candidates) ?? form ?? candidates[0];
}

function parameterValue({ example, required, schema, in: place }: Parameter, document: OpenApiDocument): unknown {
  if (example !== undefined || (!required && place !== "path")) return example;
  const value = valueOf(schema, document, "example");
  // A parameter without a value would be missing.
  return value === null || value === "" ? "example" : value;
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
  const value = valueOf(schema, document, {});
  if (!isObject(value)) return value;
  return mapMembers(value, (member, key) => (fileAt(files, key) ? fileMember(member) : member));
}

function fileMember(member: unknown): unknown {
  return Array.isArray(member) ? [fileContent] : fileContent;
}

/**
 * A value that a schema allows, with its required members, since others may be recursive. With all members if
 * none is required. Members without a value are missing.
 */
function valueOf(schema: SchemaObject, document: OpenApiDocument, untyped: unknown): unknown {
  if (isUntyped(resolveSchema(document, schema))) return untyped;
  const wishes = { direction: "request", members: "required" } as const;
  const required = schemaValue(schema, document, wishes);
  const made = required ?? schemaValue(schema, document, { ...wishes, isLenient: true });
  const isEmpty = isObject(made?.value) && Object.keys(made.value).length === 0;
  const all = isEmpty ? schemaValue(schema, document, { ...wishes, members: "all" }) : made;
  return (all ?? made ?? { value: untyped }).value;
}
