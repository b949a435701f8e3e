import type { TextFile } from "../../command/files.ts";
import { isSent, sampleRequest } from "../../samples/exampleRequest.ts";
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
import type { SampleRequest } from "../../samples/writeRequest.ts";
import type { SampleOptions } from "../../samples/sampleOptions.ts";
import { sampleOptions } from "../../samples/samples.ts";
import { schemaSubset, type Definitions, type PlainSchema, type SchemaSubset } from "./schemaSubset.ts";
import { addressesOf, type SampleServer, type Site } from "./site.ts";

/** All that the form that tries an operation knows of it: plain data, which is kept as JSON. */
export interface TryItData {
  /** What the form is filled with: an example request. */
  readonly request: SampleRequest;
  readonly isMock: boolean;
  /** For the sample of the request in TypeScript. */
  readonly options: SampleOptions;
  readonly parameters: readonly TryItParameter[];
  /** Each alternative is enough; an empty one needs no credentials. */
  readonly security: readonly (readonly SentCredential[])[];
  readonly body: TryItBody | undefined;
  /** What the schemas of parameters and of the request body refer to. */
  readonly requestDefinitions: Definitions;
  readonly responses: readonly TryItResponse[];
  /** What the schemas of responses refer to. */
  readonly responseDefinitions: Definitions;
}

export interface TryItParameter extends Pick<
  Parameter,
  "name" | "in" | "required" | "style" | "explode" | "mediaType"
> {
  readonly schema: PlainSchema;
}

export interface TryItBody {
  readonly required: boolean;
  readonly content: readonly TryItContent[];
}

export interface TryItContent {
  readonly mediaType: string;
  readonly schema: PlainSchema;
  readonly encoding: Readonly<Record<string, Encoding>>;
  readonly examples: readonly Example[];
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
    content: requestBody.content.map((content) => readContent(content, ofRequest)),
  };
  return {
    request: sampleRequest(operation, server.url),
    isMock: server.isMock,
    options: sampleOptions(operation, module),
    parameters: parameters.filter(isSent).map(({ name, in: place, required, style, explode, mediaType, schema }) => ({
      name,
      in: place,
      required,
      style,
      explode,
      mediaType,
      schema: ofRequest.add(schema),
    })),
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

function readContent({ mediaType, schema, encoding, examples }: MediaType, subset: SchemaSubset): TryItContent {
  return { mediaType, schema: subset.add(schema), encoding: Object.fromEntries(encoding), examples };
}
