import { jsonContent, type Operation } from "./generation.ts";
import { writeCredentials, type SecurityAlternative } from "./security.ts";

/** A request made of the examples in the contract. */
export interface ExampleRequest {
  /** In capitals, as in HTTP. */
  readonly method: string;
  /** The path and the query, percent-encoded. */
  readonly target: string;
  /** Field names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of the body's example; `undefined` if the operation takes no JSON body. */
  readonly body: unknown;
}

export interface ExampleChoice {
  /** The named example for the body; the first one by default. */
  readonly body?: string | undefined;
  /** The security schemes to send credentials for; by default those of {@link firstAlternative}. */
  readonly schemes?: SecurityAlternative | undefined;
}

/** A request that an operation accepts, with every parameter that has an example, and with example credentials. */
export function exampleRequest(operation: Operation, choice: ExampleChoice = {}): ExampleRequest {
  const { method, path, parameters, requestBody } = operation;
  const credentials = writeCredentials(choice.schemes ?? firstAlternative(operation));
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let filled = path;
  for (const { name, in: place, example } of parameters) {
    if (!["string", "number", "boolean"].includes(typeof example)) continue;
    const value = String(example);
    if (place === "path") filled = filled.replaceAll(`{${name}}`, encodeURIComponent(value));
    if (place === "query") query.set(name, value);
    if (place === "header") headers[name.toLowerCase()] = value;
  }
  for (const [name, value] of credentials.query) query.set(name, value);
  const content = jsonContent(requestBody?.content);
  const example = content?.examples.find(({ name }) => choice.body === undefined || name === choice.body);
  return {
    method: method.toUpperCase(),
    target: query.size === 0 ? filled : `${filled}?${query.toString()}`,
    headers: { ...headers, ...credentials.headers, ...(content && { "content-type": content.mediaType }) },
    body: example?.value,
  };
}

/** The first alternative that has any credentials: none if an operation needs none. */
export function firstAlternative({ security }: Operation): SecurityAlternative {
  return security.find((schemes) => schemes.length > 0) ?? [];
}

/** A command line for POSIX shells that sends a request to a server, whose URL has no slash at its end. */
export function curlCommand(server: string, { method, target, headers, body }: ExampleRequest): string {
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(server + target)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body, null, 2))}`]),
  ].join(" \\\n  ");
}

/** Between single quotes nothing but their end has a meaning (POSIX, Shell Command Language, section 2.2.2). */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
