/**
 * Everything that is taken from Prism: its security check, validation, content negotiation and response generation.
 *
 * They are imported from their own modules and not from the package's entry. That one also loads the router, the proxy,
 * readers of other formats and Faker: 650 ms instead of 220 ms (Prism 5.16, Node 24, 2 cores). Faker is loaded where a
 * dynamic response is asked for.
 */
import { bundleTarget, decycle } from "@stoplight/json";
import { transformOas3Operations } from "@stoplight/http-spec/oas3/operation";
import * as sampler from "@stoplight/json-schema-sampler";
import type { IPrismDiagnostic } from "@stoplight/prism-core";
import {
  findDefaultResponse,
  findFirstResponse,
  findLowest2XXResponse,
  findResponseByStatusCode,
} from "@stoplight/prism-http/dist/mocker/negotiator/InternalHelpers.js";
import negotiatorModule from "@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js";
import validators from "@stoplight/prism-http/dist/validator/validators/index.js";
import { validateSecurity } from "@stoplight/prism-http/dist/validator/validators/security/index.js";
import { ValidationContext } from "@stoplight/prism-http/dist/validator/validators/types.js";
import {
  DiagnosticSeverity,
  type IHttpOperation,
  type IHttpOperationResponse,
  type IMediaTypeContent,
} from "@stoplight/types";
import { isObject, isReference, resolve, type Document, type Method } from "../contract/document.ts";
import { asObject, generatorSchema } from "./schemas.ts";

export type EngineOperation = IHttpOperation;
export type EngineResponse = IHttpOperationResponse;
export type EngineContent = IMediaTypeContent;
export type Diagnostic = IPrismDiagnostic;

type Headers = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | string[]>>;

/** What was asked of a response. */
export interface Wishes {
  /** The Accept header; `undefined` takes any media type. */
  readonly accept: readonly string[] | undefined;
  readonly example: string | undefined;
  readonly dynamic: boolean;
  readonly seed: string | undefined;
}

export interface GeneratedResponse {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly headers: ReadonlyMap<string, unknown>;
  readonly body: unknown;
}

/** Prism could not generate a response. */
export interface Failure {
  readonly failure: "not acceptable" | "not generated";
  readonly message: string;
}

const { default: negotiator } = negotiatorModule;

/** Prism tells its logger every step; what matters of it is in the answers. */
const logger = { debug: ignore, info: ignore, success: ignore, warn: ignore };

/** JSON Schema 2020-12 is what OpenAPI 3.1 schemas are written in. Prism 5.16 takes draft 7 where nothing is said. */
const dialect = "https://json-schema.org/draft/2020-12/schema";

/** Makes Prism's form of an operation: references are replaced by what they point to, but for recursive schemas. */
export function convertOperation(document: Document, path: string, method: Method): EngineOperation {
  const { paths, components, security } = document;
  const dereference = createDereference(document);
  const referenced = paths?.[path];
  const pathItem = referenced && resolve(referenced, components?.pathItems);
  const alone: unknown = decycle({
    openapi: document.openapi,
    jsonSchemaDialect: dialect,
    paths: { [path]: dereference({ parameters: pathItem?.parameters ?? [], [method]: pathItem?.[method] }) },
    components: { securitySchemes: dereference(components?.securitySchemes ?? {}) },
    security: security ?? [],
  });
  if (!isObject(alone)) throw new Error("decycle made something else of an object");
  const [operation] = transformOas3Operations(alone);
  const bundled: unknown = bundleTarget({
    document: { ...alone, __target__: operation },
    path: "#/__target__",
    cloneDocument: false,
  });
  if (!isEngineOperation(bundled)) throw new Error(`Prism cannot read ${method.toUpperCase()} ${path}`);
  return bundled;
}

/** Tells whether the request carries credentials that open the operation. */
export function hasCredentials(operation: EngineOperation, path: string, headers: Headers, query: Query): boolean {
  const checked = validateSecurity({ resource: operation, element: { headers, url: { path, query } } });
  return checked._tag === "Right" || checked.left.every(({ severity }) => severity !== DiagnosticSeverity.Error);
}

export function validatePath(operation: EngineOperation, values: Headers): readonly Diagnostic[] {
  const specs = operation.request?.path ?? [];
  return diagnostics("path", () =>
    validators.validatePath({ ...values }, specs, ValidationContext.Input, bundleOf(operation)),
  );
}

export function validateQuery(operation: EngineOperation, values: Query): readonly Diagnostic[] {
  const specs = operation.request?.query ?? [];
  return diagnostics("query", () =>
    validators.validateQuery({ ...values }, specs, ValidationContext.Input, bundleOf(operation)),
  );
}

export function validateHeaders(operation: EngineOperation, values: Headers): readonly Diagnostic[] {
  const specs = operation.request?.headers ?? [];
  return diagnostics("header", () =>
    validators.validateHeaders({ ...values }, specs, ValidationContext.Input, bundleOf(operation)),
  );
}

/** `body` is the parsed value of JSON, and text of any other media type. */
export function validateBody(
  operation: EngineOperation,
  content: EngineContent,
  body: unknown,
  mediaType: string,
  boundary: string | undefined,
): readonly Diagnostic[] {
  return diagnostics("body", () =>
    validators.validateBody(body, [content], ValidationContext.Input, mediaType, boundary, bundleOf(operation)),
  );
}

/**
 * The response that answers a valid request: the one declared for `code`, or without it the lowest of the 2XX.
 * `default` stands for failures, so it is taken only for a code that nothing else is declared for, and where an
 * operation declares nothing else.
 */
export function selectResponse({ responses }: EngineOperation, code: number | undefined): EngineResponse | undefined {
  const declared = responses.filter((response) => response.code !== "default");
  const first = code === undefined ? findLowest2XXResponse(declared) : findResponseByStatusCode(declared, code);
  if (first._tag === "Some") return first.value;
  const second =
    code === undefined && declared.length > 0 ? findFirstResponse(declared) : findDefaultResponse(responses, code);
  return second._tag === "Some" ? second.value : undefined;
}

/** Negotiates the media type and makes the body and the headers, from examples or, where there is none, from schemas. */
export async function generateResponse(
  operation: EngineOperation,
  response: EngineResponse,
  { accept, example, dynamic, seed }: Wishes,
): Promise<GeneratedResponse | Failure> {
  const negotiated = negotiator.negotiateOptionsBySpecificResponse(
    operation.method,
    {
      dynamic,
      ...(accept !== undefined && { mediaTypes: [...accept] }),
      ...(example !== undefined && { exampleKey: example }),
    },
    response,
  )(logger);
  if (negotiated._tag === "Left") {
    const { message } = negotiated.left;
    const notAcceptable = negotiated.left.name.endsWith("NOT_ACCEPTABLE");
    return { failure: notAcceptable ? "not acceptable" : "not generated", message };
  }
  const { code, mediaType, bodyExample, schema, headers } = negotiated.right;
  const generate = dynamic ? await createGenerator(operation, seed) : createSampler(operation);
  try {
    const body =
      bodyExample !== undefined && "value" in bodyExample
        ? bodyExample.value
        : schema === undefined
          ? undefined
          : generate(schema);
    const values = headers.map((header) => {
      const [headerExample] = header.examples ?? [];
      if (headerExample !== undefined && "value" in headerExample) return [header.name, headerExample.value] as const;
      return [header.name, header.schema === undefined ? undefined : generate(header.schema)] as const;
    });
    return { status: Number(code), mediaType, headers: new Map(values), body };
  } catch (error) {
    const message =
      error instanceof sampler.SchemaSizeExceededError
        ? "its schema is too large to make a value of"
        : error instanceof Error
          ? firstLine(error.message)
          : firstLine(String(error));
    return { failure: "not generated", message };
  }
}

type Generate = (schema: NonNullable<EngineContent["schema"]>) => unknown;

/** The same limit as in Prism's own static generator. */
function createSampler(operation: EngineOperation): Generate {
  return (schema) => sampler.sample(schema, { ticks: 2500, quiet: true }, operation);
}

async function createGenerator(operation: EngineOperation, seed: string | undefined): Promise<Generate> {
  const { generate } = await import("@stoplight/prism-http/dist/mocker/generator/JSONSchema.js");
  const bundle = Object.fromEntries(
    Object.entries(asObject(bundleOf(operation))).map(([key, schema]) => [key, generatorSchema(schema)]),
  );
  return (schema) => {
    const generated = generate(operation, bundle, { ...asObject(generatorSchema(schema)) }, seed);
    if (generated._tag === "Left") throw generated.left;
    return generated.right;
  };
}

/** The text of json-schema-faker's errors goes on with a stack trace. */
function firstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line;
}

/** Some of Prism's deserializers throw where a value has not the form that its style asks for. */
function diagnostics(
  place: string,
  validate: () => { readonly _tag: "Right" } | { readonly _tag: "Left"; readonly left: readonly Diagnostic[] },
): readonly Diagnostic[] {
  try {
    const checked = validate();
    return checked._tag === "Right" ? [] : checked.left.filter(({ severity }) => severity === DiagnosticSeverity.Error);
  } catch (error) {
    return [{ code: "unreadable", message: String(error), path: [place], severity: DiagnosticSeverity.Error }];
  }
}

function ignore(): void {
  // Nothing is to be done.
}

function bundleOf(operation: EngineOperation): unknown {
  return "__bundled__" in operation ? operation.__bundled__ : undefined;
}

function isEngineOperation(value: unknown): value is EngineOperation {
  return isObject(value) && Array.isArray(value["responses"]) && typeof value["path"] === "string";
}

/** Copies a part of a document with every reference replaced; a schema that contains itself becomes a cycle. */
function createDereference(document: Document): (value: unknown) => unknown {
  const copies = new Map<string, unknown>();
  const dereference = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(dereference);
    if (!isObject(value)) return value;
    if (isReference(value)) return follow(value.$ref, value);
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, dereference(child)]));
  };
  const follow = (reference: string, { $ref, ...siblings }: Readonly<Record<string, unknown>>): unknown => {
    const target = valueAt(document, reference);
    if (!isObject(target)) return { $ref, ...siblings };
    if (!copies.has(reference)) {
      const copy: Record<string, unknown> = {};
      copies.set(reference, copy);
      Object.assign(copy, dereference(target));
    }
    const copy = copies.get(reference);
    return Object.keys(siblings).length === 0 || !isObject(copy)
      ? copy
      : { ...copy, ...asObject(dereference(siblings)) };
  };
  return dereference;
}

/** The value at a JSON Pointer in a URI fragment (RFC 6901, section 6). */
function valueAt(document: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  return decodeURIComponent(reference.slice(2))
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, key) => {
      if (Array.isArray(value)) return value[Number(key)];
      return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }, document);
}
