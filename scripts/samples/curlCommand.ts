import { splitOnce } from "../values/text.ts";
import { maxLineLength, visibleJson } from "./javaScriptText.ts";
import type { FormPart } from "./parameterText.ts";
import type { SampleFile } from "./sampleFiles.ts";
import { urlencoded, type SerializedRequest } from "./serializeRequest.ts";

/** A text for a shell, or its parts, some of which are values of environment variables. */
export type ShellText = string | readonly (string | { readonly variable: string })[];

/** A request as {@link SerializedRequest}, in whose parts environment variables may stand. */
export interface CurlRequest extends Pick<SerializedRequest, "method"> {
  readonly url: ShellText;
  readonly body?: SerializedRequest["body"] | { readonly kind: "text"; readonly text: ShellText };
  readonly headers: Readonly<Record<string, ShellText>>;
  /** The user and the password of Basic authentication, separated by a colon. */
  readonly user?: ShellText | undefined;
}

/**
 * A command line for POSIX shells that sends a request. It saves the response if that is a file. `room` is the length up
 * to which the URL stays beside the method.
 */
export function curlCommand(
  { method, url, headers, user, body }: CurlRequest,
  saved?: SampleFile,
  room = maxLineLength,
): string {
  const option = methodOption(method, body !== undefined) + pathOptions(url);
  const target = quote(url);
  const line = `curl ${option}${target}`;
  const start = option === "" || line.length <= room ? [line] : [`curl ${option.trim()}`, target];
  const headerOptions = Object.entries(headers).map(([name, value]) => `-H ${quote([`${name}: `, value].flat())}`);
  const userOption = user === undefined ? [] : [`-u ${quote(user)}`];
  // Without `--fail`, curl would save the error.
  const output = saved === undefined ? [] : [`--fail -o ${quote(saved.name)}`];
  return [...start, ...headerOptions, ...userOption, ...dataOptions(body), ...output].join(" \\\n  ");
}

/** With a body, curl sends a POST by default. `-X HEAD` would wait for a body in the response. */
function methodOption(method: string, hasBody: boolean): string {
  if (method === "HEAD") return "--head ";
  if (method === "GET" && !hasBody) return "";
  // A token may have characters such as & and `, which are special to a shell.
  return `-X ${/^[A-Z]+$/.test(method) ? method : quote(method)} `;
}

/**
 * curl sends several requests for braces and brackets in a path or query, and resolves dot segments, unless it is told not
 * to.
 */
function pathOptions(url: ShellText): string {
  const text = [url].flat().filter((part) => typeof part === "string");
  // Brackets around a host are those of an IPv6 address.
  const [, , , ...behindHost] = text.join("").split("/");
  const isGlob = behindHost.some((part) => /[[\]{}]/.test(part));
  return (isGlob ? "-g " : "") + (behindHost.some(isDotSegment) ? "--path-as-is " : "");
}

/** Whether a part of a path is `.` or `..`, also before a query. */
function isDotSegment(part: string): boolean {
  return [".", ".."].includes(splitOnce(part, "?")[0]);
}

function dataOptions(body: CurlRequest["body"]): readonly string[] {
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
  const line = visibleJson(value);
  return line.length <= maxLineLength ? line : visibleJson(value, 2);
}

/** Within single quotes, only the closing quote is special (POSIX, Shell Command Language, section 2.2.2). */
function quote(text: ShellText): string {
  const parts: string[] = [];
  let plain = "";
  const end = () => {
    if (plain !== "") parts.push(`'${plain.replaceAll("'", String.raw`'\''`)}'`);
    plain = "";
  };
  for (const part of [text].flat()) {
    if (typeof part === "string") plain += part;
    else {
      end();
      parts.push(`"$${part.variable}"`);
    }
  }
  end();
  return parts.length === 0 ? "''" : parts.join("");
}
