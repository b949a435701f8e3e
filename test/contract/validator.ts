import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Operation } from "../../scripts/contract/generation.ts";
import { jsonPointer } from "../../scripts/spec/json.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";

/** Says what is wrong with a value, or nothing if it fits the schema. */
export type Validate = (value: unknown) => string | undefined;

export interface Validator {
  readonly ofRequest: (operation: Operation) => Validate;
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

  const compile = ({ path, method }: Operation, ...place: readonly string[]): Validate => {
    const keys = ["paths", path, method, ...place, "content", "application/json", "schema"];
    // Compiled once, unlike a schema that refers to it.
    const validate = ajv.getSchema(`bundle#${encodeURIComponent(jsonPointer(keys)).replaceAll("%2F", "/")}`);
    if (validate === undefined) throw new Error(`no schema is at ${jsonPointer(keys)}`);
    return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
  };
  return {
    ofRequest: (operation) => compile(operation, "requestBody"),
    ofResponse: (operation, status) => compile(operation, "responses", status),
  };
}
