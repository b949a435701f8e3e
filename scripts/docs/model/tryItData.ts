import type { TextFile } from "../../command/files.ts";
import { bodyValue, isSent, sampleRequest } from "../../samples/exampleRequest.ts";
import { toText } from "../../samples/parameterText.ts";
import type {
  Encoding,
  Example,
  Generation,
  MediaType,
  Operation,
  Parameter,
  Response,
} from "../../contract/generation.ts";
import type { SentCredential } from "../../contract/security.ts";
import type { SampleOptions, SampleRequest } from "../../samples/writeRequest.ts";
import { sampleOptions } from "../../samples/samples.ts";
import type { OpenApiDocument, SchemaObject } from "../../spec/openapi.ts";
import { resolve } from "../../spec/references.ts";
import { parameterField } from "./fields.ts";
import { typeText } from "../../spec/typeNames.ts";
import { schemaSubset, type Definitions, type PlainSchema, type SchemaSubset } from "./schemaSubset.ts";
import { addressesOf, type SampleServer, type Site } from "./site.ts";

/** All that the form that tries an operation knows of it: plain data, which is kept as JSON. */
export interface TryItData {
  /** The example request that the form begins with. */
  readonly request: SampleRequest;
  readonly isMock: boolean;
  /** For the sample of the request in TypeScript. */
  readonly options: SampleOptions;
  readonly parameters: readonly TryItParameter[];
  /** Each alternative is enough; an empty one needs no credentials. */
  readonly security: readonly (readonly SentCredential[])[];
  readonly body: TryItBody | undefined;
  /** The targets of references in the schemas of parameters and of the request body. */
  readonly requestDefinitions: Definitions;
  readonly responses: readonly TryItResponse[];
  /** The targets of references in the schemas of responses. */
  readonly responseDefinitions: Definitions;
}

export interface TryItParameter extends Pick<
  Parameter,
  "name" | "in" | "required" | "style" | "explode" | "mediaType"
> {
  readonly schema: PlainSchema;
  /** Its type in words. */
  readonly typeWords: string;
  /** The types of its values in JSON; none if the contract does not say. */
  readonly types: readonly string[];
  /** The only values that it allows. */
  readonly allowedValues: readonly unknown[] | undefined;
  /** Values that are known, beside which there may be others. */
  readonly knownValues: readonly string[];
}

export interface TryItBody {
  readonly required: boolean;
  readonly content: readonly TryItContent[];
}

export interface TryItContent {
  readonly mediaType: string;
  readonly schema: PlainSchema;
  readonly encoding: Readonly<Record<string, Encoding>>;
  /** There is at least one: where the contract has none, its schema says what it is. */
  readonly examples: readonly Pick<Example, "summary" | "value">[];
}

interface TryItResponse extends Pick<Response, "status"> {
  readonly content: readonly Pick<TryItContent, "mediaType" | "schema">[];
}

/** Gathers what the form needs. `module` is what the client is imported from. */
function readTryItData(operation: Operation, server: SampleServer, module: string): TryItData {
  const { document, parameters, security, requestBody, responses } = operation;
  const ofRequest = schemaSubset(document, "request");
  const ofResponses = schemaSubset(document, "response");
  const body = requestBody && {
    required: requestBody.required,
    content: requestBody.content.map((content) => readContent(document, content, ofRequest)),
  };
  return {
    request: sampleRequest(operation, server.url),
    isMock: server.isMock,
    options: sampleOptions(operation, module),
    parameters: parameters.filter(isSent).map((parameter) => readParameter(document, parameter, ofRequest)),
    security: security.map((schemes) =>
      schemes.map(({ name, in: place, parameter, prefix, example }) => ({
        name,
        in: place,
        parameter,
        prefix,
        example,
      })),
    ),
    body,
    responses: responses.map(({ status, content }) => ({
      status,
      content: content.map(({ mediaType, schema }) => ({ mediaType, schema: ofResponses.add(schema) })),
    })),
    // After all schemas have been added.
    requestDefinitions: ofRequest.definitions(),
    responseDefinitions: ofResponses.definitions(),
  };
}

/**
 * The data of a generation's forms, each in a script beside the page of its operation that hands the data to the form:
 * unlike a file of JSON, browsers load it from `file://` too. The data is in a string, because a key `__proto__` means
 * something else in an object literal.
 */
export function tryItFiles(site: Site, generation: Generation): readonly TextFile[] {
  const addresses = addressesOf(site, generation).operations;
  const module = `${site.packageName}/${generation.name}`;
  return generation.operations.map((operation) => {
    const data = JSON.stringify(readTryItData(operation, site.serverOf(operation), module));
    return {
      path: `${addresses.get(operation) ?? ""}try-it.js`,
      content: `tryIt(JSON.parse(${JSON.stringify(data)}));\n`,
    };
  });
}

function readParameter(document: OpenApiDocument, parameter: Parameter, subset: SchemaSubset): TryItParameter {
  const { name, in: place, required, style, explode, mediaType, schema } = parameter;
  const { type, knownValues } = parameterField(parameter, { document, direction: "request", anchor: "" });
  return {
    ...{ name, in: place, required, style, explode, mediaType },
    schema: subset.add(schema),
    typeWords: typeText(type),
    types: jsonTypes(document, schema),
    allowedValues: allowedValues(document, schema),
    knownValues: knownValues.map(toText),
  };
}

function readContent(document: OpenApiDocument, content: MediaType, subset: SchemaSubset): TryItContent {
  const { mediaType, schema, encoding, examples } = content;
  const shown = examples.length > 0 ? examples : [{ summary: "", value: bodyValue(content, document) }];
  return {
    mediaType,
    schema: subset.add(schema),
    encoding: Object.fromEntries(encoding),
    examples: shown.map(({ summary, value }) => ({ summary, value })),
  };
}

/** The types in JSON of the values that a schema allows. */
function jsonTypes(document: OpenApiDocument, referenced: SchemaObject, seen = new Set<SchemaObject>()): string[] {
  const schema = resolve<SchemaObject>(document, referenced);
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { type, properties, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  if (type !== undefined) return [type].flat();
  if (properties !== undefined) return ["object"];
  if (items !== undefined) return ["array"];
  return [...allOf, ...anyOf, ...oneOf].flatMap((part) => jsonTypes(document, part, seen));
}

/** The values of a schema that lists them all. */
function allowedValues(
  document: OpenApiDocument,
  referenced: SchemaObject,
  trail: readonly SchemaObject[] = [],
): readonly unknown[] | undefined {
  const schema = resolve<SchemaObject>(document, referenced);
  if (trail.includes(schema)) return undefined;
  const { type, const: only, enum: all, allOf = [], anyOf = [], oneOf = [] } = schema;
  if (only !== undefined) return [only];
  if (all !== undefined) return all;
  if (type === "boolean") return [true, false];
  const read = (part: SchemaObject) => allowedValues(document, part, [...trail, schema]);
  const ofAlternatives = [...anyOf, ...oneOf].filter((part) => part.type !== "null").map(read);
  const isClosed = ofAlternatives.length > 0 && ofAlternatives.every((values) => values !== undefined);
  return isClosed ? ofAlternatives.flat() : allOf.map(read).find((values) => values);
}
