import { isObject } from "../spec/json.ts";
import { writeRequest, type WrittenBody, type SampleRequest, type SampleOptions } from "./writeRequest.ts";
import type { Pair } from "./parameterText.ts";
import { indent, longestLine } from "./javaScriptText.ts";

/** A Python 3 program that sends a request with the standard library and prints the response, or ends with an error. */
export function pythonSample(request: SampleRequest, { answer }: Pick<SampleOptions, "answer">): string {
  const { method, url, headers, body } = writeRequest(request);
  const isMultipart = body?.kind === "multipart";
  const usual = body === undefined ? "GET" : "POST";
  const fields = Object.entries(headers).map(([name, value]) => `${literal(name)}: ${literal(value)}`);
  if (isMultipart) fields.push('"Content-Type": f"multipart/form-data; boundary={boundary}"');
  const settings = [
    ...(method === usual ? [] : [`method=${literal(method)}`]),
    ...(fields.length === 0 ? [] : [`headers=${inBrackets("{", fields, "}")}`]),
    ...(body === undefined ? [] : [`data=${dataText(body)}`]),
  ];
  const lines = [...importLines(body, answer), ""];
  if (isMultipart) lines.push(...multipartLines(body.fields));
  lines.push(`request = Request${inBrackets("(", [literal(url), ...settings], ")")}`);
  lines.push("with urlopen(request) as response:", `    print(${answerText[answer]})`);
  return lines.join("\n");
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
      return `json.dumps(${literal(body.value)}).encode()`;
    case "urlencoded":
      return `urlencode(${inBrackets("[", body.fields.map(pair), "]")}).encode()`;
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
    `fields = ${inBrackets("[", fields.map(pair), "]")}`,
    'body = "".join(',
    String.raw`    f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'`,
    "    for name, value in fields",
    ")",
    "",
  ];
}

function pair([name, value]: Pair): string {
  return `(${literal(name)}, ${literal(value)})`;
}

/** A JSON value as Python writes it; strings have the same form there. */
function literal(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return inBrackets("[", value.map(literal), "]");
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${literal(member)}`);
  return inBrackets("{", members, "}");
}

/** Four spaces for each level, as in PEP 8. */
function inBrackets(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length <= longestLine && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${indent(item, 4)},\n`).join("")}${close}`;
}
