import { UserError } from "./failures.ts";
import { lifecycleOf, type Lifecycle } from "../spec/lifecycle.ts";
import { jsonPointer, objectsOf, pointerKeys, stringMembersOf, stringsOf, valueAt } from "../values/json.ts";
import {
  extensionOf,
  isReference,
  operationsIn,
  resolve,
  resolveSchema,
  serverUrls,
  unspecifiedOf,
  type HeaderObject,
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type ReferenceObject,
  type ResponseObject,
  type SchemaObject,
  type ServerObject,
} from "../spec/openapi.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { allowedTypes, applicableSchemas } from "../spec/schemas.ts";
import { isDefaultStatus, isSuccessStatus } from "../spec/statusKeys.ts";
import { defaultMockUrl } from "./defaultAddress.ts";
import { readOperationExtension, type OperationExtension } from "./resourceExtension.ts";
import { readSecuritySchemes, type SecurityAlternative, type SecurityScheme } from "./security.ts";
import { compareText, listInWords, onOneLine, titleOfIdentifier, withoutEnd } from "../values/text.ts";
import { firstParagraph } from "../values/markdown.ts";
import { groupBy } from "../values/collections.ts";

/**
 * A bundle as data, with references resolved and inherited values filled in. Schemas keep their references,
 * since their components have names.
 */
export interface Generation {
  /** The key in redocly.yaml, which is a folder in generated/: `v1`. */
  readonly name: string;
  /** The bundle itself. */
  readonly document: OpenApiDocument;
  readonly title: string;
  /** The `summary` of `info`, or else the first paragraph of the description. */
  readonly summary: string;
  readonly description: string;
  /** The gaps of the generation as a whole. */
  readonly unspecified: readonly string[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  readonly operations: readonly Operation[];
  /**
   * The requests that the service sends (OpenAPI 3.1.1, section 4.8.1): the path of each is the webhook's
   * name.
   */
  readonly webhooks: readonly Operation[];
  /** The declared tags in the document's order, then undeclared tags of operations. */
  readonly groups: readonly Group[];
  readonly sections: readonly Section[];
}

/** A tag, and the operations and webhooks that have it as their first tag. */
export interface Group {
  /** The name of the tag. */
  readonly name: string;
  /** The display name: `x-displayName`, or else its `summary` (OpenAPI 3.2), or else the name of the tag. */
  readonly title: string;
  readonly description: string;
  readonly unspecified: readonly string[];
  readonly operations: readonly Operation[];
  /** The webhooks that have the tag as their first tag. */
  readonly webhooks: readonly Operation[];
  /** The operations that have the tag after another one. */
  readonly alsoTagged: readonly Operation[];
}

/** An entry of `x-tagGroups`. */
export interface Section {
  /** Empty for the groups outside all sections. */
  readonly name: string;
  readonly groups: readonly Group[];
}

/** The part of an operation that requests and responses are checked against. */
export interface CheckedOperation {
  /** The bundle that it is in. */
  readonly document: OpenApiDocument;
  /** JSON Pointer of its path item, which is under `paths` or among the components. */
  readonly pathItemPointer: string;
  /** Its JSON Pointer. */
  readonly pointer: string;
  /** True for a request that the service sends. */
  readonly isWebhook: boolean;
  /** The path with named parameters: `/teams/{teamId}`. */
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  /** Method and path: `GET /teams/{teamId}`. */
  readonly name: string;
  readonly operationId: string | undefined;
  /**
   * The parameters of the operation, and those of the path item that it doesn't override by `in` and `name`.
   */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly Response[];
  /**
   * Alternatives, any of which authorizes a request. Empty if the description has none. Webhooks inherit
   * none.
   */
  readonly security: readonly SecurityAlternative[];
}

/** A method of a path item, with inherited values. */
export interface Operation extends CheckedOperation {
  /** The summary if it is short, or else the words of the `operationId`, or else the name. */
  readonly title: string;
  readonly description: string;
  readonly lifecycle: Lifecycle;
  /** The first tag, or {@link untagged}. */
  readonly group: string;
  readonly otherTags: readonly string[];
  /** The titles of its tags of the kind `badge` (OpenAPI 3.2.0, section 4.22). */
  readonly badges: readonly string[];
  /** Its own gaps, without those of its parts. */
  readonly unspecified: readonly string[];
  /** Its own servers, or else those of the path item, or else those of the document. */
  readonly servers: readonly ServerObject[];
  readonly pagination: Pagination | undefined;
  /** Its `x-resource`. */
  readonly resource: OperationExtension;
}

/** The names of the query parameters for the page size and the offset, from `x-pagination`. */
export interface Pagination {
  readonly limit: string;
  readonly offset: string;
}

/** A header of a response, or the fields that a parameter shares with it. */
export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly unspecified: readonly string[];
  /** The schema of its value or its content. */
  readonly schema: SchemaObject;
  /**
   * Whether its value is one text, or a text for each item of a list in the query. All others are only shown: nothing
   * writes, reads or checks them.
   */
  readonly isText: boolean;
  /** Its example, or else the default or the only value in its schema. `undefined` if there is none. */
  readonly example: unknown;
  /** The object as written in the bundle. */
  readonly source: HeaderObject;
}

/** A parameter of an operation. */
export interface Parameter extends Header {
  /** `path`, `query`, `header` or `cookie`. */
  readonly in: string;
}

/** The body of an operation's request. */
export interface RequestBody {
  readonly required: boolean;
  readonly description: string;
  readonly content: readonly MediaType[];
}

/** A response of an operation. */
export interface Response {
  /** A status code, a range such as `2XX`, or `default`. */
  readonly status: string;
  readonly description: string;
  readonly unspecified: readonly string[];
  readonly headers: readonly Header[];
  readonly content: readonly MediaType[];
  /** The object as written in the bundle. */
  readonly source: ResponseObject;
}

/** A body in one media type. */
export interface MediaType {
  /** The name: `application/json`, or a range such as `text/*`. */
  readonly mediaType: string;
  /** Empty if there is no schema. */
  readonly schema: SchemaObject;
  /** How properties of forms are serialized, by name. */
  readonly encoding: ReadonlyMap<string, Encoding>;
  readonly examples: readonly Example[];
  readonly exampleLinks: readonly ExampleLink[];
}

/** Encoding of a property of a form (OpenAPI 3.1.1, section 4.8.15). */
export interface Encoding {
  readonly style?: string;
  readonly explode?: boolean;
  /** The allowed media types of its part, separated by commas. */
  readonly contentType?: string;
}

/** An example of a body. */
export interface Example {
  /** The key under `examples`, or `default` for `example`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly value: unknown;
}

/** An example of a body that isn't in the description. */
export interface ExampleLink extends Pick<Example, "summary" | "description"> {
  readonly externalValue: string;
}

/** All operations and webhooks. */
export function allOperations({ operations, webhooks }: Generation): readonly Operation[] {
  return [...operations, ...webhooks];
}

/** The group of operations without a tag. Webhooks without a tag have no group. */
export const untagged = "Other";

/** Reads a bundle into the model that every command uses. Throws for references that lead nowhere. */
export function readGeneration(name: string, document: OpenApiDocument): Generation {
  const { title = name, description = "", summary = firstParagraph(description) } = stringMembersOf(document.info);
  const securitySchemes = readSecuritySchemes(document);
  const operations = readOperations(document, "paths", securitySchemes);
  const webhooks = readOperations(document, "webhooks", securitySchemes);
  const groups = readGroups(document, operations, webhooks);
  return {
    name,
    document,
    title,
    summary,
    description,
    unspecified: unspecifiedOf(document.info),
    securitySchemes,
    operations,
    webhooks,
    groups,
    sections: readSections(document, groups),
  };
}

/** Compares names naturally, with numbers by value: `v2` comes before `v10`. */
export function byVersion(a: { readonly name: string }, b: { readonly name: string }): number {
  // No collator, since loading it takes 20 ms.
  const padded = ({ name }: { readonly name: string }) => name.replace(/\d+/g, (digits) => digits.padStart(9, "0"));
  return compareText(padded(a), padded(b));
}

/**
 * The generation with a name, or all generations if no name is given. Throws {@link UserError} if no
 * generation has the name.
 */
export function selectByName<T extends { readonly name: string }>(all: readonly T[], name?: string): readonly T[] {
  const selected = all.filter((one) => name === undefined || one.name === name);
  if (selected.length > 0 || name === undefined) return selected;
  throw new UserError(`there is no generation "${name}": there are ${listInWords(all.map((one) => one.name))}`);
}

/** The responses of successes. If none is listed, `default` also stands for them. */
export function successResponses({ responses }: Pick<Operation, "responses">): readonly Response[] {
  const listed = responses.filter(({ status }) => isSuccessStatus(status));
  return listed.length > 0 ? listed : responses.filter(({ status }) => isDefaultStatus(status));
}

export function jsonContent(content: readonly MediaType[] = []): MediaType | undefined {
  return content.find(({ mediaType }) => isJson(mediaType));
}

/** Headers that aren't parameters (OpenAPI 3.1.1, section 4.8.12.2). */
const describedElsewhere = new Set(["accept", "content-type", "authorization"]);

/** Returns whether requests have a parameter that is more than shown. OpenAPI describes some headers in other fields. */
export function isSent({ in: place, name, isText }: Pick<Parameter, "in" | "name" | "isText">): boolean {
  return isText && (place !== "header" || !describedElsewhere.has(name.toLowerCase()));
}

/** Returns whether an operation is read-only, by its method (RFC 9110, section 9.2.1). */
export function isSafe({ method }: Pick<Operation, "method">): boolean {
  return ["get", "head", "options", "trace"].includes(method);
}

/**
 * The URL in samples: the first server's, without a trailing slash. If it is relative or missing, it's
 * resolved against the mock's.
 */
export function serverUrl({ servers = [] }: Partial<Pick<Operation, "servers">>): string {
  const [filled = "/"] = serverUrls(servers);
  const absolute = URL.canParse(filled) ? filled : (URL.parse(filled, defaultMockUrl)?.href ?? filled);
  return withoutEnd(absolute, "/");
}

type OperationField = "paths" | "webhooks";

/** Reads the operations or the webhooks of a bundle. Throws for references that lead nowhere. */
function readOperations(
  document: OpenApiDocument,
  field: OperationField,
  securitySchemes: ReadonlyMap<string, SecurityScheme>,
): readonly Operation[] {
  return operationObjects(document, field).map((written) => readOperation(written, securitySchemes));
}

/** Reads what requests and responses are checked against. Throws for references that lead nowhere. */
export function readCheckedOperations(document: OpenApiDocument): readonly CheckedOperation[] {
  const securitySchemes = readSecuritySchemes(document);
  return operationObjects(document, "paths").map((written) => readChecked(written, securitySchemes));
}

/** An operation as the bundle has it, and where. */
interface SourceOperation {
  readonly place: Pick<
    Operation,
    "document" | "isWebhook" | "pathItemPointer" | "pointer" | "path" | "method" | "name" | "operationId"
  >;
  readonly pathItem: PathItemObject;
  readonly operation: OperationObject;
}

function operationObjects(document: OpenApiDocument, field: OperationField): readonly SourceOperation[] {
  return Object.entries(document[field] ?? {}).flatMap(([path, referenced]) => {
    const pathItem = resolve(document, referenced);
    const pathItemPointer = jsonPointer(isReference(referenced) ? pointerKeys(referenced.$ref) : [field, path]);
    return operationsIn(pathItem).map(({ method, operation }) => {
      const pointer = pathItemPointer + jsonPointer([method]);
      const name = `${method.toUpperCase()} ${path}`;
      const { operationId } = operation;
      const isWebhook = field === "webhooks";
      const place = { document, pathItemPointer, pointer, path, method, isWebhook, name, operationId };
      return { place, pathItem, operation };
    });
  });
}

function readChecked(
  { place, pathItem, operation }: SourceOperation,
  securitySchemes: ReadonlyMap<string, SecurityScheme>,
): CheckedOperation {
  const { document, isWebhook, name } = place;
  const parameters = [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])];
  // The document's security requirements concern requests to the service.
  const requirements = operation.security ?? (isWebhook ? [] : (document.security ?? []));
  const security = requirements.map((requirement) => readRequirement(requirement, securitySchemes, name));
  return {
    ...place,
    parameters: readParameters(document, parameters),
    requestBody: readRequestBody(document, operation),
    responses: readResponses(document, operation),
    security,
  };
}

function readOperation(written: SourceOperation, securitySchemes: ReadonlyMap<string, SecurityScheme>): Operation {
  const { place, pathItem, operation } = written;
  const { document, name } = place;
  const { tags = [] } = operation;
  const [group = untagged, ...otherTags] = tags.filter((tag) => kindOf(document, tag) === "nav");
  const badges = tags.filter((tag) => kindOf(document, tag) === "badge");
  return {
    ...readChecked(written, securitySchemes),
    ...readTitle(operation, name),
    lifecycle: lifecycleOf(operation),
    group,
    otherTags,
    badges: badges.map((tag) => titleOfTag(document, tag)),
    unspecified: unspecifiedOf(operation),
    servers: operation.servers ?? pathItem.servers ?? document.servers ?? [],
    pagination: readPagination(operation),
    resource: readOperationExtension(operation),
  };
}

/** Longer summaries aren't titles. */
const maxTitleLength = 120;

/** An operation's title and description. A summary that is too long for a title begins the description. */
function readTitle({ operationId, summary = "", description = "" }: OperationObject, name: string) {
  const line = onOneLine(summary).trim();
  if (line !== "" && line.length <= maxTitleLength) return { title: line, description };
  const title = operationId === undefined ? name : titleOfIdentifier(operationId);
  return { title, description: [summary, description].filter((text) => text !== "").join("\n\n") };
}

function readRequirement(
  requirement: Readonly<Record<string, readonly string[]>>,
  securitySchemes: ReadonlyMap<string, SecurityScheme>,
  operation: string,
): SecurityAlternative {
  return Object.entries(requirement).map(([key, scopes]) => {
    const scheme = securitySchemes.get(key);
    if (scheme === undefined) throw new Error(`${operation} names a security scheme that does not exist: ${key}`);
    return scopes.length > 0 ? { ...scheme, scopes } : scheme;
  });
}

function readParameters(
  document: OpenApiDocument,
  references: readonly (ParameterObject | ReferenceObject)[],
): readonly Parameter[] {
  const parameters = references.map((reference) => readParameter(document, resolve(document, reference)));
  return [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

function readParameter(document: OpenApiDocument, parameter: ParameterObject): Parameter {
  const { name } = parameter;
  const place: string = parameter.in ?? "";
  return { ...readHeader(document, name, parameter, place), in: place };
}

function readHeader(document: OpenApiDocument, name: string, header: HeaderObject, place = "header"): Header {
  const { required = false, description = "" } = header;
  const schema: SchemaObject = header.schema ?? Object.values(header.content ?? {})[0]?.schema ?? {};
  const { const: constant, default: preset } = resolveSchema(document, schema);
  const [named] = namedExamples(document, header.examples);
  const example: unknown = header.example ?? named?.value ?? constant ?? preset;
  return {
    name,
    required,
    description,
    unspecified: unspecifiedOf(header),
    schema,
    isText: isText(document, place, header),
    example,
    source: header,
  };
}

function isText(document: OpenApiDocument, place: string, header: HeaderObject): boolean {
  const { style, explode, content, schema, allowEmptyValue = false } = header;
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  if (content !== undefined || allowEmptyValue || (style ?? usual) !== usual) return false;
  const types = allowedTypes(document, schema);
  const { items } = applicableSchemas(document, schema).find((one) => one.items !== undefined) ?? {};
  const inItems = types.has("array") ? allowedTypes(document, items) : new Set();
  const isList = place === "query" && explode !== false && !inItems.has("array") && !inItems.has("object");
  return !types.has("object") && (!types.has("array") || isList);
}

function readRequestBody(document: OpenApiDocument, { requestBody }: OperationObject): RequestBody | undefined {
  if (requestBody === undefined) return undefined;
  const { required = false, description = "", content } = resolve(document, requestBody);
  return { required, description, content: readContent(document, content) };
}

function readResponses(document: OpenApiDocument, { responses = {} }: Partial<OperationObject>): readonly Response[] {
  return Object.entries(responses).map(([status, referenced]) => {
    const response = resolve(document, referenced);
    const { description = "", headers = {}, content } = response;
    return {
      status,
      description,
      unspecified: unspecifiedOf(response),
      headers: Object.entries(headers).map(([name, header]) => readHeader(document, name, resolve(document, header))),
      content: readContent(document, content),
      source: response,
    };
  });
}

function readContent(document: OpenApiDocument, content: ParameterObject["content"] = {}): readonly MediaType[] {
  return Object.entries(content).map(([mediaType, { schema = {}, encoding = {}, example, examples }]) => {
    const own = example === undefined ? [] : [{ name: "default", summary: "Example", description: "", value: example }];
    return {
      mediaType,
      schema,
      encoding: new Map<string, Encoding>(Object.entries(encoding)),
      examples: [...own, ...namedExamples(document, examples)],
      exampleLinks: readExampleLinks(document, examples),
    };
  });
}

function readExampleLinks(document: OpenApiDocument, examples: MediaTypeObject["examples"] = {}) {
  return Object.entries(examples).flatMap(([name, referenced]): readonly ExampleLink[] => {
    const { summary = name, description = "", externalValue } = stringMembersOf(resolve(document, referenced));
    return externalValue === undefined ? [] : [{ summary, description, externalValue }];
  });
}

/** The named examples of a body, a parameter or a header that have a value. The others have a link, which nothing follows. */
export function namedExamples(
  document: OpenApiDocument,
  examples: MediaTypeObject["examples"] = {},
): readonly Example[] {
  return Object.entries(examples).flatMap(([name, referenced]) => {
    const example = resolve(document, referenced);
    const { summary = name, description = "" } = stringMembersOf(example);
    const value = valueAt(example, ["value"]);
    return value === undefined ? [] : [{ name, summary, description, value }];
  });
}

function readPagination(operation: OperationObject): Pagination | undefined {
  const { limit, offset } = stringMembersOf(extensionOf(operation, "x-pagination"));
  return limit === undefined || offset === undefined ? undefined : { limit, offset };
}

/** The texts of tags with the fields of OpenAPI 3.2 (3.2.0, section 4.22). Empty for 3.1. */
function nestedTags({ openapi, tags = [] }: OpenApiDocument): readonly Readonly<Record<string, string>>[] {
  return openapi.startsWith("3.2.") ? tags.map(stringMembersOf) : [];
}

/** The kind of a tag. Only those of the kind `nav` group operations. Others are badges, audiences and so on. */
function kindOf(document: OpenApiDocument, tag: string): string {
  const { kind = "nav" } = nestedTags(document).find(({ name }) => name === tag) ?? {};
  return kind;
}

/** The display name of a tag: `x-displayName`, or else the `summary` of OpenAPI 3.2, or else its name. */
function titleOfTag(document: OpenApiDocument, tag: string): string {
  const { summary = tag } = nestedTags(document).find(({ name }) => name === tag) ?? {};
  const { "x-displayName": title = summary } = stringMembersOf(document.tags?.find(({ name }) => name === tag));
  return title;
}

function readGroups(
  document: OpenApiDocument,
  operations: readonly Operation[],
  webhooks: readonly Operation[],
): readonly Group[] {
  const byGroup = groupBy(operations, ({ group }) => group);
  const tagged = webhooks.filter(({ group }) => group !== untagged);
  const webhooksOf = groupBy(tagged, ({ group }) => group);
  const declared = new Map((document.tags ?? []).map((tag) => [tag.name, tag]));
  const used = new Set([...byGroup.keys(), ...webhooksOf.keys(), ...operations.flatMap(({ otherTags }) => otherTags)]);
  const tags = nestedTags(document);
  // A tag that only contains others is a section.
  const parents = new Set(tags.map(({ parent }) => parent));
  const isGroup = (name: string) => kindOf(document, name) === "nav" && (used.has(name) || !parents.has(name));
  return [...new Set([...[...declared.keys()].filter(isGroup), ...used])].map((name) => {
    const tag = declared.get(name);
    const { description = "" } = stringMembersOf(tag);
    return {
      name,
      title: titleOfTag(document, name),
      description,
      unspecified: unspecifiedOf(tag),
      operations: byGroup.get(name) ?? [],
      webhooks: webhooksOf.get(name) ?? [],
      alsoTagged: operations.filter(({ otherTags }) => otherTags.includes(name)),
    };
  });
}

/**
 * The groups by the sections in `x-tagGroups`, or else by their outermost tags. Groups outside all sections
 * have one with an empty name.
 */
function readSections(document: OpenApiDocument, groups: readonly Group[]): readonly Section[] {
  const byName = new Map(groups.map((group) => [group.name, group]));
  const written = objectsOf(extensionOf(document, "x-tagGroups")).map(({ name, tags }): Section => {
    const named = stringsOf(tags).flatMap((tag) => byName.get(tag) ?? []);
    return { name: String(name), groups: named };
  });
  const sections = written.length > 0 ? written : sectionsOfTags(document, groups);
  const listed = new Set(sections.flatMap((section) => section.groups));
  const rest = groups.filter((group) => !listed.has(group));
  return rest.length === 0 ? sections : [...sections, { name: "", groups: rest }];
}

/** A section for each tag that contains others and is in none, with the groups in it. */
function sectionsOfTags(document: OpenApiDocument, groups: readonly Group[]): readonly Section[] {
  const tags = new Map(nestedTags(document).map((tag) => [tag["name"], tag]));
  const parents = new Set(Array.from(tags.values(), ({ parent }) => parent));
  const outermost = (name: string, inner: readonly string[] = []): string => {
    const { parent } = tags.get(name) ?? {};
    // Tags may not contain each other.
    const isTop = parent === undefined || !tags.has(parent) || inner.includes(parent);
    return isTop ? name : outermost(parent, [...inner, name]);
  };
  const bySection = groupBy(groups, ({ name }) => outermost(name));
  const sections = [...bySection].filter(([name]) => parents.has(name));
  return sections.map(([name, inner]) => ({ name: titleOfTag(document, name), groups: inner }));
}
