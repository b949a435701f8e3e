/* From the values of a request to what HTTP carries, for pages too: nothing here needs Node. */
import type { Encoding } from "../contract/generation.ts";
import { essenceOf, isForm, isJson } from "../spec/mediaTypes.ts";
import { chosenFile, formFields, formParts, pairText, parameterText, toText } from "./parameterText.ts";
import type { FormPart, SentParameter } from "./parameterText.ts";
import type { SampleFile, SampleFiles } from "./sampleFiles.ts";
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
  /** What in the body is a file: its value there is its content, as text or as a Blob. */
  readonly files: SampleFiles;
}

/** Options for a sample besides its request: plain data, which can be kept as JSON. */
export interface SampleOptions {
  /** Module that the client is imported from: `<package>/<generation>`. */
  readonly module: string;
  /** The headers that the client sends by itself, as they have only one value. */
  readonly clientHeaders: readonly string[];
  /** The media type that the client gives bodies by itself. */
  readonly contentType: string;
  /** Kind of body of a successful response. It is unknown where the contract leaves it open, even if it is JSON. */
  readonly answer: "json" | "text" | "file" | "none" | "unknown";
  /** The file that a response is saved as; `undefined` if its body is none. */
  readonly saved: SampleFile | undefined;
  /** True if the client reads a text by itself. */
  readonly isReadAsText: boolean;
}

/** A sample as text: its call, and what has to stand before that. */
export interface SampleText {
  readonly setup: string;
  readonly call: string;
}

/** A request as HTTP carries it. */
export interface WrittenRequest {
  readonly method: string;
  readonly url: string;
  /** Values by name; the `Content-Type` of a form is left to what writes the form. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WrittenBody | undefined;
}

/** The content of a request by how it is written. */
export type WrittenBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "urlencoded" | "multipart"; readonly fields: readonly FormPart[] }
  | { readonly kind: "file"; readonly content: string | Blob; readonly file: SampleFile }
  | { readonly kind: "text"; readonly text: string };

/** Writes parameters in their styles, credentials in their places, and forms as fields. */
export function writeRequest(request: SampleRequest): WrittenRequest {
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
  body: WrittenBody | undefined,
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

/** The fields of a form as application/x-www-form-urlencoded has them (URL Standard, section 5.2). */
export function urlencoded(fields: readonly FormPart[]): URLSearchParams {
  return new URLSearchParams(fields.map(([name, value]) => [name, toText(value)]));
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

function contentOf({ contentType, body, encoding, files }: SampleRequest): WrittenBody | undefined {
  if (contentType === undefined || body === undefined) return undefined;
  const whole = files[""];
  if (whole !== undefined) {
    const [content, file] = chosenFile(body, whole);
    return { kind: "file", content, file };
  }
  if (isJson(contentType)) return { kind: "json", value: body };
  if (!isForm(essenceOf(contentType))) return { kind: "text", text: toText(body) };
  return essenceOf(contentType) === "multipart/form-data"
    ? { kind: "multipart", fields: formParts(body, encoding, files) }
    : { kind: "urlencoded", fields: formFields(body, encoding) };
}
