import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Document, OperationEntry } from "../../scripts/contract/document.ts";

/** Says what is wrong with a value, or nothing where it fits the schema. */
export type Validate = (value: unknown) => string | undefined;

export interface Validator {
  readonly ofRequest: (entry: OperationEntry) => Validate;
  readonly ofResponse: (entry: OperationEntry, code: string) => Validate;
}

/**
 * Validates JSON bodies against the schemas of a bundle, by JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 * It shares nothing with Prism's validator.
 */
export function createValidator(document: Document): Validator {
  // Annotations of OpenAPI (`x-…`, `format: password`) are no keywords of JSON Schema; lint has checked them.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat("password", true);
  ajv.addSchema(document, "bundle");

  const compile = ({ path, method }: OperationEntry, ...place: readonly string[]): Validate => {
    const keys = ["paths", path, method, ...place, "content", "application/json", "schema"];
    const pointer = keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const validate = ajv.compile({ $ref: `bundle#/${pointer}` });
    return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
  };
  return {
    ofRequest: (entry) => compile(entry, "requestBody"),
    ofResponse: (entry, code) => compile(entry, "responses", code),
  };
}
