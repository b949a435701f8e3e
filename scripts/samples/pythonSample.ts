import { isObject } from "../spec/json.ts";
import { writeRequest } from "./writeRequest.ts";
import type { SampleOptions, SampleRequest, SampleText, WrittenBody } from "./writeRequest.ts";
import type { Pair } from "./parameterText.ts";
import { indent, longestSampleLine, memberPlace, roomAt, type LinePlace } from "./javaScriptText.ts";

/** A Python 3 program that sends a request with the standard library and prints the response, or ends with an error. */
export function pythonSample(request: SampleRequest, { answer }: Pick<SampleOptions, "answer">): SampleText {
  const { method, url, headers, body } = writeRequest(request);
  const isMultipart = body?.kind === "multipart";
  const usual = body === undefined ? "GET" : "POST";
  const fields = Object.entries(headers).map(([name, value]) => `${literal(name)}: ${literal(value)}`);
  if (isMultipart) fields.push('"Content-Type": f"multipart/form-data; boundary={boundary}"');
  const settings = [
    ...(method === usual ? [] : [`method=${literal(method)}`]),
    ...(fields.length === 0 ? [] : [`headers=${inBrackets("{", fields, "}", roomAt(placeOf("headers")))}`]),
    ...(body === undefined ? [] : [`data=${dataText(body)}`]),
  ];
  const setup = [...importLines(body, answer), "", ...(isMultipart ? multipartLines(body.fields) : []), ""];
  const room = longestSampleLine - "request = Request".length;
  const call = [
    `request = Request${inBrackets("(", [literal(url), ...settings], ")", room)}`,
    ...["with urlopen(request) as response:", `    print(${answerText[answer]})`],
  ];
  return { setup: setup.join("\n"), call: call.join("\n") };
}

/** The place of one of the settings of a request, with what is around its value. */
function placeOf(name: string, call = ""): LinePlace {
  return { line: longestSampleLine - 4, taken: `${name}=${call},`.length };
}

function importLines(body: WrittenBody | undefined, answer: SampleOptions["answer"]): readonly string[] {
  const lines: string[] = [];
  if (body?.kind === "json" || answer === "json") lines.push("import json");
  if (body?.kind === "urlencoded") lines.push("from urllib.parse import urlencode");
  lines.push("from urllib.request import Request, urlopen");
  if (body?.kind === "multipart") lines.push("from uuid import uuid4");
  return lines;
}

const answerText: Readonly<Record<SampleOptions["answer"], string>> = {
  json: "json.dumps(json.load(response), indent=2)",
  text: "response.read().decode()",
  bytes: "response.read()",
  none: "response.status",
  unknown: "response.read().decode()",
};

function dataText(body: WrittenBody): string {
  switch (body.kind) {
    case "json":
      return `json.dumps(${literal(body.value, placeOf("data", "json.dumps().encode()"))}).encode()`;
    case "urlencoded":
      return `urlencode(${listText(body.fields, placeOf("data", "urlencode().encode()"))}).encode()`;
    case "multipart":
      return String.raw`f"{body}--{boundary}--\r\n".encode()`;
    case "text":
      return `${literal(body.text)}.encode()`;
  }
}

/** The standard library has nothing that writes a multipart form (RFC 7578). */
function multipartLines(fields: readonly Pair[]): readonly string[] {
  return [
    "boundary = uuid4().hex",
    `fields = ${listText(fields, { line: longestSampleLine, taken: "fields = ".length })}`,
    'body = "".join(',
    String.raw`    f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'`,
    "    for name, value in fields",
    ")",
    "",
  ];
}

function listText(fields: readonly Pair[], place: LinePlace): string {
  return inBrackets("[", fields.map(pair), "]", roomAt(place));
}

function pair([name, value]: Pair): string {
  return `(${literal(name)}, ${literal(value)})`;
}

/** A JSON value as Python writes it at a place, or anywhere; strings have the same form as in JavaScript. */
function literal(value: unknown, place?: LinePlace): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, memberPlace(place, ",", 4)));
    return inBrackets("[", items, "]", roomAt(place));
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    const name = `${JSON.stringify(key)}: `;
    return name + literal(member, memberPlace(place, `${name},`, 4));
  });
  return inBrackets("{", members, "}", roomAt(place));
}

/** Four spaces for each level, as in PEP 8. */
function inBrackets(open: string, items: readonly string[], close: string, room: number): string {
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length <= room && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${indent(item, 4)},\n`).join("")}${close}`;
}
