/* From the values of a request to what HTTP carries, for pages too: nothing here needs Node. */
import type { Encoding } from "../contract/generation.ts";
import { essenceOf, isForm, isJson } from "../spec/mediaTypes.ts";
import { formFields, pairText, parameterText, toText, type Pair, type SentParameter } from "./parameterText.ts";
import { writeCredentials, type SentCredential } from "../contract/security.ts";

/** A request to an operation by its values: plain data, which can be kept as JSON. */
export interface SampleRequest {
  /** In capitals, as in HTTP. */
  readonly method: string;
  /** The server's URL, without a slash at its end. */
  readonly server: string;
  readonly path: string;
  readonly parameters: readonly SentParameter[];
  readonly credentials: readonly SentCredential[];
  readonly contentType: string | undefined;
  readonly body: unknown;
  readonly encoding: Readonly<Record<string, Encoding>>;
}

/** Options for a sample besides its request: plain data, which can be kept as JSON. */
export interface SampleOptions {
  /** Module that the client is imported from: `<package>/<generation>`. */
  readonly module: string;
  /** The headers that the client sends by itself, as they have only one value. */
  readonly clientHeaders: readonly string[];
  /** Kind of body of a successful response. It is unknown where the contract leaves it open, even if it is JSON. */
  readonly answer: "json" | "text" | "bytes" | "none" | "unknown";
}

/** A request as HTTP carries it. */
export type WrittenRequest = ReturnType<typeof writeRequest>;

/** The content of a request by how it is written. */
export type WrittenBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "urlencoded" | "multipart"; readonly fields: readonly Pair[] }
  | { readonly kind: "text"; readonly text: string };

/** Writes parameters in their styles, credentials in their places, and forms as fields. */
export function writeRequest(request: SampleRequest) {
  const { method, server, path, parameters, contentType } = request;
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const credentials = writeCredentials(request.credentials);
  const filled = inPlace("path").reduce(
    (text, parameter) => text.replaceAll(`{${parameter.name}}`, () => parameterText(parameter)),
    path,
  );
  const query = [...inPlace("query").map(parameterText), ...credentials.query.map(pairText)].filter(Boolean);
  const headers = inPlace("header").map((parameter) => [parameter.name, parameterText(parameter)] as const);
  const cookies = [...inPlace("cookie").map(parameterText), ...credentials.cookies.map((pair) => pair.join("="))];
  const body = contentOf(request);
  // The Content-Type of a form is left to what writes the form.
  const hasType = body?.kind === "json" || body?.kind === "text";
  return {
    method,
    url: server + filled + (query.length > 0 ? `?${query.join("&")}` : ""),
    headers: {
      ...Object.fromEntries([...headers, ...credentials.headers]),
      ...(cookies.length > 0 && { Cookie: cookies.join("; ") }),
      ...(hasType && contentType !== undefined && { "Content-Type": contentType }),
    },
    body,
  };
}

/** The fields of a form as application/x-www-form-urlencoded has them (URL Standard, section 5.2). */
export function urlencoded(fields: readonly Pair[]): URLSearchParams {
  return new URLSearchParams(fields.map(([name, value]) => [name, value]));
}

/** Content as `fetch` takes it. */
export function bodyInit(body: WrittenBody): BodyInit {
  switch (body.kind) {
    case "json":
      return JSON.stringify(body.value);
    case "text":
      return body.text;
    case "urlencoded":
      return urlencoded(body.fields);
    case "multipart": {
      const form = new FormData();
      for (const [name, value] of body.fields) form.append(name, value);
      return form;
    }
  }
}

function contentOf({ contentType, body, encoding }: SampleRequest): WrittenBody | undefined {
  if (contentType === undefined || body === undefined) return undefined;
  if (isJson(contentType)) return { kind: "json", value: body };
  if (!isForm(essenceOf(contentType))) return { kind: "text", text: toText(body) };
  const kind = essenceOf(contentType) === "multipart/form-data" ? "multipart" : "urlencoded";
  return { kind, fields: formFields(body, encoding) };
}
