import type { Generation, Operation } from "../contract/generation.ts";
import { pointerOf } from "./describedValues.ts";
import { findSchemaFaults } from "./schema/schemaFaults.ts";

/**
 * Describes the unusable schemas of a generation, each in a sentence with its place (a JSON Pointer in the
 * bundle) and an operation that uses it. Empty if all schemas are usable.
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

/** The schemas of an operation's requests and responses. */
function schemasOf({ parameters, requestBody, responses }: Operation): readonly object[] {
  const content = [requestBody, ...responses].flatMap((one) => one?.content ?? []);
  return [...parameters, ...responses.flatMap(({ headers }) => headers), ...content].map(({ schema }) => schema);
}
