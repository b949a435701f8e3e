/**
 * Everything that comes from Prism: the choice of examples, and the values of schemas without any.
 *
 * They are imported from their own modules and not from the package's entry. That one also loads the router, the proxy,
 * readers of other formats and Faker: 650 ms instead of 220 ms (Prism 5.16, Node 24, 2 cores). Random values are not
 * Prism's: see generatedValue.ts.
 */
import { bundleTarget, decycle } from "@stoplight/json";
import { transformOas3Operations } from "@stoplight/http-spec/oas3/operation";
import * as sampler from "@stoplight/json-schema-sampler";
import negotiatorModule from "@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js";
import type { IHttpOperation, IHttpOperationResponse, IMediaTypeContent } from "@stoplight/types";
import type { Operation } from "../../contract/generation.ts";
import { compareText } from "../../contract/text.ts";
import { isObject, mapMembers } from "../../spec/json.ts";
import { isReference, type OpenApiDocument } from "../../spec/openapi.ts";
import { referencedValue } from "../../spec/references.ts";

export type PrismOperation = IHttpOperation;
export type PrismResponse = IHttpOperationResponse;
export type PrismContent = IMediaTypeContent;

const { default: negotiator } = negotiatorModule;

const ignore = () => undefined;
const logger = { debug: ignore, info: ignore, success: ignore, warn: ignore };

/** OpenAPI 3.1 schemas are written in JSON Schema 2020-12. Prism 5.16 assumes draft 7 if nothing else is said. */
const dialect = "https://json-schema.org/draft/2020-12/schema";

/** Converts an operation to Prism's form: references are replaced by what they lead to, except in recursive schemas. */
export function convertOperation({ document, path, method, name }: Operation): PrismOperation {
  const dereference = createDereference(document);
  const pathItem = dereference(document.paths?.[path]);
  const { parameters = [], [method]: operation } = asObject(pathItem);
  const alone: unknown = decycle({
    openapi: document.openapi,
    jsonSchemaDialect: dialect,
    // Credentials are checked before: see authentication.ts.
    paths: { [path]: { parameters, [method]: { ...asObject(operation), security: [] } } },
  });
  if (!isObject(alone)) throw new Error("decycle made something else of an object");
  const [converted] = transformOas3Operations(alone);
  const whole = { ...alone, __target__: converted };
  const bundled: unknown = bundleTarget({ document: whole, path: "#/__target__", cloneDocument: false });
  if (!isPrismOperation(bundled)) throw new Error(`Prism cannot read ${name}`);
  return bundled;
}

/**
 * The response to a valid request: the one declared for `code`, or without a code the lowest of the 2XX, or else another
 * that is no failure. `default` stands for failures, so it is used only for a code that nothing else is declared for, and
 * if an operation declares no success. If all that it declares are failures, its success is a 200 without content.
 */
export function selectResponse({ responses }: PrismOperation, code: string | undefined): PrismResponse | undefined {
  const declared = responses.filter((response) => response.code !== "default");
  const successes = declared.filter((response) => response.code.startsWith("2"));
  const others = declared.filter((response) => !/^[45]/.test(response.code));
  const [first] = [...successes.toSorted((a, b) => compareText(a.code, b.code)), ...others];
  const withCode = (wanted: string) => responses.find((response) => response.code === wanted);
  const named = code === undefined ? first : (withCode(code) ?? withCode(`${code.charAt(0)}XX`));
  const success = code === undefined && declared.length > 0 ? { id: "", code: "200" } : undefined;
  const response = named ?? withCode("default") ?? success;
  return response && { ...response, code: code ?? response.code.replace("XX", "00").replace("default", "200") };
}

/** Chooses the example of a response that has at most one content. Returns why it could not, if so. */
export function negotiateResponse(
  { method }: PrismOperation,
  response: PrismResponse,
  exampleKey: string | undefined,
  isDynamic: boolean,
) {
  // Without a schema there is nothing to generate from.
  const dynamic = isDynamic && (response.contents ?? []).every(({ schema }) => schema !== undefined);
  const wishes = exampleKey === undefined ? { dynamic } : { dynamic, exampleKey };
  const negotiated = negotiator.negotiateOptionsBySpecificResponse(method, wishes, response)(logger);
  return negotiated._tag === "Left" ? { failure: negotiated.left.message } : negotiated.right;
}

/** A value made of a schema's own examples, defaults and types, which need not be valid. */
export function sampleValue(
  operation: PrismOperation,
  schema: NonNullable<PrismContent["schema"]>,
): { readonly value: unknown } | { readonly failure: string } {
  try {
    // The limit is that of Prism's static generator.
    return { value: sampler.sample(schema, { ticks: 2500, quiet: true, skipWriteOnly: true }, operation) };
  } catch (error) {
    const isTooLarge = error instanceof sampler.SchemaSizeExceededError;
    return isTooLarge ? { failure: "its schema is too large to make a value of" } : { value: undefined };
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isPrismOperation(value: unknown): value is PrismOperation {
  return isObject(value) && Array.isArray(value["responses"]) && typeof value["path"] === "string";
}

/** Copies a part of a document with every reference replaced; a schema that contains itself becomes a cycle. */
function createDereference(document: OpenApiDocument): (value: unknown) => unknown {
  const copies = new Map<string, unknown>();
  const dereference = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(dereference);
    if (!isObject(value)) return value;
    if (isReference(value)) return follow(value.$ref, value);
    return mapMembers(value, dereference);
  };
  const follow = (reference: string, { $ref, ...siblings }: Readonly<Record<string, unknown>>): unknown => {
    const target = referencedValue(document, reference);
    if (!isObject(target)) return { $ref, ...siblings };
    if (!copies.has(reference)) {
      const copy: Record<string, unknown> = {};
      copies.set(reference, copy);
      Object.assign(copy, dereference(target));
    }
    const copy = copies.get(reference);
    return Object.keys(siblings).length === 0 ? copy : { ...asObject(copy), ...mapMembers(siblings, dereference) };
  };
  return dereference;
}
