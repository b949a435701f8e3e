import {
  isForOneServer,
  urlencoded,
  serializeRequest,
  type SampleOptions,
  type SampleRequest,
  type SampleText,
  type SerializedBody,
} from "./serializeRequest.ts";
import { toText, type FormPart } from "./parameterText.ts";
import { fileText, type SampleFile } from "./sampleFiles.ts";
import {
  callText,
  inBrackets,
  literal,
  literalAt,
  maxSampleLineLength,
  roomAt,
  type LinePlace,
} from "./javaScriptText.ts";

/**
 * A JavaScript module that sends a request with fetch. It prints the response, or throws the message of a
 * failure.
 */
export function fetchSample(request: SampleRequest, { answer, saved }: SampleOptions): SampleText {
  const written = serializeRequest(request);
  const { method, url, headers, body } = written;
  const init: Record<string, string> = method === "GET" ? {} : { method: literal(method) };
  if (Object.keys(headers).length > 0) init["headers"] = literalAt(placeOf("headers"), headers);
  if (body !== undefined) init["body"] = bodyText(body, placeOf("body"));
  if (isForOneServer(written)) init["redirect"] = literal("manual");
  const place = { line: maxSampleLineLength, taken: 1 };
  const setup = [...(saved === undefined ? [] : [importWriteFile, ""]), ...formLines(body)];
  const call = [
    `${callText({ name: "const response = await fetch", value: url, options: init, place })};`,
    "if (!response.ok) {",
    "  const reason = await response.text();",
    "  throw new Error(`${response.status} ${reason}`);",
    "}",
    saved === undefined ? `console.log(${answerText[answer]});` : saveText(saved, "response"),
  ];
  return { setup: setup.map((line) => `${line}\n`).join(""), call: call.join("\n") };
}

/** The place of a member in the options of `fetch`. */
function placeOf(name: string): LinePlace {
  return { line: maxSampleLineLength - 4, taken: `${name}: ,`.length };
}

export const importWriteFile = 'import { writeFile } from "node:fs/promises";';

/** Saves the bytes of a Response or a Blob. */
export function saveText({ name }: SampleFile, data: string): string {
  const parts = [literal(name), `new Uint8Array(await ${data}.arrayBuffer())`];
  return inBrackets("await writeFile(", parts, ");", maxSampleLineLength);
}

const answerText: Readonly<Record<SampleOptions["answer"], string>> = {
  json: "await response.json()",
  text: "await response.text()",
  file: "await response.arrayBuffer()",
  none: "response.status",
  unknown: "await response.text()",
};

/** A multipart form must be created before it is sent. */
function formLines(body: SerializedBody | undefined): readonly string[] {
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

/** The expression for a body that fetch accepts. */
function bodyText(body: SerializedBody, place: LinePlace): string {
  switch (body.kind) {
    case "json":
      return `JSON.stringify(${literalAt(within(place, "JSON.stringify()"), body.value)})`;
    case "urlencoded":
      return searchParameters(body.fields, within(place, "new URLSearchParams()"));
    case "multipart":
      return "form";
    case "file":
      return fileText(body.content, body.file);
    case "text":
      return literal(body.text);
  }
}

/** The place of an argument within a call at a place. */
function within({ line, taken }: LinePlace, call: string): LinePlace {
  return { line, taken: taken + call.length };
}

/** As an object if no name is repeated. */
function searchParameters(fields: readonly FormPart[], place: LinePlace): string {
  const texts = fields.map(([name, value]) => [name, toText(value)] as const);
  const object = Object.fromEntries(texts);
  const isSame = String(urlencoded(Object.entries(object))) === String(urlencoded(texts));
  const pairs = texts.map((field) => `[${field.map(literal).join(", ")}]`);
  return `new URLSearchParams(${isSame ? literalAt(place, object) : inBrackets("[", pairs, "]", roomAt(place))})`;
}
