import { isObject } from "../values/json.ts";
import {
  isForOneServer,
  serializeRequest,
  type SampleOptions,
  type SampleRequest,
  type SampleText,
  type SerializedBody,
  type SerializedRequest,
} from "./serializeRequest.ts";
import type { FormPart } from "./parameterText.ts";
import type { SampleFile } from "./sampleFiles.ts";
import { indent, maxSampleLineLength, memberPlace, roomAt, visibleJson, type LinePlace } from "./javaScriptText.ts";

/**
 * A Python 3 program that sends a request. It prints or saves the response, or ends with an error. It needs
 * only the standard library, or `requests` for a form with files. Both would send all headers along with a redirect.
 */
export function pythonSample(request: SampleRequest, { answer, saved }: SampleOptions): SampleText {
  const written = serializeRequest(request);
  const { method, url, headers, body } = written;
  const isMultipart = body?.kind === "multipart";
  if (isMultipart && body.fields.some(([, , file]) => file !== undefined))
    return uploadSample(written, body.fields, { answer, saved });
  const usual = body === undefined ? "GET" : "POST";
  const fields = Object.entries(headers).map(([name, value]) => `${literal(name)}: ${literal(value)}`);
  if (isMultipart) fields.push('"Content-Type": f"multipart/form-data; boundary={boundary}"');
  const settings = [
    ...(method === usual ? [] : [`method=${literal(method)}`]),
    ...(fields.length === 0 ? [] : [`headers=${inBrackets("{", fields, "}", roomAt(placeOf("headers")))}`]),
    ...(body === undefined ? [] : [`data=${dataText(body)}`]),
  ];
  const mayFollow = !isForOneServer(written);
  const setup = [
    ...importLines(body, answer, mayFollow),
    ...["", ...(isMultipart ? multipartLines(body.fields) : []), ""],
    ...(mayFollow ? [] : refusalLines),
  ];
  const room = maxSampleLineLength - "request = Request".length;
  const shown = saved === undefined ? `print(${answerText[answer]})` : saveText(saved, "response.read()");
  const call = [
    `request = Request${inBrackets("(", [literal(url), ...settings], ")", room)}`,
    ...[`with ${mayFollow ? "urlopen" : "opener.open"}(request) as response:`, `    ${shown}`],
  ];
  return { setup: setup.join("\n"), call: call.join("\n") };
}

/** The place of an argument of a request, with the text around its value. */
function placeOf(name: string, call = ""): LinePlace {
  return { line: maxSampleLineLength - 4, taken: `${name}=${call},`.length };
}

/** `urllib.request` follows redirects with all headers. */
const refusalLines = [
  "# A redirect could take credentials to another server.",
  "class NoRedirect(HTTPRedirectHandler):",
  "    def redirect_request(self, *_):",
  "        return None",
  ...["", "", "opener = build_opener(NoRedirect)", ""],
];

function importLines(
  body: SerializedBody | undefined,
  answer: SampleOptions["answer"],
  mayFollow: boolean,
): readonly string[] {
  const lines: string[] = [];
  if (body?.kind === "json" || answer === "json") lines.push("import json");
  if (body?.kind === "file" || answer === "file") lines.push("from pathlib import Path");
  if (body?.kind === "urlencoded") lines.push("from urllib.parse import urlencode");
  if (mayFollow) lines.push("from urllib.request import Request, urlopen");
  else {
    lines.push("from urllib.request import HTTPRedirectHandler");
    lines.push("from urllib.request import Request, build_opener");
  }
  if (body?.kind === "multipart") lines.push("from uuid import uuid4");
  return lines;
}

const answerText: Readonly<Record<SampleOptions["answer"], string>> = {
  json: "json.dumps(json.load(response), indent=2)",
  text: "response.read().decode()",
  file: "response.read()",
  none: "response.status",
  unknown: "response.read().decode()",
};

function dataText(body: SerializedBody): string {
  switch (body.kind) {
    case "json":
      return `json.dumps(${literal(body.value, placeOf("data", "json.dumps().encode()"))}).encode()`;
    case "urlencoded":
      return `urlencode(${listText(body.fields, placeOf("data", "urlencode().encode()"))}).encode()`;
    case "multipart":
      return String.raw`f"{body}--{boundary}--\r\n".encode()`;
    case "text":
      return `${literal(body.text)}.encode()`;
    case "file":
      return `Path(${literal(body.file.name)}).read_bytes()`;
  }
}

/** The standard library can't write multipart forms (RFC 7578). */
function multipartLines(parts: readonly FormPart[]): readonly string[] {
  return [
    "boundary = uuid4().hex",
    `fields = ${listText(parts, { line: maxSampleLineLength, taken: "fields = ".length })}`,
    'body = "".join(',
    String.raw`    f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'`,
    "    for name, value in fields",
    ")",
    "",
  ];
}

function listText(fields: readonly FormPart[], place: LinePlace): string {
  return inBrackets("[", fields.map(pair), "]", roomAt(place));
}

/** A program that sends a form with files, which the standard library doesn't support. */
function uploadSample(
  { method, url, headers }: SerializedRequest,
  parts: readonly FormPart[],
  { answer, saved }: Pick<SampleOptions, "answer" | "saved">,
): SampleText {
  const fields = parts.filter(([, , file]) => file === undefined);
  const files = parts.flatMap(([name, , file]) => {
    if (file === undefined) return [];
    const opened = `open(${literal(file.name)}, "rb")`;
    const room = maxSampleLineLength - `        (${literal(name)}, ),`.length;
    return [`(${literal(name)}, ${inBrackets("(", [literal(file.name), opened, literal(file.mediaType)], ")", room)})`];
  });
  const settings: string[] = [];
  if (Object.keys(headers).length > 0) settings.push(`headers=${literal(headers, placeOf("headers"))}`);
  if (fields.length > 0) settings.push(`data=${listText(fields, placeOf("data"))}`);
  settings.push(`files=${inBrackets("[", files, "]", roomAt(placeOf("files")))}`);
  const shown = saved === undefined ? `print(${uploadAnswer[answer]})` : saveText(saved, "response.content");
  const setup = [
    ...(answer === "json" ? ["import json"] : []),
    ...(saved === undefined ? [] : ["from pathlib import Path"]),
    ...["import requests", "", "session = requests.Session()"],
    ...["# A redirect could take credentials to another server.", "session.max_redirects = 0", ""],
  ];
  const room = maxSampleLineLength - "response = session.request".length;
  const call = [
    `response = session.request${inBrackets("(", [literal(method), literal(url), ...settings], ")", room)}`,
    ...["response.raise_for_status()", shown],
  ];
  return { setup: setup.join("\n"), call: call.join("\n") };
}

const uploadAnswer: Readonly<Record<SampleOptions["answer"], string>> = {
  json: "json.dumps(response.json(), indent=2)",
  text: "response.text",
  file: "response.content",
  none: "response.status_code",
  unknown: "response.text",
};

function saveText({ name }: SampleFile, bytes: string): string {
  return `Path(${literal(name)}).write_bytes(${bytes})`;
}

function pair([name, value]: FormPart): string {
  return `(${literal(name)}, ${literal(value)})`;
}

/** A JSON value in Python. Strings have the same form as in JavaScript. */
function literal(value: unknown, place?: LinePlace): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, memberPlace(place, ",", 4)));
    return inBrackets("[", items, "]", roomAt(place));
  }
  if (!isObject(value)) return visibleJson(value);
  const members = Object.entries(value).map(([key, member]) => {
    const name = `${JSON.stringify(key)}: `;
    return name + literal(member, memberPlace(place, `${name},`, 4));
  });
  return inBrackets("{", members, "}", roomAt(place));
}

/** Indents by four spaces for each level, as in PEP 8. */
function inBrackets(open: string, items: readonly string[], close: string, room: number): string {
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length <= room && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${indent(item, 4)},\n`).join("")}${close}`;
}
