import { longestLine } from "./javaScriptText.ts";
import type { FormPart } from "./parameterText.ts";
import type { SampleFile } from "./sampleFiles.ts";
import { urlencoded, type WrittenRequest } from "./writeRequest.ts";

/**
 * A command line for POSIX shells that sends a request. It saves the response if that is a file. `room` is the length
 * up to which the URL stays beside the method.
 */
export function curlCommand(
  { method, url, headers, body }: WrittenRequest,
  saved?: SampleFile,
  room = longestLine,
): string {
  const option = methodOption(method, body !== undefined);
  const target = quote(url);
  const line = `curl ${option}${target}`;
  const start = option === "" || line.length <= room ? [line] : [`curl ${option.trim()}`, target];
  const headerOptions = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  // Without `--fail`, curl would save the error.
  const output = saved === undefined ? [] : [`--fail -o ${quote(saved.name)}`];
  return [...start, ...headerOptions, ...dataOptions(body), ...output].join(" \\\n  ");
}

/** With a body, curl sends a POST by default. `-X HEAD` would wait for a body in the response. */
function methodOption(method: string, hasBody: boolean): string {
  if (method === "HEAD") return "--head ";
  return method === "GET" && !hasBody ? "" : `-X ${method} `;
}

function dataOptions(body: WrittenRequest["body"]): readonly string[] {
  switch (body?.kind) {
    case undefined:
      return [];
    case "json":
      return [`-d ${quote(json(body.value))}`];
    case "urlencoded":
      return [`-d ${quote(String(urlencoded(body.fields)))}`];
    case "multipart":
      return body.fields.map(partOption);
    case "file":
      return [`--data-binary ${quote(`@${body.file.name}`)}`];
    case "text":
      return [`--data-raw ${quote(body.text)}`];
  }
}

function partOption(part: FormPart): string {
  if (part.length === 2) return `--form-string ${quote(part.join("="))}`;
  const [name, , file] = part;
  const isKnown = known.some((end) => file.name.endsWith(`.${end}`)) || file.mediaType === "application/octet-stream";
  const type = isKnown ? "" : `;type=${file.mediaType}`;
  return `-F ${quote(`${name}=@${file.name}${type}`)}`;
}

/** File extensions that curl maps to media types. It sends other files as bytes. */
const known = ["gif", "jpg", "png", "svg", "txt", "html", "pdf", "xml"];

function json(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= longestLine ? line : JSON.stringify(value, null, 2);
}

/** Within single quotes, only the closing quote is special (POSIX, Shell Command Language, section 2.2.2). */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
