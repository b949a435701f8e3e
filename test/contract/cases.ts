import { exampleRequest, jsonBody, jsonValue, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import {
  isSent,
  jsonContent,
  type MediaType,
  type Operation,
  type Parameter,
} from "../../scripts/contract/generation.ts";
import { elementsOf, isObject, jsonPointer, parseJson } from "../../scripts/values/json.ts";
import { essenceOf, isForm, isJson } from "../../scripts/spec/mediaTypes.ts";
import { firstStatus, isDefaultStatus, isSuccessStatus } from "../../scripts/spec/statusKeys.ts";
import { typesOf } from "../../scripts/spec/schemas.ts";
import type { NameValuePair } from "../../scripts/samples/parameterText.ts";
import type { SerializedBody } from "../../scripts/samples/serializeRequest.ts";
import { methods, resolveSchema, type SchemaObject } from "../../scripts/spec/openapi.ts";
import type { SecurityAlternative } from "../../scripts/contract/security.ts";

/** A response that the contract lists. */
export interface ListedAnswer {
  /** The response's key: a status code or a range such as `2XX`. */
  readonly code: string;
  readonly status: number;
  /** That of its body; `undefined` if it has none. */
  readonly mediaType: string | undefined;
  /** The name of one of the contract's examples of it; `undefined` if there is none. */
  readonly example: string | undefined;
  readonly value: unknown;
}

/** The responses that the contract lists for statuses, in each media type, with each named example. */
export function listedAnswers({ responses }: Operation): readonly ListedAnswer[] {
  return responses.flatMap(({ status: code, content }): readonly ListedAnswer[] => {
    if (isDefaultStatus(code)) return [];
    // The mock answers a range with its first code.
    const answer = { code, status: Number(firstStatus(code)), example: undefined, value: undefined };
    if (content.length === 0) return [{ ...answer, mediaType: undefined }];
    return content.flatMap(({ mediaType, examples }): readonly ListedAnswer[] => {
      if (examples.length === 0) return [{ ...answer, mediaType }];
      return examples.map(({ name, value }) => ({ ...answer, mediaType, example: name, value }));
    });
  });
}

/** A success with JSON that the contract has a named example for. */
export type ResponseExample = ListedAnswer & { readonly example: string };

export function responseExamples(operation: Operation): readonly ResponseExample[] {
  return listedAnswers(operation).flatMap((answer) => {
    const { code, mediaType = "", example } = answer;
    return isSuccessStatus(code) && isJson(mediaType) && example !== undefined ? [{ ...answer, example }] : [];
  });
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
  /** What the refusal has to name: a parameter, a field of a form, or a JSON Pointer into the body. */
  readonly named: string;
  readonly request: ExampleRequest;
}

/** For each typed field of the request body, at any depth, the example request with that field of a wrong type. */
export function wrongFields(operation: Operation): readonly WrongRequest[] {
  const request = exampleRequest(operation);
  return fieldsOf(operation, requestSchema(operation)).flatMap(({ keys, types }) => {
    if (types.length === 0) return [];
    const pointer = jsonPointer(keys);
    const value = withValue(jsonValue(request.body), keys, types.includes("string") ? 12.5 : "text");
    return [{ fault: `another type at "${pointer}"`, named: pointer, request: { ...request, body: jsonBody(value) } }];
  });
}

/** For each field of a form: a required one left out, and a text where its type does not allow any. */
export function wrongFormFields(operation: Operation): readonly WrongRequest[] {
  const { document, requestBody } = operation;
  const request = exampleRequest(operation);
  const { body } = request;
  const form = requestBody?.content.find(({ mediaType }) => isForm(essenceOf(mediaType)));
  if (form === undefined || (body?.kind !== "urlencoded" && body?.kind !== "multipart")) return [];
  const { properties = {}, required = [] } = resolveSchema(document, form.schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const wrong = (fault: string, added: readonly NameValuePair[]): WrongRequest => {
      return { fault: `${fault} ${name}`, named: name, request: { ...request, body: formWith(body, name, added) } };
    };
    return [
      ...(required.includes(name) ? [wrong("no field", [])] : []),
      ...(isNarrow(operation, property) ? [wrong("another type of the field", [[name, "text"]])] : []),
    ];
  });
}

/** A form with other fields in place of those of a name. */
function formWith(body: Form, name: string, fields: readonly NameValuePair[]): SerializedBody {
  return { ...body, fields: [...body.fields.filter(([other]) => other !== name), ...fields] };
}

type Form = Extract<SerializedBody, { readonly fields: unknown }>;

/** The operation with each of the media types of its request body alone. */
export function byMediaType(operation: Operation): readonly (MediaType & { readonly operation: Operation })[] {
  const { requestBody } = operation;
  if (requestBody === undefined) return [];
  return requestBody.content.map((content) => {
    return { ...content, operation: { ...operation, requestBody: { ...requestBody, content: [content] } } };
  });
}

/** Of each type and format that occurs in contracts. */
const probes: readonly unknown[] = [
  ...[
    null,
    true,
    7,
    12.5,
    [],
    {},
    "text",
    "https://example.com/a",
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05+02:00",
  ],
  ...["2026-01-02", "a@example.com", "09:30", "Europe/Oslo"],
];

/** The value with each field of its schema, at any depth, left out, and then with each of the probes in its place. */
export function variantsOf(
  operation: Operation,
  schema: SchemaObject | boolean | undefined,
  value: unknown,
): readonly { readonly pointer: string; readonly values: readonly unknown[] }[] {
  return fieldsOf(operation, schema).map(({ keys, only }) => ({
    pointer: jsonPointer(keys),
    values: [
      ...(keys.length === 0 ? [] : [withValue(value, keys, undefined)]),
      ...[...probes, ...(only === undefined ? [] : [only])].map((probe) => withValue(value, keys, probe)),
      // As they are sent: without members that are undefined.
    ].map((variant) => parseJson(JSON.stringify(variant))),
  }));
}

/** For each parameter: a required one left out, and a value that its type or its `const` does not allow. */
export function wrongParameters(operation: Operation): readonly WrongRequest[] {
  const request = exampleRequest(operation);
  return variableParameters(operation).flatMap((parameter) => {
    const { name, in: place, required } = parameter;
    const wrong = (fault: string, value: string | undefined) => ({
      fault: `${fault} ${place} parameter ${name}`,
      named: name,
      request: withParameter(request, operation, place, name, value),
    });
    return [
      ...(required && place !== "path" ? [wrong("no", undefined)] : []),
      ...(isNarrow(operation, parameter.schema) ? [wrong("another type of the", "text")] : []),
    ];
  });
}

/** All parameters at once. For each parameter: an optional one left out, and texts where its schema allows any. */
export function rightParameters(operation: Operation): readonly ExampleRequest[] {
  const request = exampleRequest(operation);
  const { document, pagination, parameters } = operation;
  const written = parameters.map((parameter) => {
    // An example has as many items as it has, so a page is large.
    const { default: size = 1_000 } = resolveSchema(document, parameter.schema);
    const { name, example = name === pagination?.limit ? size : undefined } = parameter;
    return { ...parameter, example, required: true };
  });
  const all = exampleRequest({ ...operation, parameters: written });
  const others = variableParameters(operation).flatMap((parameter) => {
    const values = [
      ...(parameter.required ? [] : [undefined]),
      ...(isWide(operation, parameter.schema) ? ["text", "12.5"] : []),
    ];
    return values.map((value) => withParameter(request, operation, parameter.in, parameter.name, value));
  });
  return [all, ...others];
}

/** Cookies stay as they are: credentials may be among them. */
function variableParameters({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => isSent(parameter) && parameter.in !== "cookie");
}

/** Tells whether a schema refuses the word that wrong requests have. */
function isNarrow({ document }: Operation, schema: SchemaObject | boolean): boolean {
  if (typeof schema === "boolean") return false;
  const { type, const: only, enum: values } = resolveSchema(document, schema);
  return type === "number" || type === "integer" || type === "boolean" || (only ?? values) !== undefined;
}

/** Tells whether a schema allows any text: its type does, and no other keyword says anything of values. */
function isWide({ document }: Operation, schema: SchemaObject): boolean {
  const { type = "string", ...others } = resolveSchema(document, schema);
  return type === "string" && Object.keys(others).every((keyword) => keyword.startsWith("x-") || silent.has(keyword));
}

/** Keywords that say nothing of values. */
const silent = new Set(["default", "deprecated", "description", "example", "examples", "title"]);

/** A method that no operation of the path has. */
export function absentMethod(operations: readonly Operation[], path: string): string {
  const present = operations.filter((operation) => operation.path === path).map(({ method }) => method);
  const [absent = "trace"] = methods.filter(
    (method) => method !== "options" && method !== "head" && !present.includes(method),
  );
  return absent.toUpperCase();
}

export interface Field {
  readonly keys: readonly string[];
  readonly types: readonly string[];
  /** The one value that it may have, if there is only one. */
  readonly only: unknown;
}

/** The fields of a schema, at any depth: `0` stands for the items of an array, and `anyKey` for additional properties. */
export function fieldsOf(
  operation: Operation,
  schema: SchemaObject | boolean | undefined,
  keys: readonly string[] = [],
): readonly Field[] {
  if (schema === undefined || typeof schema === "boolean") return [];
  const resolved = resolveSchema(operation.document, schema);
  const { const: only, properties, additionalProperties, items, anyOf } = resolved;
  return [
    { keys, types: typesOf(resolved), only },
    ...Object.entries(properties ?? {}).flatMap(([name, property]) => fieldsOf(operation, property, [...keys, name])),
    ...fieldsOf(operation, additionalProperties, [...keys, "anyKey"]),
    ...fieldsOf(operation, items, [...keys, "0"]),
    ...(anyOf ?? []).flatMap((alternative) => fieldsOf(operation, alternative, keys)),
  ];
}

/**
 * A copy of a JSON value with another value at a place, or without one there; what leads there is added where it is
 * missing.
 */
function withValue(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (key === "0") {
    const [first, ...others] = elementsOf(body);
    const changed = withValue(first, rest, value);
    return changed === undefined ? others : [changed, ...others];
  }
  return { ...(isObject(body) && body), [key]: withValue(isObject(body) ? body[key] : undefined, rest, value) };
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

/** Tells whether a value has a field, as {@link fieldsOf} names it. */
export function hasField(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (key === "0") return elementsOf(value).some((item) => hasField(item, rest));
  if (!isObject(value)) return false;
  if (key === "anyKey") return Object.values(value).some((member) => hasField(member, rest));
  return Object.hasOwn(value, key) && hasField(value[key], rest);
}
