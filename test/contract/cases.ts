import {
  isObject,
  methods,
  resolve,
  type Document,
  type OperationEntry,
  type Schema,
} from "../../scripts/contract/document.ts";
import { exampleRequest, namedExamples, type ExampleRequest } from "../../scripts/contract/exampleRequest.ts";

/** A success that the contract has a named example for. */
export interface ResponseExample {
  /** The response's key: a status code or a range such as `2XX`. */
  readonly code: string;
  readonly status: number;
  readonly example: string;
  readonly value: unknown;
}

export function responseExamples(document: Document, entry: OperationEntry): readonly ResponseExample[] {
  return successCodes(entry).flatMap((code) => {
    const response = resolve(entry.operation.responses[code] ?? {}, document.components?.responses);
    const examples = namedExamples(document, response.content?.["application/json"] ?? {});
    // The mock answers a range with its first code.
    const status = Number(code.replace("XX", "00"));
    return Object.entries(examples).map(([example, value]) => ({ code, status, example, value }));
  });
}

export function successCodes({ operation }: OperationEntry): readonly string[] {
  return Object.keys(operation.responses).filter((code) => code.startsWith("2"));
}

/** The alternatives that open an operation, each the names of the security schemes that it takes together. */
export function securityAlternatives(
  document: Document,
  { operation }: OperationEntry,
): readonly (readonly string[])[] {
  return (operation.security ?? document.security ?? []).map((requirement) => Object.keys(requirement));
}

/** Schemes that open nothing: none at all, and each alternative with one of its schemes left out. */
export function insufficientSchemes(alternatives: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const opens = (schemes: readonly string[]) =>
    alternatives.some((alternative) => alternative.every((scheme) => schemes.includes(scheme)));
  const incomplete = alternatives.flatMap((all) => all.map((left) => all.filter((scheme) => scheme !== left)));
  const unique = new Map([[], ...incomplete].map((schemes) => [schemes.join(" "), schemes]));
  return [...unique.values()].filter((schemes) => !opens(schemes));
}

export function requestSchema(document: Document, { operation: { requestBody } }: OperationEntry): Schema | undefined {
  if (requestBody === undefined) return undefined;
  const schema = resolve(requestBody, document.components?.requestBodies).content["application/json"]?.schema;
  return schema === undefined ? undefined : resolve<Schema>(schema, document.components?.schemas);
}

export interface WrongRequest {
  /** What is wrong, for the name of a test. */
  readonly fault: string;
  /** What the refusal has to name: a parameter, or a JSON Pointer into the body. */
  readonly named: string;
  readonly request: ExampleRequest;
}

/** For each typed field of the request body, at any depth, the example request with that field of a wrong type. */
export function wrongFields(document: Document, entry: OperationEntry): readonly WrongRequest[] {
  const request = exampleRequest(document, entry);
  return typedFields(document, requestSchema(document, entry), []).map(({ keys, types }) => {
    const pointer = keys.map((key) => `/${key}`).join("");
    const body = withValue(request.body, keys, types.includes("string") ? 12.5 : "text");
    return { fault: `another type at "${pointer}"`, named: pointer, request: { ...request, body } };
  });
}

/** For each parameter: a required one left out, and a value that its type or its `const` does not allow. */
export function wrongParameters(document: Document, entry: OperationEntry): readonly WrongRequest[] {
  const request = exampleRequest(document, entry);
  return entry.parameters.flatMap(({ name, in: place = "", required = false, schema }) => {
    const { type, const: only } = schema === undefined ? {} : resolve<Schema>(schema, document.components?.schemas);
    const isNarrow = type === "number" || type === "integer" || type === "boolean" || only !== undefined;
    return [
      ...(required && place !== "path"
        ? [
            {
              fault: `no ${place} parameter ${name}`,
              named: name,
              request: withParameter(request, entry, place, name, undefined),
            },
          ]
        : []),
      ...(isNarrow
        ? [
            {
              fault: `another type of the ${place} parameter ${name}`,
              named: name,
              request: withParameter(request, entry, place, name, "text"),
            },
          ]
        : []),
    ];
  });
}

/** A method that no operation of the path has. */
export function absentMethod(operations: readonly OperationEntry[], path: string): string {
  const present = operations.filter((entry) => entry.path === path).map(({ method }) => method);
  const [absent = "trace"] = methods.filter(
    (method) => method !== "options" && method !== "head" && !present.includes(method),
  );
  return absent.toUpperCase();
}

interface TypedField {
  readonly keys: readonly string[];
  readonly types: readonly string[];
}

function typedFields(document: Document, schema: Schema | boolean | undefined, keys: readonly string[]): TypedField[] {
  if (schema === undefined || typeof schema === "boolean") return [];
  const { type, properties, additionalProperties, items, anyOf } = resolve<Schema>(
    schema,
    document.components?.schemas,
  );
  return [
    ...(type === undefined ? [] : [{ keys, types: [type].flat() }]),
    ...Object.entries(properties ?? {}).flatMap(([name, property]) => typedFields(document, property, [...keys, name])),
    ...typedFields(document, additionalProperties, [...keys, "anyKey"]),
    ...typedFields(document, items, [...keys, "0"]),
    ...(anyOf ?? []).flatMap((alternative) => typedFields(document, alternative, keys)),
  ];
}

/** A copy of a JSON value with another value at a place; what leads there is added where it is missing. */
function withValue(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (key === "0") return [withValue(undefined, rest, value)];
  return isObject(body)
    ? { ...body, [key]: withValue(body[key], rest, value) }
    : { [key]: withValue(undefined, rest, value) };
}

/** The request with another value of a parameter, or without the parameter. */
function withParameter(
  request: ExampleRequest,
  { path }: OperationEntry,
  place: string,
  name: string,
  value: string | undefined,
): ExampleRequest {
  const [pathname = "", search = ""] = request.target.split("?");
  if (place === "header") {
    const others = Object.entries(request.headers).filter(([header]) => header !== name.toLowerCase());
    return { ...request, headers: Object.fromEntries(value === undefined ? others : [...others, [name, value]]) };
  }
  const query = new URLSearchParams(search);
  if (place === "query") {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
    return { ...request, target: `${pathname}?${query.toString()}` };
  }
  const segments = pathname.split("/").with(path.split("/").indexOf(`{${name}}`), value ?? "");
  return { ...request, target: search === "" ? segments.join("/") : `${segments.join("/")}?${search}` };
}
