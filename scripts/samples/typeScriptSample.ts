import { createQuerySerializer, fillPath } from "../client/serialize.ts";
import { attempt } from "../contract/failures.ts";
import { groupBy } from "../contract/text.ts";
import { membersOf } from "../spec/json.ts";
import { percentEncode } from "../spec/percentEncoding.ts";
import { formParts, parameterText, styledValue, type SentParameter } from "./parameterText.ts";
import { valueWithFiles } from "./sampleFiles.ts";
import { urlencoded, writeRequest, type WrittenBody, type SampleRequest, type SampleOptions } from "./writeRequest.ts";
import { bodyText, formLines, importWriteFile, saveText } from "./fetchSample.ts";
import { callText, indent, literal, longestLine } from "./javaScriptText.ts";

type Options = Readonly<Record<string, string>>;

/** A program that uses the client, and says how values are written where the client's own style is another. */
export function typeScriptSample(request: SampleRequest, options: SampleOptions): string {
  const { module, clientHeaders, answer, saved } = options;
  const { method, path } = request;
  const { url, body } = writeRequest({ ...request, credentials: [] });
  const { target, query } = splitQuery(url);
  const params = parametersByPlace(request, clientHeaders);
  const init: Record<string, string> = Object.keys(params).length > 0 ? { params: literal(params) } : {};
  Object.assign(init, headerOptions(request, body, options));
  Object.assign(init, pathOptions(request, params["path"] ?? {}, target));
  Object.assign(init, queryOptions(params["query"] ?? {}, query));
  const bodyInit = bodyOptions(request, body, options);
  Object.assign(init, bodyInit);
  // What is neither JSON nor text for the client, such as XML.
  if (answer === "text" && !options.isReadAsText) init["parseAs"] = '"text"';
  const call = callText(`client.${method}`, path, init);
  const isLong = call.includes("\n") || call.length > longestLine - "const data = await unwrap();".length;
  const unwrapped = `await unwrap(${isLong ? `\n${indent(call)},\n` : call});`;
  return [
    ...(saved === undefined ? [] : [importWriteFile]),
    importText(module),
    "",
    clientText(request),
    "",
    ...("bodySerializer" in bodyInit ? formLines(body) : []),
    ...(answer === "none" ? [unwrapped] : [`const data = ${unwrapped}`]),
    ...(answer === "none" ? [] : [saved === undefined ? "console.log(data);" : saveText(saved, "data")]),
  ].join("\n");
}

/** A URL up to its query, and the query; "" if it has none. */
function splitQuery(url: string) {
  const index = url.indexOf("?");
  return index === -1 ? { target: url, query: "" } : { target: url.slice(0, index), query: url.slice(index + 1) };
}

function importText(module: string): string {
  const line = `import { createClient, unwrap } from ${literal(module)};`;
  if (line.length <= longestLine) return line;
  return `import {\n  createClient,\n  unwrap,\n} from ${literal(module)};`;
}

function clientText({ server, credentials }: SampleRequest): string {
  const auth = Object.fromEntries(credentials.map(({ name, example }) => [name, example]));
  return `const client = createClient(${literal({ baseUrl: server, ...(credentials.length > 0 && { auth }) })});`;
}

/** The values of parameters by place and name, without the headers that the client sends. */
export function parametersByPlace(
  { parameters }: Pick<SampleRequest, "parameters">,
  clientHeaders: readonly string[],
): Record<string, Record<string, unknown>> {
  const sent = parameters.filter(({ in: place, name }) => place !== "header" || !clientHeaders.includes(name));
  const byPlace = [...groupBy(sent, (parameter) => parameter.in)];
  const valuesOf = (own: readonly SentParameter[]) => own.map((parameter) => [parameter.name, styledValue(parameter)]);
  return Object.fromEntries(byPlace.map(([place, own]) => [place, Object.fromEntries(valuesOf(own))]));
}

/** The client sends no cookies but those of credentials, and gives a body the media type of the contract. */
function headerOptions(
  { parameters, contentType }: SampleRequest,
  body: WrittenBody | undefined,
  { clientHeaders, contentType: usual }: SampleOptions,
): Options {
  const cookies = parameters.filter((parameter) => parameter.in === "cookie").map(parameterText);
  const isTypedFile = body?.kind === "file" && usual.includes("*");
  const isUsual = contentType === usual || body?.kind === "multipart" || isTypedFile;
  const headers = {
    ...(cookies.length > 0 && { Cookie: cookies.join("; ") }),
    ...(body !== undefined && !isUsual && !clientHeaders.includes("Content-Type") && { "Content-Type": contentType }),
  };
  return Object.keys(headers).length > 0 ? { headers: literal(headers) } : {};
}

function pathOptions({ server, path }: SampleRequest, values: Record<string, unknown>, target: string): Options {
  const usual = attempt(() => server + fillPath(path, values));
  return usual === undefined || usual === target ? {} : { pathSerializer: `() => ${literal(target)}` };
}

function queryOptions(values: Record<string, unknown>, query: string): Options {
  const usual = attempt(() => encodeMarks(createQuerySerializer()(values)));
  return usual === query ? {} : { querySerializer: `() => ${literal(query)}` };
}

/** Encodes what the client's serializer leaves as it is, and samples do not. */
function encodeMarks(query: string): string {
  return ["[", "]", "|"].reduce((text, mark) => text.replaceAll(mark, percentEncode), query);
}

/** The client writes JSON, texts, files, and forms whose parts have no style of their own. */
function bodyOptions(
  { contentType, body: value, files }: SampleRequest,
  body: WrittenBody | undefined,
  { contentType: usual }: SampleOptions,
): Options {
  if (body === undefined) return {};
  const texts = membersOf(value).map(([name, field]) => [name, String(field)] as const);
  const plainParts = formParts(value, {}, files);
  const hasPlainParts = body.kind === "multipart" && JSON.stringify(body.fields) === JSON.stringify(plainParts);
  const isPlainForm = body.kind === "urlencoded" && String(urlencoded(texts)) === String(urlencoded(body.fields));
  const isSame = contentType === usual || (body.kind === "file" && usual.includes("*"));
  const isUsual =
    body.kind === "json" || (isSame && (body.kind === "file" || body.kind === "text" || isPlainForm || hasPlainParts));
  const serializer = body.kind === "text" ? "(body) => body" : `() => ${bodyText(body)}`;
  return { body: valueWithFiles(value, files), ...(!isUsual && { bodySerializer: serializer }) };
}
