import type { TextFile } from "../../command/files.ts";
import { isPresenceUnspecified } from "../../contract/gaps.ts";
import {
  isSent,
  type Header,
  type Generation,
  type MediaType,
  type Operation,
  type Parameter,
  type Response,
} from "../../contract/generation.ts";
import type { SecurityScheme } from "../../contract/security.ts";
import type { SampleOptions, SampleRequest } from "../../samples/serializeRequest.ts";
import { bodyValue, sampleRequest } from "../../samples/exampleRequest.ts";
import { toText } from "../../samples/parameterText.ts";
import { sampleOptions } from "../../samples/samples.ts";
import { filesIn, type SampleFiles } from "../../samples/sampleFiles.ts";
import { resolveSchema, type OpenApiDocument, type SchemaObject } from "../../spec/openapi.ts";
import {
  alternativesOf,
  applicableSchemas,
  describingSchemas,
  impliedTypes,
  propertySchemas,
} from "../../spec/schemas.ts";
import { typeText } from "../../spec/typeNames.ts";
import { parameterField } from "./fields.ts";
import { schemaSubset, type Definitions, type PlainSchema, type SchemaSubset } from "./schemaSubset.ts";
import { operationAddress } from "./addresses.ts";
import { clientModule, type SampledSite, type Site } from "./site.ts";

/** The data of a request that a page can send, and of its responses, as plain data that can be stored as JSON. */
export interface ExchangeData {
  /** The page's initial example request. */
  readonly request: SampleRequest;
  readonly options: SampleOptions;
  readonly responses: readonly TryItResponse[];
  /** True if responses may lack what their schemas require. */
  readonly isPresenceUnspecified: boolean;
  /** The targets of references in the schemas of responses. */
  readonly responseDefinitions: Definitions;
}

/** All that the form that tries an operation knows of it. */
export interface TryItData extends ExchangeData {
  /** The name of its generation. */
  readonly generation: string;
  /** True if requests go to the mock. */
  readonly isMock: boolean;
  /** The mock in the page, if the site has one. */
  readonly pageMock: PageMock | undefined;
  readonly parameters: readonly TryItParameter[];
  /** Alternatives, any of which is enough. An empty one needs no credentials. */
  readonly security: readonly (readonly Omit<SecurityScheme, "description" | "unspecified">[])[];
  readonly body: { readonly required: boolean; readonly content: readonly TryItContent[] } | undefined;
  /** The targets of references in the schemas of requests. */
  readonly requestDefinitions: Definitions;
}

/** The mock inside the page. The names of its scripts are relative to the form's script. */
export interface PageMock {
  readonly engine: string;
  /** What it has to know of the contract for the operation. It loads more itself. */
  readonly documents: readonly string[];
  /** True if forms use it by default, instead of a server. */
  readonly isFirst: boolean;
}

export interface TryItParameter extends Pick<Parameter, "name" | "in" | "required"> {
  readonly schema: PlainSchema;
  /** Its type in words. */
  readonly typeWords: string;
  /** The types of its values in JSON. Empty if the contract doesn't say. */
  readonly types: readonly string[];
  /** All of its possible values, if the contract lists them. */
  readonly allowedValues: readonly unknown[] | undefined;
  /** Some of its possible values. */
  readonly knownValues: readonly string[];
}

export interface TryItContent {
  readonly mediaType: string;
  readonly schema: PlainSchema;
  /** Its alternatives, if some of them list fields and others accept any. */
  readonly alternatives?: readonly { readonly name: string; readonly schema: PlainSchema }[];
  readonly examples: readonly { readonly summary: string; readonly value: unknown }[];
  readonly files: SampleFiles;
  /** The names of form parts that accept several files. */
  readonly lists: readonly string[];
}

interface TryItResponse {
  readonly status: string;
  readonly headers: readonly (Pick<Header, "name" | "required" | "isText"> & { readonly schema: PlainSchema })[];
  readonly content: readonly { readonly mediaType: string; readonly schema: PlainSchema }[];
}

function readTryItData(
  site: Site,
  generation: Generation,
  operation: Operation,
  pageMock: PageMock | undefined,
): TryItData {
  const { document, parameters, security, requestBody } = operation;
  const ofRequest = schemaSubset(document, "request");
  const sent = parameters.filter(isSent).map((parameter) => readParameter(document, parameter, ofRequest));
  const content = requestBody?.content.map((one) => readContent(operation, one, ofRequest)) ?? [];
  return {
    ...readExchangeData(site, generation, operation),
    generation: generation.name,
    isMock: site.serverOf(operation).isMock,
    pageMock,
    parameters: sent,
    security: security.map((schemes) => schemes.map(({ description: _text, unspecified: _gaps, ...used }) => used)),
    body: requestBody && { required: requestBody.required, content },
    // After all schemas have been added.
    requestDefinitions: ofRequest.definitions(),
  };
}

/** Reads an operation as it's sent with its examples. */
export function readExchangeData(site: SampledSite, generation: Generation, operation: Operation): ExchangeData {
  const subset = schemaSubset(operation.document, "response");
  const responses = operation.responses.map((response) => readResponse(response, subset));
  return {
    request: sampleRequest(operation, site.serverOf(operation).url),
    options: sampleOptions(operation, clientModule(site, generation)),
    responses,
    isPresenceUnspecified: isPresenceUnspecified(generation),
    // After all schemas have been added.
    responseDefinitions: subset.definitions(),
  };
}

/**
 * The data of a generation's forms, each in a script beside the page of its operation that hands the data to the form:
 * unlike a file of JSON, browsers load it from `file://` too.
 */
export function* tryItFiles(
  site: Site,
  generation: Generation,
  pageMockOf: (operation: Operation) => PageMock | undefined,
): Generator<TextFile> {
  for (const operation of generation.operations) {
    const data = readTryItData(site, generation, operation, pageMockOf(operation));
    yield { path: `${operationAddress(generation, operation)}try-it.js`, content: dataScript("tryIt", data) };
  }
}

/**
 * A script that evaluates `target` followed by data, such as `tryIt` or `window.docsMockPartList=`. The data is in
 * parentheses, as JSON in a string: a key `__proto__` means something else in an object literal, and browsers parse JSON
 * faster than code.
 */
export function dataScript(target: string, data: unknown): string {
  return `${target}(JSON.parse(${JSON.stringify(JSON.stringify(data))}));\n`;
}

function readResponse({ status, headers, content }: Response, subset: SchemaSubset): TryItResponse {
  return {
    status,
    headers: headers.map(({ name, required, schema, isText }) => ({
      name,
      required,
      isText,
      schema: subset.add(schema),
    })),
    content: content.map(({ mediaType, schema }) => ({ mediaType, schema: subset.add(schema) })),
  };
}

function readParameter(document: OpenApiDocument, parameter: Parameter, subset: SchemaSubset): TryItParameter {
  const { name, in: place, required, schema } = parameter;
  const { type, knownValues } = parameterField(parameter, { document, direction: "request", anchor: "" });
  return {
    ...{ name, in: place, required },
    schema: subset.add(schema),
    typeWords: typeText(type),
    types: [...new Set(applicableSchemas(document, schema).flatMap(impliedTypes))],
    allowedValues: allowedValues(document, schema),
    knownValues: knownValues.map(toText),
  };
}

function readContent(operation: Operation, content: MediaType, subset: SchemaSubset): TryItContent {
  const { mediaType, schema, examples } = content;
  const files = filesIn(operation, content);
  // If the contract has no example, the type follows from the schema.
  const shown =
    examples.length > 0 ? examples : [{ summary: "", value: bodyValue(content, operation.document, files) }];
  const alternatives = alternativesOf(operation.document, resolveSchema(operation.document, schema));
  const sizes = alternatives.map((one) => propertySchemas(operation.document, one.schema).size);
  const isPartlyOpen = sizes.includes(0) && Math.max(...sizes) > 0;
  return {
    mediaType,
    schema: subset.add(schema),
    ...(isPartlyOpen && { alternatives: alternatives.map((one) => ({ ...one, schema: subset.add(one.schema) })) }),
    examples: shown.map(({ summary, value }) => ({ summary, value })),
    files,
    lists: Object.keys(files).filter((name) => isList(operation.document, schema, name)),
  };
}

function isList(document: OpenApiDocument, form: SchemaObject, name: string): boolean {
  const property = propertySchemas(document, form).get(name) ?? {};
  return applicableSchemas(document, property).flatMap(impliedTypes).includes("array");
}

function allowedValues(
  document: OpenApiDocument,
  schema: SchemaObject,
  around: readonly SchemaObject[] = [],
): readonly unknown[] | undefined {
  if (around.includes(schema)) return undefined;
  const listed = describingSchemas(document, schema).map((part) => {
    if (part.const !== undefined) return [part.const];
    if (part.enum !== undefined || part.type === "boolean") return part.enum ?? [true, false];
    const values = alternativesOf(document, part).map((one) =>
      allowedValues(document, one.schema, [...around, schema]),
    );
    return values.length > 0 && values.every((own) => own !== undefined) ? values.flat() : undefined;
  });
  return listed.find((values) => values !== undefined);
}
