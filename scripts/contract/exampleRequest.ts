import { isObject, resolve, type Document, type OperationEntry, type Parameter } from "./document.ts";

/** A request made of what the contract itself gives as examples. */
export interface ExampleRequest {
  /** In capitals, as HTTP has it. */
  readonly method: string;
  /** The path and the query, percent-encoded. */
  readonly target: string;
  /** Field names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of the body's example; `undefined` where the operation takes no JSON body. */
  readonly body: unknown;
}

export interface ExampleChoice {
  /** The named example for the body; the first one without it. */
  readonly body?: string | undefined;
  /** The security schemes to take credentials for, by name; without it, those of the first alternative that has any. */
  readonly schemes?: readonly string[] | undefined;
}

/** A request that an operation accepts, with every parameter that has an example, and with example credentials. */
export function exampleRequest(
  document: Document,
  { path, method, operation, parameters }: OperationEntry,
  choice: ExampleChoice = {},
): ExampleRequest {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let filled = path;
  for (const parameter of parameters) {
    const value = exampleValue(parameter);
    if (value === undefined) continue;
    if (parameter.in === "path") filled = filled.replaceAll(`{${parameter.name}}`, encodeURIComponent(value));
    if (parameter.in === "query") query.set(parameter.name, value);
    if (parameter.in === "header") headers[parameter.name.toLowerCase()] = value;
  }
  for (const scheme of choice.schemes ?? firstSchemes(operation.security ?? document.security)) {
    addCredential(document, scheme, headers, query);
  }
  const body = requestExamples(document, operation);
  if (body !== undefined) headers["content-type"] = "application/json";
  return {
    method: method.toUpperCase(),
    target: query.size === 0 ? filled : `${filled}?${query.toString()}`,
    headers,
    body: body === undefined ? undefined : choice.body === undefined ? Object.values(body)[0] : body[choice.body],
  };
}

/** The named examples of an operation's JSON body, resolved; `undefined` where it takes no JSON body. */
export function requestExamples(
  document: Document,
  { requestBody }: OperationEntry["operation"],
): Readonly<Record<string, unknown>> | undefined {
  if (requestBody === undefined) return undefined;
  const mediaType = resolve(requestBody, document.components?.requestBodies).content["application/json"];
  return mediaType === undefined ? undefined : namedExamples(document, mediaType);
}

/** The named examples of a media type, resolved to their values. */
export function namedExamples(
  document: Document,
  { examples = {} }: { readonly examples?: NonNullable<Document["components"]>["examples"] },
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [name, resolve(example, document.components?.examples).value]),
  );
}

/** What stands for a credential in examples: the scheme's `x-example`, or text made of its name. */
export function exampleCredential(document: Document, schemeName: string): string {
  const example: unknown = Object.entries(securityScheme(document, schemeName)).find(
    ([key]) => key === "x-example",
  )?.[1];
  return typeof example === "string" ? example : `example-${schemeName}`;
}

function addCredential(
  document: Document,
  schemeName: string,
  headers: Record<string, string>,
  query: URLSearchParams,
): void {
  const scheme = securityScheme(document, schemeName);
  const credential = exampleCredential(document, schemeName);
  switch (scheme.type) {
    case "apiKey":
      if (scheme.in === "query") query.set(scheme.name, credential);
      else
        headers[scheme.in === "cookie" ? "cookie" : scheme.name.toLowerCase()] =
          scheme.in === "cookie" ? `${scheme.name}=${credential}` : credential;
      break;
    case "http":
      headers["authorization"] =
        scheme.scheme.toLowerCase() === "basic" ? `Basic ${btoa(credential)}` : `Bearer ${credential}`;
      break;
    case "oauth2":
    case "openIdConnect":
      headers["authorization"] = `Bearer ${credential}`;
      break;
    case "mutualTLS":
      break;
  }
}

function securityScheme(document: Document, name: string) {
  const scheme = document.components?.securitySchemes?.[name];
  if (scheme === undefined) throw new Error(`a security requirement names no scheme of the bundle: ${name}`);
  return resolve(scheme, document.components?.securitySchemes);
}

/** The security schemes of the first alternative that has any: none where an operation needs no credentials. */
export function firstSchemes(security: Document["security"] = []): readonly string[] {
  return security.map((requirement) => Object.keys(requirement)).find((schemes) => schemes.length > 0) ?? [];
}

/** A parameter's example, or the only value or default that its schema gives; `undefined` where there is none. */
export function parameterExample({ example, schema }: Parameter): unknown {
  return example ?? (isObject(schema) ? (schema["const"] ?? schema["default"]) : undefined);
}

/** A parameter's example as text; `undefined` where the contract gives none, or one that is no text. */
function exampleValue(parameter: Parameter): string | undefined {
  const value = parameterExample(parameter);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}
