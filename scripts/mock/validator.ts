import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { OpenApiDocument, SchemaObject } from "../contract/openapi.ts";

/** Tells whether a value is valid. */
export type IsValid = (value: unknown) => boolean;

/** Makes a function that compiles the schemas of a bundle, each once, when it is first needed. */
export function createValidator({ components }: OpenApiDocument): (schema: SchemaObject) => IsValid {
  const compiled = new WeakMap<SchemaObject, IsValid>();
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    if (ajv === undefined) {
      ajv = new Ajv2020({ strict: false, logger: false });
      addFormats.default(ajv);
    }
    // References lead to `#/components/...`: they need a root that has them.
    const isValid = compiled.get(schema) ?? ajv.compile({ ...schema, components });
    compiled.set(schema, isValid);
    return isValid;
  };
}
