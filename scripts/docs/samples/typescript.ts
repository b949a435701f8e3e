import { singleValuedHeaders } from "../../client/facts.ts";
import { isObject, type Document, type OperationEntry } from "../../contract/document.ts";
import { exampleCredential, parameterExample, type ExampleRequest } from "../../contract/exampleRequest.ts";

export interface TypeScriptSampleOptions {
  /** What the client is imported from: `<package>/<generation>`. */
  readonly module: string;
  /** Without a slash at its end. */
  readonly server: string;
  /** The security schemes whose credentials authenticate the request. */
  readonly schemes: readonly string[];
}

/** A program that sends the request with the project's client and prints the data of the answer. */
export function typescriptSample(
  document: Document,
  entry: OperationEntry,
  { method, body }: ExampleRequest,
  { module, server, schemes }: TypeScriptSampleOptions,
): string {
  const auth = Object.fromEntries(schemes.map((scheme) => [scheme, exampleCredential(document, scheme)]));
  const params = exampleParameters(document, entry);
  const init = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== undefined && { body }),
  };
  const call = `client.${method}(${JSON.stringify(entry.path)}${Object.keys(init).length > 0 ? `, ${literal(init)}` : ""})`;
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
function exampleParameters(document: Document, entry: OperationEntry): Record<string, Record<string, unknown>> {
  const sent = new Set(singleValuedHeaders(document, entry).map(([name]) => name));
  const byPlace: Record<string, Record<string, unknown>> = {};
  for (const parameter of entry.parameters) {
    const { in: place, name } = parameter;
    const value = parameterExample(parameter);
    if (place === undefined || value === undefined || (place === "header" && sent.has(name))) continue;
    (byPlace[place] ??= {})[name] = value;
  }
  return byPlace;
}

const lineWidth = 80;

/** A JSON value as TypeScript writes it: on one line where it is short, keys without quotes where they need none. */
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

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
