import { jsonContent, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { jsonPointer, parseJson } from "../../scripts/values/json.ts";
import { essenceOf } from "../../scripts/spec/mediaTypes.ts";
import type { SchemaObject } from "../../scripts/spec/openapi.ts";
import { splitCookies } from "../../scripts/spec/headerFields.ts";
import { joinFields, type Exchange, type ExchangeMessage } from "../../scripts/exchange/exchange.ts";
import { fieldsOf, hasField } from "./cases.ts";

/** A part of the contract, and whether an exchange had it. */
export interface Part {
  readonly kind: (typeof partKinds)[number];
  /** The operation, and what of it. */
  readonly name: string;
  readonly isCovered: boolean;
}

export const partKinds = [
  ...["operation", "parameter", "request property", "response property"],
  ...["media type", "status"],
] as const;

/** Which parts of a generation some exchanges had. What a request had counts only if the request succeeded. */
export function coverageOf({ operations }: Generation, exchanges: readonly Exchange[]): readonly Part[] {
  return operations.flatMap((operation) => {
    const pattern = new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
    const own = exchanges.filter(
      ({ method, url }) => method === operation.method.toUpperCase() && pattern.test(new URL(url).pathname),
    );
    const accepted = own.filter(({ response }) => (response?.status ?? 500) < 300);
    const part = (kind: Part["kind"], name: string, isCovered: boolean): Part => {
      return { kind, name: `${operation.name} ${name}`, isCovered };
    };
    const sent = accepted.map(({ request }) => bodyOf(request));
    return [
      part("operation", "", accepted.length > 0),
      ...operation.parameters.map(({ in: place, name }) =>
        part(
          "parameter",
          `${place} ${name}`,
          accepted.some((exchange) => hasParameter(exchange, place, name)),
        ),
      ),
      ...propertiesOf(operation, jsonContent(operation.requestBody?.content)?.schema).map((keys) =>
        part(
          "request property",
          jsonPointer(keys),
          sent.some((body) => hasField(body, keys)),
        ),
      ),
      ...(operation.requestBody?.content ?? []).map(({ mediaType }) =>
        part(
          "media type",
          `request ${mediaType}`,
          accepted.some(({ request }) => typeOf(request) === essenceOf(mediaType)),
        ),
      ),
      ...operation.responses.flatMap(({ status, content }) => {
        const answered = own
          .flatMap(({ response }) => response ?? [])
          .filter((one) => isOf(operation, one.status, status));
        const received = answered.map((one) => bodyOf(one));
        return [
          part("status", status, answered.length > 0),
          ...content.map(({ mediaType }) =>
            // That of failures is not specified.
            part(
              "media type",
              `${status} ${mediaType}`,
              answered.some((one) => status === "default" || typeOf(one) === essenceOf(mediaType)),
            ),
          ),
          ...propertiesOf(operation, jsonContent(content)?.schema).map((keys) =>
            part(
              "response property",
              `${status} ${jsonPointer(keys)}`,
              received.some((body) => hasField(body, keys)),
            ),
          ),
        ];
      }),
    ];
  });
}

function propertiesOf(operation: Operation, schema: SchemaObject | undefined): readonly (readonly string[])[] {
  return fieldsOf(operation, schema).flatMap(({ keys }) => (keys.length === 0 ? [] : [keys]));
}

function isOf({ responses }: Operation, status: number, declared: string): boolean {
  if (declared !== "default") return String(status) === declared || `${String(status).charAt(0)}XX` === declared;
  return !responses.some((one) => one.status === String(status)) && status >= 400;
}

function hasParameter({ url, request }: Exchange, place: string, name: string): boolean {
  if (place === "query") return new URL(url).searchParams.has(name);
  const headers = joinFields(request.headers);
  if (place === "cookie") return splitCookies(headers["cookie"] ?? "").some((pair) => pair.startsWith(`${name}=`));
  return place === "path" || name.toLowerCase() in headers;
}

function typeOf({ headers }: ExchangeMessage): string {
  return essenceOf(headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "");
}

function bodyOf({ body }: ExchangeMessage): unknown {
  return body && parseJson(Buffer.from(body).toString());
}
