import { sentContent } from "../../samples/exampleRequest.ts";
import {
  jsonContent,
  successResponses,
  type Example,
  type Generation,
  type MediaType,
  type Operation,
  type Response,
} from "../../contract/generation.ts";
import { neededCredentials, type NeededCredentials } from "../../contract/security.ts";
import { flattenFields, ownAnchor, parameterField, schemaField, type Field } from "./fields.ts";
import type { Direction } from "../../spec/schemas.ts";

/** What readers are told of an operation, in HTML and in Markdown alike. */
export interface OperationContent {
  readonly operation: Operation;
  readonly isWebhook: boolean;
  readonly credentials: OperationCredentials;
  /** The status code of its success, or several, or ranges: `2XX`. */
  readonly success: readonly string[];
  /** What is not specified of that. */
  readonly successUnspecified: readonly string[];
  readonly parameters: readonly ParameterList[];
  readonly requestBody: BodyContent | undefined;
  readonly responses: readonly ResponseContent[];
  /** In the order of their places. */
  readonly unspecified: readonly Unspecified[];
  readonly examples: readonly ExampleExchange[];
}

interface OperationCredentials extends NeededCredentials {
  /** What is not specified of the operation's credentials, apart from what its schemes say of themselves. */
  readonly unspecified: readonly string[];
}

export interface ParameterList {
  /** Their place: `path`, `query`, `header` or `cookie`. */
  readonly in: string;
  /** What they are called together: `Path parameters`. */
  readonly title: string;
  readonly fields: readonly Field[];
}

export interface BodyContent {
  readonly anchor: string;
  readonly required: boolean;
  readonly description: string;
  readonly media: readonly MediaContent[];
}

export interface ResponseContent extends Omit<Response, "headers" | "content"> {
  readonly anchor: string;
  readonly headers: readonly Field[];
  readonly media: readonly MediaContent[];
}

/** What a body of one media type contains. */
export interface MediaContent {
  readonly mediaType: string;
  readonly field: Field;
  readonly examples: readonly Example[];
}

/** A place on the operation's page at which something is not specified. */
interface Unspecified {
  readonly anchor: string;
  /** The place in words: `duration in response 201`; empty for the operation itself. */
  readonly place: string;
  readonly phrases: readonly string[];
  /** The objects of the description that say so; none for the operation itself and its security schemes. */
  readonly sources: readonly object[];
}

/** An example of a request, and one of the response to it. */
export interface ExampleExchange {
  readonly request: Example | undefined;
  readonly response: (Example & { readonly status: string }) | undefined;
}

/** The ids of the parts of an operation's page, other than its fields. */
export const operationAnchors = { credentials: "credentials", success: "success", body: "request-body" } as const;

/** The names of the schemas that an operation's bodies consist of. */
export function namedSchemas(content: OperationContent): readonly string[] {
  return schemasOf(readBodyFields(content));
}

/** The names of the schemas of which an operation's page shows all. */
export function shownSchemas(content: OperationContent): readonly string[] {
  return schemasOf(readBodyFields(content).filter(({ isCut }) => !isCut));
}

function readBodyFields({ requestBody, responses }: OperationContent): readonly Field[] {
  const media = [requestBody?.media ?? [], ...responses.map((response) => response.media)].flat();
  return flattenFields(media.map(({ field }) => field));
}

function schemasOf(fields: readonly Field[]): readonly string[] {
  return [...new Set(fields.flatMap(({ type }) => type.flatMap(({ schema }) => schema ?? [])))];
}

/** Gathers what the contract says of an operation or a webhook. */
export function readOperationContent(generation: Generation, operation: Operation): OperationContent {
  const isWebhook = generation.webhooks.includes(operation);
  // A webhook's request is what readers receive, and they write the response.
  const requestDirection: Direction = isWebhook ? "response" : "request";
  const responseDirection: Direction = isWebhook ? "request" : "response";
  const parameters = readParameters(operation, requestDirection);
  const requestBody = readBody(operation, requestDirection);
  const responses = operation.responses.map((response) => readResponse(operation, response, responseDirection));
  const concernsSuccess = (phrase: string) => phrase === "success status code";
  const successUnspecified = operation.unspecified.filter(concernsSuccess);
  const others = operation.unspecified.filter((phrase) => !concernsSuccess(phrase));
  const credentials = { ...neededCredentials(operation), unspecified: others };
  return {
    operation,
    isWebhook,
    credentials,
    success: successResponses(operation).map(({ status }) => status),
    successUnspecified,
    parameters,
    requestBody,
    responses,
    unspecified: [
      ...ownUnspecified(successUnspecified, credentials),
      ...parameters.flatMap(({ in: place, fields }) => fieldsUnspecified(fields, `${place} parameters`)),
      ...fieldsUnspecified(requestBody?.media.map(({ field }) => field) ?? [], "the request body"),
      ...responses.flatMap(responseUnspecified),
    ],
    examples: pairExamples(operation),
  };
}

function readParameters({ document, parameters }: Operation, direction: Direction): readonly ParameterList[] {
  return Object.entries(placeTitles).flatMap(([place, title]) => {
    const listed = parameters.filter((parameter) => parameter.in === place);
    const options = { document, direction, anchor: place };
    const fields = listed.map((parameter) => parameterField(parameter, options));
    return fields.length === 0 ? [] : [{ in: place, title, fields }];
  });
}

const placeTitles = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
  cookie: "Cookies",
};

function readBody({ document, requestBody }: Operation, direction: Direction): BodyContent | undefined {
  if (requestBody === undefined) return undefined;
  const { required, description, content } = requestBody;
  const anchor = operationAnchors.body;
  return { anchor, required, description, media: readMedia(content, { document, direction, anchor }) };
}

function readResponse({ document }: Operation, response: Response, direction: Direction): ResponseContent {
  const { headers, content, ...others } = response;
  const anchor = `response-${response.status}`;
  const options = { document, direction, anchor };
  return {
    ...others,
    anchor,
    headers: headers.map((header) => parameterField(header, { ...options, anchor: `${anchor}-header` })),
    media: readMedia(content, options),
  };
}

function readMedia(content: readonly MediaType[], options: Parameters<typeof schemaField>[2]): readonly MediaContent[] {
  return content.map(({ mediaType, schema, examples }, index) => {
    const anchor = index === 0 ? options.anchor : `${options.anchor}-${String(index + 1)}`;
    return { mediaType, field: schemaField(schema, "", { ...options, anchor }), examples };
  });
}

/** What is not specified of the operation itself, and of its security schemes. */
function ownUnspecified(
  success: readonly string[],
  { alternatives, unspecified }: OperationCredentials,
): readonly Unspecified[] {
  const schemes = [...new Set(alternatives.flat())];
  const anchor = operationAnchors.credentials;
  const places = [
    { anchor: operationAnchors.success, place: "", phrases: success },
    { anchor, place: "", phrases: unspecified },
    ...schemes.map((scheme) => ({ anchor, place: scheme.name, phrases: scheme.unspecified })),
  ];
  return places.filter(({ phrases }) => phrases.length > 0).map((place) => ({ ...place, sources: [] }));
}

function responseUnspecified(response: ResponseContent): readonly Unspecified[] {
  const { anchor, status, unspecified, headers, media, source } = response;
  const place = status === "default" ? "default response" : `response ${status}`;
  return [
    ...(unspecified.length > 0 ? [{ anchor, place, phrases: unspecified, sources: [source] }] : []),
    ...fieldsUnspecified([...headers, ...media.map(({ field }) => field)], place),
  ];
}

function fieldsUnspecified(fields: readonly Field[], place: string): readonly Unspecified[] {
  return flattenFields(fields)
    .filter(({ unspecified }) => unspecified.length > 0)
    .map((field) => ({
      anchor: ownAnchor(field),
      place: field.name === "" ? place : `${field.name} in ${place}`,
      phrases: field.unspecified,
      sources: field.sources,
    }));
}

/** Puts each example of the request next to the response of the same name, or else to the first one. */
function pairExamples(operation: Operation): readonly ExampleExchange[] {
  const responses = successResponses(operation).flatMap(({ status, content }) =>
    shownExamples(content).map((example) => ({ ...example, status })),
  );
  const requests = sentContent(operation)?.examples ?? [];
  const pairs = requests.map((request) => ({
    request,
    response: responses.find(({ name }) => name === request.name) ?? responses[0],
  }));
  const shown = new Set(pairs.map(({ response }) => response));
  const rest = responses
    .filter((response) => !shown.has(response))
    .map((response) => ({ request: undefined, response }));
  return [...pairs, ...rest];
}

/** The examples of a body in JSON, or else of the first media type. One without a value is in a file elsewhere. */
function shownExamples(content: readonly MediaType[]): readonly Example[] {
  const media = jsonContent(content) ?? content[0];
  return media?.examples.filter(({ value }) => value !== undefined) ?? [];
}
