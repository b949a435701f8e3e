import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { jsonContent, type MediaType, type Operation } from "../../scripts/contract/generation.ts";
import { pointerTo } from "../../scripts/contract/operationPointer.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";

/** Says what is wrong with a value, or nothing if it fits the schema. */
export type Validate = (value: unknown) => string | undefined;

export interface Validator {
  /** Validates JSON that an operation is sent. */
  readonly ofRequest: (operation: Operation) => Validate;
  /** Validates JSON that an operation responds with. */
  readonly ofResponse: (operation: Operation, status: string) => Validate;
}

/**
 * Validates JSON bodies against the schemas of a bundle, by JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 * It shares nothing with Prism's validator.
 */
export function createValidator(document: OpenApiDocument): Validator {
  // Annotations of OpenAPI (`x-…`, `format: password`) are no keywords of JSON Schema; lint has checked them.
  // With a precision, 0.07 is a multiple of 0.01 for it too, though dividing the two gives 7.000000000000001.
  const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 9 });
  addFormats.default(ajv);
  ajv.addFormat("password", true);
  ajv.addSchema(document, "bundle");

  const compile = (operation: Operation, content: readonly MediaType[] = [], ...place: readonly string[]): Validate => {
    const { mediaType = "" } = jsonContent(content) ?? {};
    // Compiled once, unlike a schema that refers to it.
    const pointer = pointerTo(operation, ...place, "content", mediaType, "schema");
    const validate = ajv.getSchema(`bundle#${encodeURIComponent(pointer).replaceAll("%2F", "/")}`);
    if (validate === undefined) throw new Error(`no schema of JSON is at ${pointer}`);
    return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
  };
  return {
    ofRequest: (operation) => compile(operation, operation.requestBody?.content, "requestBody"),
    ofResponse: (operation, status) => {
      const response = operation.responses.find((one) => one.status === status);
      return compile(operation, response?.content, "responses", status);
    },
  };
}
