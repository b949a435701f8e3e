import { sentContent } from "../../samples/exampleRequest.ts";
import { isDefaultStatus } from "../../spec/statusKeys.ts";
import {
  jsonContent,
  successResponses,
  type Example,
  type ExampleLink,
  type Generation,
  type MediaType,
  type Operation,
  type Response,
} from "../../contract/generation.ts";
import { groupBy, getOrCreate } from "../../values/collections.ts";
import { isBinaryContent } from "../../spec/binary.ts";
import { fileType } from "../../spec/typeNames.ts";
import { neededCredentials, type NeededCredentials } from "../../contract/security.ts";
import { flattenFields, ownAnchor, parameterField, schemaField, type Field, type FieldOptions } from "./fields.ts";
import type { Direction } from "../../spec/schemas.ts";

/** The facts for the page of an operation. */
export interface OperationModel {
  readonly generation: Generation;
  readonly operation: Operation;
  readonly isWebhook: boolean;
  readonly credentials: OperationCredentials;
  /** The status codes of its successes, which may be ranges: `2XX`. */
  readonly success: readonly string[];
  /** The gaps of its success. */
  readonly successUnspecified: readonly string[];
  readonly parameters: readonly ParameterModel[];
  readonly requestBody: BodyModel | undefined;
  readonly responses: readonly ResponseModel[];
  /** The places with gaps on its page, in order. */
  readonly unspecified: readonly UnspecifiedPlace[];
  readonly examples: readonly ExampleExchange[];
}

export interface OperationCredentials extends NeededCredentials {
  /** The gaps of the credentials, without those of the security schemes themselves. */
  readonly unspecified: readonly string[];
}

/** The parameters in one place. */
export interface ParameterModel {
  readonly in: string;
  readonly title: string;
  readonly fields: readonly Field[];
}

export interface BodyModel {
  readonly anchor: string;
  readonly required: boolean;
  readonly description: string;
  readonly media: readonly MediaTypeModel[];
}

export interface ResponseModel extends Omit<Response, "headers"> {
  readonly anchor: string;
  readonly headers: readonly Field[];
  readonly media: readonly MediaTypeModel[];
}

export interface MediaTypeModel {
  /** At least one: media types with the same schema and encoding are described together. */
  readonly mediaTypes: readonly string[];
  /** The body as a whole. */
  readonly field: Field;
  /** Those of its examples that aren't beside the samples. */
  readonly examples: readonly Example[];
  readonly exampleLinks: readonly ExampleLink[];
}

/** A place with gaps on an operation's page. */
export interface UnspecifiedPlace {
  readonly anchor: string;
  /** The place in words. Empty for the operation itself. */
  readonly place: string;
  readonly gaps: readonly string[];
  /** The objects of the description with the gaps. Empty for the operation itself and its security schemes. */
  readonly sources: readonly object[];
}

/** An example of a request, and one of the response to it. */
export interface ExampleExchange {
  readonly request: Example | undefined;
  readonly response: (Example & { readonly status: string }) | undefined;
}

/** The ids of the parts of an operation's page, except for fields. */
export const operationAnchors = { credentials: "credentials", success: "success", body: "request-body" } as const;

/**
 * The names of the schemas of an operation's bodies. With `isWhole`, only those that its page shows
 * completely.
 */
export function namedSchemas({ requestBody, responses }: OperationModel, { isWhole = false } = {}): readonly string[] {
  const media = [requestBody?.media ?? [], ...responses.map((response) => response.media)].flat();
  const fields = flattenFields(media.map(({ field }) => field)).filter(({ isCut }) => !isWhole || !isCut);
  return [...new Set(fields.flatMap(({ type }) => type.flatMap(({ schema }) => schema ?? [])))];
}

/** Collects the facts about an operation or a webhook. */
export function readOperationModel(generation: Generation, operation: Operation): OperationModel {
  const isWebhook = generation.webhooks.includes(operation);
  // Readers receive a webhook's request, and write the response.
  const requestDirection: Direction = isWebhook ? "response" : "request";
  const responseDirection: Direction = isWebhook ? "request" : "response";
  const responses = operation.responses.map((response) => {
    const isSampled = successResponses(operation).includes(response);
    return readResponse(generation, response, { direction: responseDirection, isSampled });
  });
  const successUnspecified = operation.unspecified.filter((gap) => gap === successGap);
  const unspecified = operation.unspecified.filter((gap) => gap !== successGap);
  const facts = {
    generation,
    operation,
    isWebhook,
    credentials: { ...neededCredentials(operation), unspecified },
    success: successResponses(operation).map(({ status }) => status),
    successUnspecified,
    parameters: readParameters(operation, requestDirection),
    requestBody: readBody(operation, requestDirection),
    responses,
    examples: pairExamples(operation),
  };
  return { ...facts, unspecified: unspecifiedPlaces(facts) };
}

const successGap = "success status code";

/** The places on an operation's page with gaps, from top to bottom. */
function unspecifiedPlaces(facts: Omit<OperationModel, "unspecified">): readonly UnspecifiedPlace[] {
  const { credentials, successUnspecified, parameters, requestBody, responses } = facts;
  const anchor = operationAnchors.credentials;
  const places: UnspecifiedPlace[] = [
    { anchor: operationAnchors.success, place: "", gaps: successUnspecified, sources: [] },
    { anchor, place: "", gaps: credentials.unspecified, sources: [] },
  ];
  const schemes = new Map(credentials.alternatives.flat().map(({ name, unspecified }) => [name, unspecified]));
  for (const [name, gaps] of schemes) places.push({ anchor, place: name, gaps, sources: [] });
  for (const { in: place, fields } of parameters) places.push(...fieldPlaces(fields, `${place} parameters`));
  for (const { field } of requestBody?.media ?? []) places.push(...fieldPlaces([field], "the request body"));
  for (const response of responses) places.push(...responsePlaces(response));
  return places.filter(({ gaps }) => gaps.length > 0);
}

function readParameters({ document, parameters }: Operation, direction: Direction): readonly ParameterModel[] {
  const places: ParameterModel[] = [];
  for (const [place, title] of Object.entries(placeTitles)) {
    const listed = parameters.filter((parameter) => parameter.in === place);
    const fields = listed.map((parameter) => parameterField(parameter, { document, direction, anchor: place }));
    if (fields.length > 0) places.push({ in: place, title, fields });
  }
  return places;
}

/** The places of parameters, in the order of pages and forms. */
export const placeTitles = { path: "Path parameters", query: "Query parameters", header: "Headers", cookie: "Cookies" };

function readBody(operation: Operation, direction: Direction): BodyModel | undefined {
  const { document, requestBody } = operation;
  if (requestBody === undefined) return undefined;
  const { required, description, content } = requestBody;
  const anchor = operationAnchors.body;
  const media = readMedia(content, { document, direction, anchor }, sentContent(operation));
  return { anchor, required, description, media };
}

/** By the response as written, and then by its status and direction. */
type ResponseModels = Map<Response["source"], Map<string, ResponseModel>>;

const knownResponses = new WeakMap<Generation, ResponseModels>();

/**
 * The model of a response, which all operations that refer to the same response share. Most responses are failures of
 * many operations: an API with 659 operations has 3,885 responses, and 475 different ones.
 */
function readResponse(
  generation: Generation,
  response: Response,
  { direction, isSampled }: { readonly direction: Direction; readonly isSampled: boolean },
): ResponseModel {
  const { document } = generation;
  const known = getOrCreate(knownResponses, generation, (): ResponseModels => new Map());
  const ofSource = getOrCreate(known, response.source, () => new Map<string, ResponseModel>());
  return getOrCreate(ofSource, `${response.status} ${direction} ${String(isSampled)}`, () => {
    const anchor = `response-${response.status}`;
    const options = { document, direction, anchor };
    return {
      ...response,
      anchor,
      headers: response.headers.map((header) => parameterField(header, { ...options, anchor: `${anchor}-header` })),
      media: readMedia(response.content, options, isSampled ? shownContent(response) : undefined),
    };
  });
}

/** The content whose examples are beside the samples. */
function shownContent({ content }: Response): MediaType | undefined {
  return jsonContent(content) ?? content[0];
}

function readMedia(
  content: readonly MediaType[],
  options: FieldOptions,
  sampled: MediaType | undefined,
): readonly MediaTypeModel[] {
  const { document } = options;
  const contentOf = (one: MediaType) => [one.schema, [...one.encoding], isBinaryContent(document, one)];
  const alike = groupBy(content, (one) => JSON.stringify(contentOf(one)));
  return [...alike.values()].flatMap((media, index) => {
    const [one] = media;
    if (one === undefined) return [];
    const mediaTypes = media.map(({ mediaType }) => mediaType);
    const anchor = index === 0 ? options.anchor : `${options.anchor}-${String(index + 1)}`;
    const field = schemaField(one.schema, { ...options, anchor });
    const examples = media.filter((other) => other !== sampled).flatMap((other) => other.examples);
    const exampleLinks = media.flatMap((other) => other.exampleLinks);
    if (isBinaryContent(document, one))
      return { mediaTypes, examples, exampleLinks, field: { ...field, type: fileType } };
    const fields = field.fields.map((part) => withMediaType(part, one.encoding.get(part.name)?.contentType));
    return { mediaTypes, examples, exampleLinks, field: { ...field, fields } };
  });
}

/** Adds the media types in a form's encoding to a field. */
function withMediaType(field: Field, mediaTypes: string | undefined): Field {
  if (mediaTypes === undefined) return field;
  const keyword = "contentMediaType";
  const others = field.constraints.filter((one) => one.keyword !== keyword);
  return { ...field, constraints: [...others, { keyword, words: `contains ${mediaTypes}` }] };
}

function responsePlaces(response: ResponseModel): readonly UnspecifiedPlace[] {
  const { anchor, status, unspecified, headers, media, source } = response;
  const place = isDefaultStatus(status) ? "default response" : `response ${status}`;
  return [
    { anchor, place, gaps: unspecified, sources: [source] },
    ...fieldPlaces([...headers, ...media.map(({ field }) => field)], place),
  ];
}

function fieldPlaces(fields: readonly Field[], place: string): readonly UnspecifiedPlace[] {
  return flattenFields(fields).map((field) => ({
    anchor: ownAnchor(field),
    place: field.name === "" ? place : `${field.name} in ${place}`,
    gaps: field.unspecified,
    sources: field.sources,
  }));
}

/** Pairs each example of the request with the response example of the same name, or else with the first one. */
function pairExamples(operation: Operation): readonly ExampleExchange[] {
  const responses = successResponses(operation).flatMap((response) => {
    const shown = shownContent(response)?.examples ?? [];
    return shown.map((example) => ({ ...example, status: response.status }));
  });
  const requests = sentContent(operation)?.examples ?? [];
  const pairs = requests.map((request) => ({
    request,
    response: responses.find(({ name }) => name === request.name) ?? responses[0],
  }));
  const shown = new Set(pairs.map(({ response }) => response));
  const rest = responses.filter((response) => !shown.has(response));
  return [...pairs, ...rest.map((response) => ({ request: undefined, response }))];
}
