import { successResponses } from "../../contract/generation.ts";
import type { Properties, ReadOperation } from "../../contract/resources.ts";
import type { Headers } from "../../exchange/exchange.ts";
import { responseValidator } from "../../exchange/validator.ts";
import { fillTemplate, isSegment, pathParameters } from "../../spec/pathTemplate.ts";
import { percentEncode } from "../../values/percentEncoding.ts";
import type { RequestedEffect } from "./resourceEffects.ts";

/**
 * The headers of a 201, with the path of the created resource as their Location (RFC 9110, section 15.3.2). They keep the
 * example's if no operation reads the resource, or if the contract doesn't allow its path there.
 */
export function withLocation(effect: RequestedEffect, headers: Headers, created: Properties = {}): Headers {
  const { operation, resource } = effect;
  if (headers["location"] === undefined) return headers;
  const { headers: declared = [] } = successResponses(operation).find(({ status }) => status === "201") ?? {};
  const { schema = {} } = declared.find(({ name }) => name.toLowerCase() === "location") ?? {};
  const isValid = responseValidator(schema, operation.document);
  // Other generations may have the resource too.
  const isOwn = ({ operation: { document } }: ReadOperation) => document === operation.document;
  const paths = resource.type.reads.filter(isOwn).map((read) => pathOf(read, effect, created));
  const location = paths.find((path) => path !== undefined && isValid(path));
  return location === undefined ? headers : { ...headers, location };
}

/** The path at which an operation reads a resource. `undefined` if the path has parameters without a known value. */
function pathOf({ operation, key }: ReadOperation, { request }: RequestedEffect, created: Properties) {
  const valueOf = (name: string) =>
    name === key.parameter ? created[key.property] : (request.path[name] ?? created[name]);
  const isFilled = pathParameters(operation.path).every((name) => isSegment(valueOf(name)));
  return isFilled ? fillTemplate(operation.path, (name) => percentEncode(String(valueOf(name)))) : undefined;
}
