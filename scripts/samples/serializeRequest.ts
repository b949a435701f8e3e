/* Turns the values of a request into HTTP. Nothing here needs Node, because pages use it too. */
import { essenceOf, isForm, isJson } from "../spec/mediaTypes.ts";
import {
  chosenFile,
  formFields,
  formParts,
  pairText,
  parameterText,
  toText,
  type FormPart,
  type SentParameter,
} from "./parameterText.ts";
import type { SampleFile, SampleFiles } from "./sampleFiles.ts";
import { writeCredentials, type SentCredential } from "../contract/security.ts";

/** The values of a request to an operation, as plain data that can be stored as JSON. */
export interface SampleRequest {
  /** In upper case, as in HTTP. */
  readonly method: string;
  /** The server's URL, without a trailing slash. */
  readonly server: string;
  readonly path: string;
  readonly parameters: readonly SentParameter[];
  readonly credentials: readonly SentCredential[];
  readonly contentType: string | undefined;
  readonly body: unknown;
  /** The files in the body. Their values there are their contents, as text or as a Blob. */
  readonly files: SampleFiles;
}

/** Options of a sample besides its request, as plain data that can be stored as JSON. */
export interface SampleOptions {
  /** The import path of the client: `<package>/<generation>`. */
  readonly module: string;
  /** The headers that the client sets, because they have only one value. */
  readonly clientHeaders: readonly string[];
  /** The media type that the client sets for bodies. */
  readonly contentType: string;
  /** The kind of a successful response's body. `unknown` if the contract leaves it open, even if it is JSON. */
  readonly answer: "json" | "text" | "file" | "none" | "unknown";
  /** The file that a response is saved to. `undefined` if its body isn't a file. */
  readonly saved: SampleFile | undefined;
  /** True if the client reads a text by default. */
  readonly isReadAsText: boolean;
}

/** A sample as text: its call, and the code before it. */
export interface SampleText {
  readonly setup: string;
  readonly call: string;
}

/** A request in HTTP. */
export interface SerializedRequest {
  readonly method: string;
  readonly url: string;
  /** Values by name, without the `Content-Type` of a form, which the form's serializer sets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SerializedBody | undefined;
}

/**
 * Whether a server that the request is redirected to would get something that isn't in the new URL. Samples don't follow
 * then, as curl doesn't, because it may be confidential.
 */
export function isForOneServer({ headers, body }: SerializedRequest): boolean {
  return Object.keys(headers).length > 0 || body !== undefined;
}

/** The body of a request, by format. */
export type SerializedBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "urlencoded" | "multipart"; readonly fields: readonly FormPart[] }
  | { readonly kind: "file"; readonly content: string | Blob; readonly file: SampleFile }
  | { readonly kind: "text"; readonly text: string };

/** Serializes parameters, puts credentials into their places, and forms into fields. */
export function serializeRequest(request: SampleRequest): SerializedRequest {
  const { method, parameters } = request;
  const credentials = writeCredentials(request.credentials);
  const query = parameters.filter((parameter) => parameter.in === "query").map(parameterText);
  query.push(...credentials.query.map(pairText));
  const search = query.filter((part) => part !== "").join("&");
  const body = contentOf(request);
  return {
    method,
    url: request.server + filledPath(request) + (search === "" ? "" : `?${search}`),
    headers: writeHeaders(request, credentials, body),
    body,
  };
}

function filledPath({ path, parameters }: SampleRequest): string {
  let filled = path;
  for (const parameter of parameters) {
    if (parameter.in === "path") filled = filled.replaceAll(`{${parameter.name}}`, () => parameterText(parameter));
  }
  return filled;
}

function writeHeaders(
  { parameters, contentType }: SampleRequest,
  credentials: ReturnType<typeof writeCredentials>,
  body: SerializedBody | undefined,
): Record<string, string> {
  const headers = new Map<string, string>();
  for (const parameter of parameters)
    if (parameter.in === "header") headers.set(parameter.name, parameterText(parameter));
  for (const [name, value] of credentials.headers) headers.set(name, value);
  const cookies = parameters.filter((parameter) => parameter.in === "cookie").map(parameterText);
  cookies.push(...credentials.cookies.map((pair) => pair.join("=")));
  if (cookies.length > 0) headers.set("Cookie", cookies.join("; "));
  const hasType = body?.kind === "json" || body?.kind === "text" || body?.kind === "file";
  if (hasType && contentType !== undefined) headers.set("Content-Type", contentType);
  return Object.fromEntries(headers);
}

/** The fields of a form as application/x-www-form-urlencoded (URL Standard, section 5.2). */
export function urlencoded(fields: readonly FormPart[]): URLSearchParams {
  return new URLSearchParams(fields.map(([name, value]) => [name, toText(value)]));
}

/** A body in the form that `fetch` accepts. */
export function bodyInit(body: SerializedBody): BodyInit {
  switch (body.kind) {
    case "json":
      return JSON.stringify(body.value);
    case "text":
      return body.text;
    case "urlencoded":
      return urlencoded(body.fields);
    case "multipart": {
      const form = new FormData();
      for (const [name, content, file] of body.fields) {
        if (file === undefined) form.append(name, content);
        else form.append(name, new Blob([content], { type: file.mediaType }), file.name);
      }
      return form;
    }
    case "file":
      return body.content;
  }
}

function contentOf({ contentType, body, files }: SampleRequest): SerializedBody | undefined {
  if (contentType === undefined || body === undefined) return undefined;
  const whole = files[""];
  if (whole !== undefined) {
    const [content, file] = chosenFile(body, whole);
    return { kind: "file", content, file };
  }
  if (isJson(contentType)) return { kind: "json", value: body };
  if (!isForm(essenceOf(contentType))) return { kind: "text", text: toText(body) };
  return essenceOf(contentType) === "multipart/form-data"
    ? { kind: "multipart", fields: formParts(body, files) }
    : { kind: "urlencoded", fields: formFields(body) };
}
