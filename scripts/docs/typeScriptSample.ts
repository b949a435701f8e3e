import type { ExampleRequest } from "../contract/exampleRequest.ts";
import type { Operation } from "../contract/generation.ts";
import { isObject } from "../contract/openapi.ts";
import type { SecurityAlternative } from "../contract/security.ts";
import { singleValuedHeaders } from "../pipeline/clientFacts.ts";
import { propertyName } from "../pipeline/typeScriptText.ts";

export interface TypeScriptSampleOptions {
  /** What the client is imported from: `<package>/<generation>`. */
  readonly module: string;
  /** Without a slash at its end. */
  readonly server: string;
  /** The security schemes whose credentials authenticate the request. */
  readonly schemes: SecurityAlternative;
}

/** A program that sends the request with the project's client and prints the data of the response. */
export function typeScriptSample(
  operation: Operation,
  { method, body }: ExampleRequest,
  { module, server, schemes }: TypeScriptSampleOptions,
): string {
  const auth = Object.fromEntries(schemes.map(({ name, example }) => [name, example]));
  const params = exampleParameters(operation);
  const init = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== undefined && { body }),
  };
  const options = Object.keys(init).length > 0 ? `, ${literal(init)}` : "";
  const call = `client.${method}(${JSON.stringify(operation.path)}${options})`;
  return [
    `import { createClient, unwrap } from ${JSON.stringify(module)};`,
    "",
    `const client = createClient(${literal({ baseUrl: server, ...(schemes.length > 0 && { auth }) })});`,
    "",
    `const data = await unwrap(${call.includes("\n") ? `\n${indent(call)},\n` : call});`,
    "console.log(data);",
  ].join("\n");
}

/** The examples of an operation's parameters, by place, with their types; without headers that the client sends. */
export function exampleParameters(operation: Operation): Record<string, Record<string, unknown>> {
  const sent = new Set(singleValuedHeaders(operation).map(([name]) => name));
  const byPlace: Record<string, Record<string, unknown>> = {};
  for (const { in: place, name, example } of operation.parameters) {
    if (example === undefined || (place === "header" && sent.has(name))) continue;
    (byPlace[place] ??= {})[name] = example;
  }
  return byPlace;
}

const lineWidth = 80;

/** A JSON value as TypeScript writes it: on one line if it is short, keys without quotes if they need none. */
function literal(value: unknown): string {
  if (!Array.isArray(value) && !isObject(value)) return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map(literal)
    : Object.entries(value).map(([key, item]) => `${propertyName(key)}: ${literal(item)}`);
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", " "];
  if (items.length === 0) return open + close;
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  const isShort = line.length <= lineWidth / 2 && !line.includes("\n");
  return isShort ? line : `${open}\n${items.map((item) => `${indent(item)},\n`).join("")}${close}`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
