import { lifecycleOf } from "../spec/lifecycle.ts";
import { jsonPointer, objectsOf, pointerKeys, stringMembersOf, stringsOf, valueAt } from "../spec/json.ts";
import { extensionOf, isReference, methods, resolve, resolveSchema, unspecifiedOf } from "../spec/openapi.ts";
import type {
  MediaTypeObject,
  Method,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ReferenceObject,
  SchemaObject,
} from "../spec/openapi.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { styleOf } from "../spec/parameterStyles.ts";
import { defaultMockUrl } from "./defaultAddress.ts";
import { readOperationExtension } from "./resourceExtension.ts";
import { readSecuritySchemes, type SecurityAlternative, type SecurityScheme } from "./security.ts";
import { compareText, firstParagraph, groupBy } from "./text.ts";

/** What a bundle says, with references resolved and inherited values filled in. Schemas stay: their components have names. */
export type Generation = Readonly<ReturnType<typeof readGeneration>>;

/** A tag and the operations that have it as their first one. */
export type Group = Readonly<ReturnType<typeof readGroups>[number]>;

export type Section = Readonly<ReturnType<typeof readSections>[number]>;

export type Operation = Readonly<ReturnType<typeof readOperation>>;

export type CodeSample = Readonly<ReturnType<typeof readCodeSamples>[number]>;

export type Header = Readonly<ReturnType<typeof readHeader>>;

export type Parameter = Readonly<ReturnType<typeof readParameter>>;

export type RequestBody = NonNullable<ReturnType<typeof readRequestBody>>;

export type Response = Readonly<ReturnType<typeof readResponses>[number]>;

export type MediaType = Readonly<ReturnType<typeof readContent>[number]>;

/** Encoding of a property of a form (OpenAPI 3.1.1, section 4.8.15). */
export type Encoding = Partial<Pick<Parameter, "style" | "explode">>;

export type Example = Readonly<ReturnType<typeof readExamples>[number]>;

/** The group of operations without a tag. */
const untagged = "Other";

/** Reads a bundle into the model that every command works on. Throws for references that lead nowhere. */
export function readGeneration(name: string, document: OpenApiDocument) {
  const { title = name, description = "", summary = firstParagraph(description) } = stringMembersOf(document.info);
  const securitySchemes = readSecuritySchemes(document);
  const operations = readOperations(document, securitySchemes, "paths");
  const groups = readGroups(document, operations);
  return {
    name,
    document,
    title,
    summary,
    description,
    unspecified: unspecifiedOf(document.info),
    securitySchemes,
    operations,
    /** The requests that the service sends (OpenAPI 3.1.1, section 4.8.1): the path of each is the webhook's name. */
    webhooks: readOperations(document, securitySchemes, "webhooks"),
    /** Every tag, in the document's order, and after them the tags that operations have without their being declared. */
    groups,
    sections: readSections(document, groups),
  };
}

/** Sorts names as people read them, with numbers by their value: `v2` comes before `v10`. */
export function byVersion(a: { readonly name: string }, b: { readonly name: string }): number {
  // Without a collator, which takes 20 ms to load.
  const padded = ({ name }: { readonly name: string }) => name.replace(/\d+/g, (digits) => digits.padStart(9, "0"));
  return compareText(padded(a), padded(b));
}

export function successResponses({ responses }: Operation): readonly Response[] {
  return responses.filter(({ status }) => status.startsWith("2"));
}

export function jsonContent(content: readonly MediaType[] = []): MediaType | undefined {
  return content.find(({ mediaType }) => isJson(mediaType));
}

/** Headers of some names are no parameters (OpenAPI 3.1.1, section 4.8.12.2). */
export function isSent({ in: place, name }: Pick<Parameter, "in" | "name">): boolean {
  return place !== "header" || !/^(?:accept|content-type|authorization)$/i.test(name);
}

/** The URL for samples: the first server's, without a slash at its end; relative to the mock, if it is relative or there is none. */
export function serverUrl({ servers = [] }: Partial<Pick<Operation, "servers">>): string {
  const [{ url, variables = {} } = { url: "/" }] = servers;
  const filled = url.replaceAll(/\{([^{}]+)\}/g, (variable, name: string) => variables[name]?.default ?? variable);
  const absolute = URL.canParse(filled) ? filled : (URL.parse(filled, defaultMockUrl)?.href ?? filled);
  return absolute.replace(/\/$/, "");
}

function readOperations(
  document: OpenApiDocument,
  securitySchemes: ReadonlyMap<string, SecurityScheme>,
  field: "paths" | "webhooks",
): readonly Operation[] {
  return Object.entries(document[field] ?? {}).flatMap(([path, referenced]) => {
    const pathItem = resolve(document, referenced);
    const pathItemPointer = jsonPointer(isReference(referenced) ? pointerKeys(referenced.$ref) : [field, path]);
    return methods.flatMap((method) => {
      const operation = pathItem[method];
      const place = { document, pathItemPointer, path, method };
      return operation === undefined ? [] : [readOperation(place, pathItem, operation, securitySchemes)];
    });
  });
}

/** The path item of an operation is under `paths` or among the components. */
function readOperation(
  place: { document: OpenApiDocument; pathItemPointer: string; path: string; method: Method },
  pathItem: PathItemObject,
  operation: OperationObject,
  securitySchemes: ReadonlyMap<string, SecurityScheme>,
) {
  const { document, path, method } = place;
  const name = `${method.toUpperCase()} ${path}`;
  const requirements = operation.security ?? document.security ?? [];
  const [group = untagged, ...otherTags] = operation.tags ?? [];
  return {
    ...place,
    name,
    operationId: operation.operationId,
    title: operation.summary ?? name,
    description: operation.description ?? "",
    lifecycle: lifecycleOf(operation),
    group,
    otherTags,
    unspecified: unspecifiedOf(operation),
    /** Its own, or else those of its path item, or else those of the document. */
    servers: operation.servers ?? pathItem.servers ?? document.servers ?? [],
    /** Those of the path item and of the operation, which override the former by `in` and `name`. */
    parameters: readParameters(document, [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])]),
    requestBody: readRequestBody(document, operation),
    responses: readResponses(document, operation),
    /** Any one of these alternatives authorizes a request. Empty if the description names none. */
    security: requirements.map((requirement): SecurityAlternative =>
      Object.keys(requirement).map((key) => {
        const scheme = securitySchemes.get(key);
        if (scheme === undefined) throw new Error(`${name} names a security scheme that is not there: ${key}`);
        return scheme;
      }),
    ),
    pagination: readPagination(operation),
    resource: readOperationExtension(operation),
    codeSamples: readCodeSamples(operation),
  };
}

function readParameters(
  document: OpenApiDocument,
  references: readonly (ParameterObject | ReferenceObject)[],
): readonly Parameter[] {
  const parameters = references.map((reference) => readParameter(document, resolve(document, reference)));
  return [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

function readParameter(document: OpenApiDocument, parameter: ParameterObject) {
  const { name } = parameter;
  const place: string = parameter.in ?? "";
  const { style, explode } = styleOf(place, parameter);
  return {
    ...readHeader(document, name, parameter),
    in: place,
    /** Style in which its value is written (OpenAPI 3.1.1, section 4.8.12.6), such as `form`. */
    style,
    explode,
    /** The media type of its value, if it is not written in a style (OpenAPI 3.1.1, section 4.8.12.4). */
    mediaType: Object.keys(parameter.content ?? {})[0],
  };
}

function readHeader(document: OpenApiDocument, name: string, header: Omit<ParameterObject, "name" | "in">) {
  const { required = false, description = "" } = header;
  const schema: SchemaObject = header.schema ?? Object.values(header.content ?? {})[0]?.schema ?? {};
  const { const: constant, default: preset } = resolveSchema(document, schema);
  const [named] = readExamples(document, header.examples);
  const example: unknown = header.example ?? named?.value ?? constant ?? preset;
  return {
    name,
    required,
    lifecycle: lifecycleOf(header),
    description,
    unspecified: unspecifiedOf(header),
    schema,
    /** Its example, or the one value or the default that its schema gives; `undefined` if there is none. */
    example,
    source: header,
  };
}

function readRequestBody(document: OpenApiDocument, { requestBody }: OperationObject) {
  if (requestBody === undefined) return undefined;
  const { required = false, description = "", content } = resolve(document, requestBody);
  return { required, description, content: readContent(document, content) };
}

function readResponses(document: OpenApiDocument, { responses = {} }: Partial<OperationObject>) {
  return Object.entries(responses).map(([status, referenced]) => {
    const response = resolve(document, referenced);
    const { description = "", headers = {}, content } = response;
    return {
      /** A status code, a range such as `2XX`, or `default`. */
      status,
      description,
      unspecified: unspecifiedOf(response),
      headers: Object.entries(headers).map(([name, header]) => readHeader(document, name, resolve(document, header))),
      content: readContent(document, content),
      source: response,
    };
  });
}

function readContent(document: OpenApiDocument, content: ParameterObject["content"] = {}) {
  return Object.entries(content).map(([mediaType, { schema = {}, encoding = {}, example, examples }]) => ({
    mediaType,
    schema,
    encoding: new Map<string, Encoding>(Object.entries(encoding)),
    examples:
      example === undefined
        ? readExamples(document, examples)
        : [{ name: "default", summary: "Example", description: "", value: example }],
  }));
}

function readExamples(document: OpenApiDocument, examples: MediaTypeObject["examples"] = {}) {
  return Object.entries(examples).map(([name, referenced]) => {
    const example = resolve(document, referenced);
    const { summary = name, description = "" } = stringMembersOf(example);
    return { name, summary, description, value: valueAt(example, ["value"]) };
  });
}

/** The names of an operation's query parameters for how many items to return and to skip, as `x-pagination` gives them. */
function readPagination(operation: OperationObject) {
  const { limit, offset } = stringMembersOf(extensionOf(operation, "x-pagination"));
  return limit === undefined || offset === undefined ? undefined : { limit, offset };
}

function readCodeSamples(operation: OperationObject) {
  const written = [extensionOf(operation, "x-codeSamples"), extensionOf(operation, "x-code-samples")];
  return written.flatMap(objectsOf).flatMap((sample) => {
    const { lang, label, source } = stringMembersOf(sample);
    return lang === undefined || source === undefined ? [] : [{ lang, label, source }];
  });
}

function readGroups({ tags = [] }: OpenApiDocument, operations: readonly Operation[]) {
  const byGroup = groupBy(operations, ({ group }) => group);
  const declared = new Map(tags.map((tag) => [tag.name, tag]));
  const others = operations.flatMap(({ otherTags }) => otherTags);
  return [...new Set([...declared.keys(), ...byGroup.keys(), ...others])].map((name) => {
    const tag = declared.get(name);
    const { "x-displayName": title = name, description = "" } = stringMembersOf(tag);
    return {
      name,
      title,
      description,
      unspecified: unspecifiedOf(tag),
      operations: byGroup.get(name) ?? [],
      /** The operations that have the tag, but another one first. */
      alsoTagged: operations.filter(({ otherTags }) => otherTags.includes(name)),
    };
  });
}

/** The groups under the names that `x-tagGroups` gives them; the name is empty for groups that are in none. */
function readSections(document: OpenApiDocument, groups: readonly Group[]) {
  const byName = new Map(groups.map((group) => [group.name, group]));
  const sections = objectsOf(extensionOf(document, "x-tagGroups")).map(({ name, tags }) => ({
    name: String(name),
    groups: stringsOf(tags).flatMap((tag) => byName.get(tag) ?? []),
  }));
  const listed = new Set(sections.flatMap((section) => section.groups));
  const rest = groups.filter((group) => !listed.has(group));
  return rest.length === 0 ? sections : [...sections, { name: "", groups: rest }];
}
