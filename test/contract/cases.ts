import { exampleRequest, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { jsonContent, successResponses, type Operation } from "../../scripts/contract/generation.ts";
import { resolveSchema } from "../../scripts/spec/references.ts";
import { isObject } from "../../scripts/spec/json.ts";
import { methods, type SchemaObject } from "../../scripts/spec/openapi.ts";
import type { SecurityAlternative } from "../../scripts/contract/security.ts";

/** A success that the contract has a named example for. */
export interface ResponseExample {
  /** The response's key: a status code or a range such as `2XX`. */
  readonly code: string;
  readonly status: number;
  readonly example: string;
  readonly value: unknown;
}

export function responseExamples(operation: Operation): readonly ResponseExample[] {
  return successResponses(operation).flatMap(({ status: code, content }) =>
    (jsonContent(content)?.examples ?? []).map(({ name: example, value }) => {
      // The mock answers a range with its first code.
      return { code, status: Number(code.replace("XX", "00")), example, value };
    }),
  );
}

/** Credentials that open nothing: none at all, and each alternative with one of its schemes left out. */
export function insufficientSchemes({ security }: Operation): readonly SecurityAlternative[] {
  const opens = (schemes: SecurityAlternative) =>
    security.some((alternative) => alternative.every((scheme) => schemes.includes(scheme)));
  const incomplete = security.flatMap((all) => all.map((left) => all.filter((scheme) => scheme !== left)));
  const unique = new Map([[], ...incomplete].map((schemes) => [namesOf(schemes), schemes]));
  return security.length === 0 ? [] : [...unique.values()].filter((schemes) => !opens(schemes));
}

/** The names of some schemes as a test's title has them. */
export function namesOf(schemes: SecurityAlternative): string {
  return schemes.map(({ name }) => name).join(" and ") || "nothing";
}

export function requestSchema({ document, requestBody }: Operation): SchemaObject | undefined {
  const schema = jsonContent(requestBody?.content)?.schema;
  return schema && resolveSchema(document, schema);
}

export interface WrongRequest {
  /** What is wrong, for the name of a test. */
  readonly fault: string;
  /** What the refusal has to name: a parameter, or a JSON Pointer into the body. */
  readonly named: string;
  readonly request: ExampleRequest;
}

/** For each typed field of the request body, at any depth, the example request with that field of a wrong type. */
export function wrongFields(operation: Operation): readonly WrongRequest[] {
  const request = exampleRequest(operation);
  return typedFields(operation, requestSchema(operation), []).map(({ keys, types }) => {
    const pointer = keys.map((key) => `/${key}`).join("");
    const body = withValue(request.body, keys, types.includes("string") ? 12.5 : "text");
    return { fault: `another type at "${pointer}"`, named: pointer, request: { ...request, body } };
  });
}

/** For each parameter: a required one left out, and a value that its type or its `const` does not allow. */
export function wrongParameters(operation: Operation): readonly WrongRequest[] {
  const request = exampleRequest(operation);
  return operation.parameters.flatMap(({ name, in: place, required, schema }) => {
    const { type, const: only } = resolveSchema(operation.document, schema);
    const isNarrow = type === "number" || type === "integer" || type === "boolean" || only !== undefined;
    const wrong = (fault: string, value: string | undefined) => ({
      fault: `${fault} ${place} parameter ${name}`,
      named: name,
      request: withParameter(request, operation, place, name, value),
    });
    return [
      ...(required && place !== "path" ? [wrong("no", undefined)] : []),
      ...(isNarrow ? [wrong("another type of the", "text")] : []),
    ];
  });
}

/** A method that no operation of the path has. */
export function absentMethod(operations: readonly Operation[], path: string): string {
  const present = operations.filter((operation) => operation.path === path).map(({ method }) => method);
  const [absent = "trace"] = methods.filter(
    (method) => method !== "options" && method !== "head" && !present.includes(method),
  );
  return absent.toUpperCase();
}

interface TypedField {
  readonly keys: readonly string[];
  readonly types: readonly string[];
}

function typedFields(
  operation: Operation,
  schema: SchemaObject | boolean | undefined,
  keys: readonly string[],
): TypedField[] {
  if (schema === undefined || typeof schema === "boolean") return [];
  const { type, properties, additionalProperties, items, anyOf } = resolveSchema(operation.document, schema);
  return [
    ...(type === undefined ? [] : [{ keys, types: [type].flat() }]),
    ...Object.entries(properties ?? {}).flatMap(([name, property]) =>
      typedFields(operation, property, [...keys, name]),
    ),
    ...typedFields(operation, additionalProperties, [...keys, "anyKey"]),
    ...typedFields(operation, items, [...keys, "0"]),
    ...(anyOf ?? []).flatMap((alternative) => typedFields(operation, alternative, keys)),
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
  { path }: Operation,
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
