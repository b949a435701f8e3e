import { urlencoded, writeRequest, type WrittenBody, type SampleRequest, type SampleOptions } from "./writeRequest.ts";
import { toText, type FormPart } from "./parameterText.ts";
import { fileText, type SampleFile } from "./sampleFiles.ts";
import { callText, inBrackets, literal } from "./javaScriptText.ts";

/** A JavaScript module that sends a request with fetch and prints the response, or throws what the failure says. */
export function fetchSample(request: SampleRequest, { answer, saved }: SampleOptions): string {
  const { method, url, headers, body } = writeRequest(request);
  const init = {
    ...(method !== "GET" && { method: literal(method) }),
    ...(Object.keys(headers).length > 0 && { headers: literal(headers) }),
    ...(body && { body: bodyText(body) }),
  };
  return [
    ...(saved === undefined ? [] : [importWriteFile, ""]),
    ...formLines(body),
    `${callText("const response = await fetch", url, init)};`,
    "if (!response.ok) {",
    "  const reason = await response.text();",
    "  throw new Error(`${response.status} ${reason}`);",
    "}",
    saved === undefined ? `console.log(${answerText[answer]});` : saveText(saved, "response"),
  ].join("\n");
}

export const importWriteFile = 'import { writeFile } from "node:fs/promises";';

/** Saves what has bytes, a Response or a Blob. */
export function saveText({ name }: SampleFile, data: string): string {
  return `await writeFile(${literal(name)}, new Uint8Array(await ${data}.arrayBuffer()));`;
}

const answerText: Readonly<Record<SampleOptions["answer"], string>> = {
  json: "await response.json()",
  text: "await response.text()",
  file: "await response.arrayBuffer()",
  none: "response.status",
  unknown: "await response.text()",
};

/** A multipart form has to be made before it is sent. */
export function formLines(body: WrittenBody | undefined): readonly string[] {
  if (body?.kind !== "multipart") return [];
  return [
    "const form = new FormData();",
    ...body.fields.map(([name, content, file]) => {
      const value = file === undefined ? literal(content) : fileText(content, file);
      return `form.append(${literal(name)}, ${value});`;
    }),
    "",
  ];
}

/** The expression for a body as fetch takes it. */
export function bodyText(body: WrittenBody): string {
  switch (body.kind) {
    case "json":
      return `JSON.stringify(${literal(body.value)})`;
    case "urlencoded":
      return searchParameters(body.fields);
    case "multipart":
      return "form";
    case "file":
      return fileText(body.content, body.file);
    case "text":
      return literal(body.text);
  }
}

/** As an object if no name comes twice. */
function searchParameters(fields: readonly FormPart[]): string {
  const object = Object.fromEntries(fields.map(([name, value]) => [name, toText(value)]));
  const isSame = String(urlencoded(Object.entries(object))) === String(urlencoded(fields));
  const pairs = fields.map((field) => `[${field.map(literal).join(", ")}]`);
  return `new URLSearchParams(${isSame ? literal(object) : inBrackets("[", pairs, "]")})`;
}
