import type { Generation, Operation } from "../contract/generation.ts";
import { pointerOf } from "./describedValues.ts";
import { findSchemaFaults } from "./schema/schemaFaults.ts";

/**
 * Says which schemas of a generation nothing can be held against, each in a sentence with an operation that uses it and
 * its place: a JSON Pointer in the bundle. None if all is well.
 */
export function describeSchemaFaults({ document, operations }: Generation): readonly string[] {
  const users = new Map<unknown, Operation>();
  for (const operation of operations) {
    for (const schema of schemasOf(operation)) if (!users.has(schema)) users.set(schema, operation);
  }
  return findSchemaFaults(users, document).map(({ schema, keyword, message, user }) => {
    return `${user.name}: at ${pointerOf(document, schema)}, \`${keyword}\` ${message}`;
  });
}

/** The schemas of what an operation receives and sends. */
function schemasOf({ parameters, requestBody, responses }: Operation): readonly object[] {
  const content = [requestBody, ...responses].flatMap((one) => one?.content ?? []);
  return [...parameters, ...responses.flatMap(({ headers }) => headers), ...content].map(({ schema }) => schema);
}
