import { groupBy } from "../values/collections.ts";
import type { SentParameter } from "./parameterText.ts";
import { valueWithFiles } from "./sampleFiles.ts";
import {
  serializeRequest,
  type SampleOptions,
  type SampleRequest,
  type SampleText,
  type SerializedBody,
} from "./serializeRequest.ts";
import { importWriteFile, saveText } from "./fetchSample.ts";
import {
  callText,
  indent,
  literal,
  literalAt,
  maxSampleLineLength,
  memberAccess,
  type LinePlace,
} from "./javaScriptText.ts";

type Options = Readonly<Record<string, string>>;

/** A program that uses the client, which serializes all values as the other samples do. */
export function typeScriptSample(request: SampleRequest, options: SampleOptions): SampleText {
  const { module, clientHeaders, answer, saved } = options;
  const { method, path } = request;
  const { body } = serializeRequest(request);
  const params = parametersByPlace(request, clientHeaders);
  const init: Record<string, string> =
    Object.keys(params).length > 0 ? { params: literalAt(placeOf("params"), params) } : {};
  Object.assign(init, headerOptions(request, body, options));
  if (body !== undefined) init["body"] = valueWithFiles(request.body, request.files, placeOf("body"));
  // Bodies that the client reads neither as JSON nor as text, such as XML.
  if (answer === "text" && !options.isReadAsText) init["parseAs"] = '"text"';
  const place = { line: maxSampleLineLength - 2, taken: 1 };
  const call = callText({ name: `client${memberAccess(method)}`, value: path, options: init, place });
  const isLong = call.includes("\n") || call.length > maxSampleLineLength - "const data = await unwrap();".length;
  const unwrapped = `await unwrap(${isLong ? `\n${indent(call)},\n` : call});`;
  const imports = [...(saved === undefined ? [] : [importWriteFile]), importText(module)];
  const use = saved === undefined ? "console.log(data);" : saveText(saved, "data");
  return {
    setup: [...imports, "", clientText(request), "", ""].join("\n"),
    call: answer === "none" ? unwrapped : `const data = ${unwrapped}\n${use}`,
  };
}

/** The place of a member in the call's options. */
function placeOf(name: string): LinePlace {
  return { line: maxSampleLineLength - 6, taken: `${name}: ,`.length };
}

function importText(module: string): string {
  const line = `import { createClient, unwrap } from ${literal(module)};`;
  if (line.length <= maxSampleLineLength) return line;
  return `import {\n  createClient,\n  unwrap,\n} from ${literal(module)};`;
}

function clientText({ server, credentials }: SampleRequest): string {
  const auth = Object.fromEntries(credentials.map(({ name, example }) => [name, example]));
  const options = { baseUrl: server, ...(credentials.length > 0 && { auth }) };
  const place = { line: maxSampleLineLength, taken: "const client = createClient();".length };
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

/** The client sets the contract's media type for bodies. */
function headerOptions(
  { contentType }: SampleRequest,
  body: SerializedBody | undefined,
  { clientHeaders, contentType: usual }: SampleOptions,
): Options {
  const isTypedFile = body?.kind === "file" && usual.includes("*");
  const isUsual = contentType === usual || body?.kind === "multipart" || isTypedFile;
  if (body === undefined || isUsual || clientHeaders.includes("Content-Type")) return {};
  return { headers: literalAt(placeOf("headers"), { "Content-Type": contentType }) };
}
