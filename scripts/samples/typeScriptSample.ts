import { createQuerySerializer, fillPath, serializeCookies } from "../client/serialize.ts";
import { attempt } from "../contract/failures.ts";
import { groupBy } from "../values/collections.ts";
import { membersOf } from "../values/json.ts";
import { percentEncode } from "../values/percentEncoding.ts";
import { formParts, parameterText, type SentParameter } from "./parameterText.ts";
import { valueWithFiles } from "./sampleFiles.ts";
import {
  urlencoded,
  writeRequest,
  type SampleOptions,
  type SampleRequest,
  type SampleText,
  type WrittenBody,
} from "./writeRequest.ts";
import { bodyText, formLines, importWriteFile, saveText } from "./fetchSample.ts";
import {
  callText,
  indent,
  literal,
  literalAt,
  longestSampleLine,
  memberAccess,
  type LinePlace,
} from "./javaScriptText.ts";

type Options = Readonly<Record<string, string>>;

/**
 * A program that uses the client. It sets the serialization of values where that differs from the client's
 * default.
 */
export function typeScriptSample(request: SampleRequest, options: SampleOptions): SampleText {
  const { module, clientHeaders, answer, saved } = options;
  const { method, path } = request;
  const { url, body } = writeRequest({ ...request, credentials: [] });
  const { target, query } = splitQuery(url);
  const { cookie = {}, ...others } = parametersByPlace(request, clientHeaders);
  const ownCookies = cookieText(request, cookie);
  const params = Object.keys(cookie).length > 0 && ownCookies === "" ? { ...others, cookie } : others;
  const init: Record<string, string> =
    Object.keys(params).length > 0 ? { params: literalAt(placeOf("params"), params) } : {};
  Object.assign(init, headerOptions(request, body, options, ownCookies));
  Object.assign(init, pathOptions(request, params["path"] ?? {}, target));
  Object.assign(init, queryOptions(params["query"] ?? {}, query));
  const bodyInit = bodyOptions(request, body, options);
  Object.assign(init, bodyInit);
  // Bodies that the client reads neither as JSON nor as text, such as XML.
  if (answer === "text" && !options.isReadAsText) init["parseAs"] = '"text"';
  const place = { line: longestSampleLine - 2, taken: 1 };
  const call = callText({ name: `client${memberAccess(method)}`, value: path, options: init, place });
  const isLong = call.includes("\n") || call.length > longestSampleLine - "const data = await unwrap();".length;
  const unwrapped = `await unwrap(${isLong ? `\n${indent(call)},\n` : call});`;
  const imports = [...(saved === undefined ? [] : [importWriteFile]), importText(module)];
  const form = "bodySerializer" in bodyInit ? formLines(body) : [];
  const use = saved === undefined ? "console.log(data);" : saveText(saved, "data");
  return {
    setup: [...imports, "", clientText(request), "", ...form, ""].join("\n"),
    call: answer === "none" ? unwrapped : `const data = ${unwrapped}\n${use}`,
  };
}

/** The place of a member in the call's options. */
function placeOf(name: string): LinePlace {
  return { line: longestSampleLine - 6, taken: `${name}: ,`.length };
}

/** Splits a URL before its query. The query is "" if there is none. */
function splitQuery(url: string) {
  const index = url.indexOf("?");
  return index === -1 ? { target: url, query: "" } : { target: url.slice(0, index), query: url.slice(index + 1) };
}

function importText(module: string): string {
  const line = `import { createClient, unwrap } from ${literal(module)};`;
  if (line.length <= longestSampleLine) return line;
  return `import {\n  createClient,\n  unwrap,\n} from ${literal(module)};`;
}

function clientText({ server, credentials }: SampleRequest): string {
  const auth = Object.fromEntries(credentials.map(({ name, example }) => [name, example]));
  const options = { baseUrl: server, ...(credentials.length > 0 && { auth }) };
  const place = { line: longestSampleLine, taken: "const client = createClient();".length };
  return `const client = createClient(${literalAt(place, options)});`;
}

/** The values of parameters by place and name, without the headers that the client sets. */
export function parametersByPlace(
  { parameters }: Pick<SampleRequest, "parameters">,
  clientHeaders: readonly string[],
): Record<string, Record<string, unknown>> {
  const sent = parameters.filter(({ in: place, name }) => place !== "header" || !clientHeaders.includes(name));
  const byPlace = [...groupBy(sent, (parameter) => parameter.in)];
  const valuesOf = (own: readonly SentParameter[]) => own.map((parameter) => [parameter.name, parameter.value]);
  return Object.fromEntries(byPlace.map(([place, own]) => [place, Object.fromEntries(valuesOf(own))]));
}

/** The cookie parameters as a header. "" if the client writes the same. */
function cookieText({ parameters }: SampleRequest, values: Record<string, unknown>): string {
  const cookies = parameters.filter((parameter) => parameter.in === "cookie").map(parameterText);
  const text = cookies.join("; ");
  return attempt(() => serializeCookies(values)) === text ? "" : text;
}

/** The client sets the contract's media type for bodies. */
function headerOptions(
  { contentType }: SampleRequest,
  body: WrittenBody | undefined,
  { clientHeaders, contentType: usual }: SampleOptions,
  cookies: string,
): Options {
  const isTypedFile = body?.kind === "file" && usual.includes("*");
  const isUsual = contentType === usual || body?.kind === "multipart" || isTypedFile;
  const headers = {
    ...(cookies !== "" && { Cookie: cookies }),
    ...(body !== undefined && !isUsual && !clientHeaders.includes("Content-Type") && { "Content-Type": contentType }),
  };
  return Object.keys(headers).length > 0 ? { headers: literalAt(placeOf("headers"), headers) } : {};
}

function pathOptions({ server, path }: SampleRequest, values: Record<string, unknown>, target: string): Options {
  const usual = attempt(() => server + fillPath(path, values));
  return usual === undefined || usual === target ? {} : { pathSerializer: `() => ${literal(target)}` };
}

function queryOptions(values: Record<string, unknown>, query: string): Options {
  const usual = attempt(() => encodeMarks(createQuerySerializer()(values)));
  return usual === query ? {} : { querySerializer: `() => ${literal(query)}` };
}

/** Encodes characters that the client's serializer leaves unencoded. */
function encodeMarks(query: string): string {
  return ["[", "]", "|"].reduce((text, mark) => text.replaceAll(mark, percentEncode), query);
}

/** The client writes JSON, texts, files, and forms whose parts have the default style. */
function bodyOptions(
  { contentType, body: value, files }: SampleRequest,
  body: WrittenBody | undefined,
  { contentType: usual }: SampleOptions,
): Options {
  if (body === undefined) return {};
  const texts = membersOf(value).map(([name, field]) => [name, String(field)] as const);
  const plainParts = formParts(value, files);
  const hasPlainParts = body.kind === "multipart" && JSON.stringify(body.fields) === JSON.stringify(plainParts);
  const isPlainForm = body.kind === "urlencoded" && String(urlencoded(texts)) === String(urlencoded(body.fields));
  const isSame = contentType === usual || (body.kind === "file" && usual.includes("*"));
  const isUsual =
    body.kind === "json" || (isSame && (body.kind === "file" || body.kind === "text" || isPlainForm || hasPlainParts));
  const serializer = body.kind === "text" ? "(body) => body" : `() => ${bodyText(body, placeOf("bodySerializer"))}`;
  return { body: valueWithFiles(value, files, placeOf("body")), ...(!isUsual && { bodySerializer: serializer }) };
}
