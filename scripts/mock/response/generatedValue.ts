import type { JsonSchema } from "json-schema-faker";
import type { OpenApiDocument, SchemaObject } from "../../spec/openapi.ts";
import { messageOf } from "../../contract/failures.ts";
import { hashOf } from "../state/variants.ts";
import { responseViolation, type SchemaViolation } from "../validation/validator.ts";
import { unrollSchema } from "./unrolledSchema.ts";

/** So many random values are tried, of which one should be valid; the second half have required properties only. */
const mostTries = 20;
/** Beyond this number of schemas, optional properties are left out. They take some 100 ms. */
const mostSchemas = 1_000;

/** Formats that the validator knows and the generator does not. */
const formats = { regex: () => "^[a-z]+$", byte: () => "ZXhhbXBsZQ==", "uri-template": () => "/{id}" };

/** Makes a random value that a schema allows in a response: the same one for a seed. Otherwise says which keyword is violated. */
export async function generateValue(
  schema: SchemaObject,
  document: OpenApiDocument,
  seed: string | undefined,
): Promise<{ readonly value: unknown } | { readonly failure: string }> {
  // It is not loaded before it is needed.
  const { generateSync } = await import("json-schema-faker");
  const findViolation = responseViolation(schema, document);
  const start = seed === undefined ? Math.floor(Math.random() * 2 ** 32) : hashOf(seed);
  let tries = 0;
  const generate = (part: JsonSchema) =>
    generateSync(part, {
      seed: start + (tries += 1),
      formats,
      maxDepth: 100,
      alwaysFakeOptionals: tries < mostTries / 2,
      optionalsProbability: 0,
    });
  let failure = "";
  try {
    const unrolled = unrollSchema(schema, { document, generate, left: mostSchemas });
    if (unrolled === false)
      return { failure: "no value is valid in its schema, which may contain itself without end ($ref)" };
    for (tries = 0; tries < mostTries;) {
      const value = generate(unrolled);
      const violation = findViolation(value);
      if (violation === undefined) return { value };
      failure = describeSchemaViolation(violation);
    }
  } catch (error) {
    failure = messageOf(error);
  }
  return { failure: `no valid value was found for its schema, in which ${failure}` };
}

/** Names the keyword: `/tags/0 must be string (type)`. */
export function describeSchemaViolation({ pointer, keyword, message }: SchemaViolation): string {
  return `${pointer === "" ? "the value" : pointer} ${message} (${keyword})`;
}
