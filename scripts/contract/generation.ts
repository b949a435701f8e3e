import { lifecycleOf, type Lifecycle } from "../spec/lifecycle.ts";
import { jsonPointer, pointerKeys } from "../spec/jsonPointer.ts";
import { resolve, resolveSchema } from "../spec/references.ts";
import { isObject, objectsOf, stringMembersOf, stringsOf } from "../spec/json.ts";
import {
  extensionOf,
  isReference,
  methods,
  unspecifiedOf,
  type MediaTypeObject,
  type Method,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ReferenceObject,
  type SchemaObject,
} from "../spec/openapi.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { defaultMockUrl } from "./defaultAddress.ts";
import { readOperationExtension, type OperationExtension } from "./resourceExtension.ts";
import { readSecuritySchemes, type SecurityAlternative, type SecurityScheme } from "./security.ts";
import { compareText, firstParagraph, groupBy } from "./text.ts";

/**
 * A generation of the interface: what its bundle says, with references resolved and inherited values filled in. Only
 * schemas stay as they are written, because the components that they refer to have names worth keeping.
 */
export interface Generation {
  /** Its name in redocly.yaml, such as `v2`. */
  readonly name: string;
  readonly document: OpenApiDocument;
  readonly title: string;
  /** One sentence or paragraph in plain text. */
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly unspecified: readonly string[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** In the order of the document's paths. */
  readonly operations: readonly Operation[];
  /** The requests that the service sends (OpenAPI 3.1.1, section 4.8.1): the path of each is the webhook's name. */
  readonly webhooks: readonly Operation[];
  /** Every tag, in the document's order, and after them the tags that operations have without their being declared. */
  readonly groups: readonly Group[];
  /** The groups under the names that `x-tagGroups` gives them; the name is empty for groups that are in none. */
  readonly sections: readonly Section[];
}

/** A tag and the operations that have it as their first one. */
export interface Group {
  readonly name: string;
  /** Its `x-displayName`, or its name. */
  readonly title: string;
  readonly description: string;
  readonly unspecified: readonly string[];
  readonly operations: readonly Operation[];
  /** The operations that have the tag, but another one first. */
  readonly alsoTagged: readonly Operation[];
}

export interface Section {
  readonly name: string;
  readonly groups: readonly Group[];
}

export interface Operation {
  /** The bundle that it is in: its schemas refer to components there. */
  readonly document: OpenApiDocument;
  /** JSON Pointer of the path item that it is in, under `paths` or among the components. */
  readonly pathItemPointer: string;
  readonly path: string;
  readonly method: Method;
  /** Its method in capitals and its path: `GET /teams/{teamId}`. */
  readonly name: string;
  readonly operationId: string | undefined;
  /** Its summary, or its name if it has none. */
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly lifecycle: Lifecycle;
  /** Its first tag. */
  readonly group: string;
  readonly otherTags: readonly string[];
  /** Gaps of the operation itself, such as its success status code. */
  readonly unspecified: readonly string[];
  /** Its own, or else those of its path item, or else those of the document. */
  readonly servers: NonNullable<OpenApiDocument["servers"]>;
  /** Those of the path item and of the operation, which override the former by `in` and `name`. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly Response[];
  /** Any one of these alternatives authorizes a request. Empty if the description names none. */
  readonly security: readonly SecurityAlternative[];
  /** The names of its query parameters for how many items to return and to skip, as `x-pagination` gives them. */
  readonly pagination: { readonly limit: string; readonly offset: string } | undefined;
  readonly resource: OperationExtension;
  readonly codeSamples: readonly CodeSample[];
}

/** A piece of code that a description gives for an operation, in `x-codeSamples` or `x-code-samples`. */
export interface CodeSample {
  /** The language, as it is written there: `C#`. */
  readonly lang: string;
  readonly label: string | undefined;
  readonly source: string;
}

/** A header of a response (OpenAPI 3.1.1, section 4.8.21). */
export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly lifecycle: Lifecycle;
  readonly description: string;
  /** Gaps of the header or parameter itself; its schema has others. */
  readonly unspecified: readonly string[];
  /** As it is written: it may be a reference. */
  readonly schema: SchemaObject;
  /** Its example, or the one value or the default that its schema gives; `undefined` if there is none. */
  readonly example: unknown;
  /** The object of the description that it was read from. */
  readonly source: object;
}

export interface Parameter extends Header {
  readonly in: string;
  /** Style in which its value is written (OpenAPI 3.1.1, section 4.8.12.6), such as `form`. */
  readonly style: string;
  readonly explode: boolean;
  /** The media type of its value, if it is not written in a style. */
  readonly mediaType: string | undefined;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description: string;
  readonly content: readonly MediaType[];
}

export interface Response {
  /** A status code, a range such as `2XX`, or `default`. */
  readonly status: string;
  readonly description: string;
  /** Gaps of the response itself; the schemas of its content have others. */
  readonly unspecified: readonly string[];
  readonly headers: readonly Header[];
  readonly content: readonly MediaType[];
  /** The object of the description that it was read from. */
  readonly source: object;
}

/** A body of one media type. */
export interface MediaType {
  readonly mediaType: string;
  readonly schema: SchemaObject;
  /** Encodings of the properties of a form, by their names. */
  readonly encoding: ReadonlyMap<string, Encoding>;
  readonly examples: readonly Example[];
}

/** Encoding of a property of a form (OpenAPI 3.1.1, section 4.8.15). */
export type Encoding = Partial<Pick<Parameter, "style" | "explode">>;

export interface Example {
  /** Its key, by which it can be requested. */
  readonly name: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly value: unknown;
}

/** The group of operations without a tag. */
const untagged = "Other";

/** Reads a bundle into the model that every command works on. Throws for references that lead nowhere. */
export function readGeneration(name: string, document: OpenApiDocument): Generation {
  const info: unknown = document.info;
  const { title = name, summary, description = "" } = isObject(info) ? info : {};
  const securitySchemes = readSecuritySchemes(document);
  const operations = readOperations(document, securitySchemes, "paths");
  const groups = readGroups(document, operations);
  return {
    name,
    document,
    title: String(title),
    summary: typeof summary === "string" ? summary : firstParagraph(String(description)),
    description: String(description),
    unspecified: isObject(info) ? unspecifiedOf(info) : [],
    securitySchemes,
    operations,
    webhooks: readOperations(document, securitySchemes, "webhooks"),
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

/** The responses that stand for a success, in the document's order. */
export function successResponses({ responses }: Operation): readonly Response[] {
  return responses.filter(({ status }) => status.startsWith("2"));
}

/** The first JSON content of a body; `undefined` if there is none. */
export function jsonContent(content: readonly MediaType[] = []): MediaType | undefined {
  return content.find(({ mediaType }) => isJson(mediaType));
}

/**
 * The URL that samples send requests to: the first server's, with the defaults of its variables and without a slash at
 * its end, for an operation or for a whole document. A relative one, or none at all, is relative to the description
 * (OpenAPI 3.1.1, section 4.8.1): for a sample that is the mock at its default address.
 */
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
  const { security, servers = [] } = document;
  return Object.entries(document[field] ?? {}).flatMap(([path, referenced]) => {
    const pathItem = resolve(document, referenced);
    const pathItemPointer = jsonPointer(isReference(referenced) ? pointerKeys(referenced.$ref) : [field, path]);
    return methods.flatMap((method): Operation[] => {
      const operation = pathItem[method];
      if (operation === undefined) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const requirements = operation.security ?? security ?? [];
      return [
        {
          document,
          pathItemPointer,
          path,
          method,
          name,
          operationId: operation.operationId,
          title: operation.summary ?? name,
          description: operation.description ?? "",
          lifecycle: lifecycleOf(operation),
          group: operation.tags?.[0] ?? untagged,
          otherTags: operation.tags?.slice(1) ?? [],
          unspecified: unspecifiedOf(operation),
          servers: operation.servers ?? pathItem.servers ?? servers,
          parameters: readParameters(document, [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])]),
          requestBody: readRequestBody(document, operation),
          responses: readResponses(document, operation),
          security: requirements.map((requirement) =>
            Object.keys(requirement).map((key) => {
              const scheme = securitySchemes.get(key);
              if (scheme === undefined) throw new Error(`${name} names a security scheme that is not there: ${key}`);
              return scheme;
            }),
          ),
          pagination: readPagination(operation),
          resource: readOperationExtension(operation),
          codeSamples: readCodeSamples(operation),
        },
      ];
    });
  });
}

function readParameters(
  document: OpenApiDocument,
  references: readonly (ParameterObject | ReferenceObject)[],
): readonly Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const reference of references) {
    const parameter = resolve(document, reference);
    const { name, in: place = "" } = parameter;
    const style: string = parameter.style ?? (place === "query" || place === "cookie" ? "form" : "simple");
    const { explode = style === "form" } = parameter;
    // A parameter may have `content` with a schema instead (OpenAPI 3.1.1, section 4.8.12.4).
    const [mediaType] = Object.keys(parameter.content ?? {});
    const common = readHeader(document, name, parameter);
    parameters.set(`${place} ${name}`, { ...common, in: place, style, explode, mediaType });
  }
  return [...parameters.values()];
}

function readHeader(document: OpenApiDocument, name: string, header: Omit<ParameterObject, "name" | "in">): Header {
  const { required = false, description = "" } = header;
  const schema = header.schema ?? Object.values(header.content ?? {})[0]?.schema ?? {};
  const { const: constant, default: preset } = resolveSchema(document, schema);
  const [named] = readExamples(document, header.examples);
  return {
    name,
    required,
    lifecycle: lifecycleOf(header),
    description,
    unspecified: unspecifiedOf(header),
    schema,
    example: header.example ?? named?.value ?? constant ?? preset,
    source: header,
  };
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
  return Object.entries(content).map(([mediaType, { schema = {}, encoding = {}, example, examples }]) => ({
    mediaType,
    schema,
    encoding: new Map(Object.entries(encoding)),
    examples:
      example === undefined
        ? readExamples(document, examples)
        : [{ name: "default", summary: "Example", description: "", value: example }],
  }));
}

function readExamples(document: OpenApiDocument, examples: MediaTypeObject["examples"] = {}): readonly Example[] {
  return Object.entries(examples).map(([name, referenced]) => {
    const { summary = name, description = "", value } = resolve(document, referenced);
    return { name, summary, description, value };
  });
}

function readPagination(operation: OperationObject): Operation["pagination"] {
  const { limit, offset } = stringMembersOf(extensionOf(operation, "x-pagination"));
  return limit === undefined || offset === undefined ? undefined : { limit, offset };
}

function readCodeSamples(operation: OperationObject): readonly CodeSample[] {
  return [extensionOf(operation, "x-codeSamples"), extensionOf(operation, "x-code-samples")]
    .flatMap(objectsOf)
    .flatMap(({ lang, label, source }) =>
      typeof lang === "string" && typeof source === "string"
        ? [{ lang, label: typeof label === "string" ? label : undefined, source }]
        : [],
    );
}

function readGroups({ tags = [] }: OpenApiDocument, operations: readonly Operation[]): readonly Group[] {
  const byGroup = groupBy(operations, ({ group }) => group);
  const declared = new Map(tags.map((tag) => [tag.name, tag]));
  const others = operations.flatMap(({ otherTags }) => otherTags);
  return [...new Set([...declared.keys(), ...byGroup.keys(), ...others])].map((name) => {
    const tag = declared.get(name);
    const displayName = extensionOf(tag ?? {}, "x-displayName");
    return {
      name,
      title: typeof displayName === "string" ? displayName : name,
      description: tag?.description ?? "",
      unspecified: unspecifiedOf(tag ?? {}),
      operations: byGroup.get(name) ?? [],
      alsoTagged: operations.filter(({ otherTags }) => otherTags.includes(name)),
    };
  });
}

function readSections(document: OpenApiDocument, groups: readonly Group[]): readonly Section[] {
  const rest = new Map(groups.map((group) => [group.name, group]));
  const sections = objectsOf(extensionOf(document, "x-tagGroups")).map(({ name, tags }) => ({
    name: String(name),
    groups: stringsOf(tags).flatMap((tag) => {
      const group = rest.get(tag);
      rest.delete(tag);
      return group === undefined ? [] : [group];
    }),
  }));
  return rest.size === 0 ? sections : [...sections, { name: "", groups: [...rest.values()] }];
}
