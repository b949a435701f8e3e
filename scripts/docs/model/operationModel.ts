import { sentContent } from "../../samples/exampleRequest.ts";
import { jsonContent, successResponses } from "../../contract/generation.ts";
import type { Example, Generation, MediaType, Operation, Response } from "../../contract/generation.ts";
import { neededCredentials } from "../../contract/security.ts";
import { flattenFields, ownAnchor, parameterField, schemaField, type Field, type FieldOptions } from "./fields.ts";
import type { Direction } from "../../spec/schemas.ts";

/** Facts on the page of an operation. */
export type OperationModel = ReturnType<typeof readOperationModel>;
export type BodyModel = NonNullable<OperationModel["requestBody"]>;
export type ResponseModel = ReturnType<typeof readResponse>;
export type MediaTypeModel = ReturnType<typeof readMedia>[number];

/** An example of a request, and one of the response to it. */
export interface ExampleExchange {
  readonly request: Example | undefined;
  readonly response: (Example & { readonly status: string }) | undefined;
}

/** The ids of the parts of an operation's page, other than its fields. */
export const operationAnchors = { credentials: "credentials", success: "success", body: "request-body" } as const;

/** The names of the schemas that an operation's bodies consist of; if wanted, of those of which its page shows all. */
export function namedSchemas({ requestBody, responses }: OperationModel, { isWhole = false } = {}): readonly string[] {
  const media = [requestBody?.media ?? [], ...responses.map((response) => response.media)].flat();
  const fields = flattenFields(media.map(({ field }) => field)).filter(({ isCut }) => !isWhole || !isCut);
  return [...new Set(fields.flatMap(({ type }) => type.flatMap(({ schema }) => schema ?? [])))];
}

/** Gathers what the contract says of an operation or a webhook. */
export function readOperationModel(generation: Generation, operation: Operation) {
  const isWebhook = generation.webhooks.includes(operation);
  // A webhook's request is what readers receive, and they write the response.
  const requestDirection: Direction = isWebhook ? "response" : "request";
  const responseDirection: Direction = isWebhook ? "request" : "response";
  const parameters = readParameters(operation, requestDirection);
  const requestBody = readBody(operation, requestDirection);
  const responses = operation.responses.map((response) => readResponse(operation, response, responseDirection));
  const credentials = neededCredentials(operation);
  const anchor = operationAnchors.credentials;
  const successUnspecified = operation.unspecified.filter((gap) => gap === "success status code");
  const otherUnspecified = operation.unspecified.filter((gap) => gap !== "success status code");
  return {
    operation,
    isWebhook,
    /** `unspecified` is without what the security schemes say of themselves. */
    credentials: { ...credentials, unspecified: otherUnspecified },
    /** The status code of its success, or several, or ranges: `2XX`. */
    success: successResponses(operation).map(({ status }) => status),
    successUnspecified,
    parameters,
    requestBody,
    responses,
    /**
     * The places on its page at which something is not specified, in their order, with the objects of the description
     * that say so: none for the operation itself, which has no words for its place, and for its security schemes.
     */
    unspecified: [
      { anchor: operationAnchors.success, place: "", gaps: successUnspecified, sources: [] },
      { anchor, place: "", gaps: otherUnspecified, sources: [] },
      ...[...new Set(credentials.alternatives.flat())].map((scheme) => {
        return { anchor, place: scheme.name, gaps: scheme.unspecified, sources: [] };
      }),
      ...parameters.flatMap(({ in: place, fields }) => fieldPlaces(fields, `${place} parameters`)),
      ...fieldPlaces(requestBody?.media.map(({ field }) => field) ?? [], "the request body"),
      ...responses.flatMap(responsePlaces),
    ].filter(({ gaps }) => gaps.length > 0),
    examples: pairExamples(operation),
  };
}

function readParameters({ document, parameters }: Operation, direction: Direction) {
  return Object.entries(placeTitles).flatMap(([place, title]) => {
    const listed = parameters.filter((parameter) => parameter.in === place);
    const fields = listed.map((parameter) => parameterField(parameter, { document, direction, anchor: place }));
    return fields.length === 0 ? [] : [{ in: place, title, fields }];
  });
}

/** The places of parameters, in the order in which pages and forms have them. */
export const placeTitles = { path: "Path parameters", query: "Query parameters", header: "Headers", cookie: "Cookies" };

function readBody({ document, requestBody }: Operation, direction: Direction) {
  if (requestBody === undefined) return undefined;
  const { required, description, content } = requestBody;
  const anchor = operationAnchors.body;
  return { anchor, required, description, media: readMedia(content, { document, direction, anchor }) };
}

function readResponse({ document }: Operation, response: Response, direction: Direction) {
  const anchor = `response-${response.status}`;
  const options = { document, direction, anchor };
  return {
    ...response,
    anchor,
    headers: response.headers.map((header) => parameterField(header, { ...options, anchor: `${anchor}-header` })),
    media: readMedia(response.content, options),
  };
}

function readMedia(content: readonly MediaType[], options: FieldOptions) {
  return content.map(({ mediaType, schema }, index) => {
    const anchor = index === 0 ? options.anchor : `${options.anchor}-${String(index + 1)}`;
    return { mediaType, field: schemaField(schema, { ...options, anchor }) };
  });
}

function responsePlaces({ anchor, status, unspecified, headers, media, source }: ResponseModel) {
  const place = status === "default" ? "default response" : `response ${status}`;
  return [
    { anchor, place, gaps: unspecified, sources: [source] },
    ...fieldPlaces([...headers, ...media.map(({ field }) => field)], place),
  ];
}

function fieldPlaces(fields: readonly Field[], place: string) {
  return flattenFields(fields).map((field) => ({
    anchor: ownAnchor(field),
    place: field.name === "" ? place : `${field.name} in ${place}`,
    gaps: field.unspecified,
    sources: field.sources,
  }));
}

/** Puts each example of the request next to the response of the same name, or else to the first one. */
function pairExamples(operation: Operation): readonly ExampleExchange[] {
  const responses = successResponses(operation).flatMap(({ status, content }) => {
    const media = jsonContent(content) ?? content[0];
    // An example without a value is in a file elsewhere.
    const shown = media?.examples.filter(({ value }) => value !== undefined) ?? [];
    return shown.map((example) => ({ ...example, status }));
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
