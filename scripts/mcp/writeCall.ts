import { attempt, UserError } from "../contract/failures.ts";
import { isSent, type Operation } from "../contract/generation.ts";
import type { SecurityAlternative } from "../contract/security.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { bodyInit, serializeRequest } from "../samples/serializeRequest.ts";
import { isObject, membersOf } from "../values/json.ts";
import { isSegment, pathParameters } from "../spec/pathTemplate.ts";

/** The values of a call, from an agent. */
export type CallValues = Readonly<Partial<Record<"path" | "query" | "headers" | "body", unknown>>>;

/**
 * Writes the request of a call. Its origin has no meaning. Throws {@link UserError} for a parameter that the
 * operation doesn't have, and for a path parameter that is missing or leads to another path.
 */
export function writeCall(
  operation: Operation,
  schemes: SecurityAlternative,
  values: CallValues,
  signal: AbortSignal,
): Request {
  const sent = (["path", "query", "headers"] as const).flatMap((place) => {
    const own = operation.parameters
      .filter(isSent)
      .filter((one) => one.in === (place === "headers" ? "header" : place));
    const keyOf = (name: string) => (place === "headers" ? name.toLowerCase() : name);
    return membersOf(values[place]).map(([name, value]) => {
      const parameter = own.find((one) => keyOf(one.name) === keyOf(name));
      if (parameter?.in === "query" && isObject(value)) throw notSent(`${name} in query must not be an object.`);
      if (parameter !== undefined) return { ...parameter, value };
      const names = own.length === 0 ? "none" : own.map((one) => one.name).join(", ");
      throw notSent(`${operation.name} has no ${JSON.stringify(name)} in ${place}. It has ${names}.`);
    });
  });
  for (const name of pathParameters(operation.path)) {
    const given = sent.find((one) => one.in === "path" && one.name === name);
    if (given === undefined) throw notSent(`${name} in path is missing.`);
    if (!isSegment(given.value))
      throw notSent(`${name} in path must be a number, or a text other than "", "." and "..".`);
  }
  const sample = sampleRequest(operation, "http://localhost", { schemes });
  const contentType = sample.contentType ?? operation.requestBody?.content[0]?.mediaType ?? "application/json";
  const written = serializeRequest({ ...sample, contentType, parameters: sent, body: values.body });
  const { url, method, headers, body } = written;
  const request = attempt(() => new Request(url, { method, headers, signal, ...(body && { body: bodyInit(body) }) }));
  if (request === undefined) throw notSent("a value can't be written in a header or URL.");
  return request;
}

/** Makes the error for a call that isn't sent. */
export function notSent(why: string): UserError {
  return new UserError(`Not sent: ${why}`);
}
