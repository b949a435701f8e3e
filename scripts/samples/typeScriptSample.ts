import type { QuerySerializerOptions } from "openapi-fetch";
import { createQuerySerializer, fillPath } from "../client/serialize.ts";
import { attempt } from "../contract/failures.ts";
import { isObject, membersOf } from "../spec/json.ts";
import { percentEncode } from "../spec/percentEncoding.ts";
import { cookieText, styledValue, type SentParameter } from "./parameterText.ts";
import { urlencoded, writeRequest, type WrittenBody, type SampleRequest, type SampleOptions } from "./writeRequest.ts";
import { formLines, searchParameters } from "./fetchSample.ts";
import { callText, indent, literal, longestLine } from "./javaScriptText.ts";

/** Expressions by the names of the options that they are for. */
type Options = Readonly<Record<string, string>>;

/**
 * A program that sends a request with the project's client and prints the data of the response. Where the client would
 * write a value in another style than the contract has, the program says how it is written.
 */
export function typeScriptSample(request: SampleRequest, { module, clientHeaders, answer }: SampleOptions): string {
  const { method, server, path, credentials } = request;
  const { url, body } = writeRequest({ ...request, credentials: [] });
  const [target = "", query = ""] = url.split(/\?(.*)/s);
  const params = parametersByPlace(request, clientHeaders);
  const auth = Object.fromEntries(credentials.map(({ name, example }) => [name, example]));
  const init: Options = {
    ...(Object.keys(params).length > 0 && { params: literal(params) }),
    ...headerOptions(request, body, clientHeaders),
    ...pathOptions(request, params["path"] ?? {}, target),
    ...queryOptions(request, params["query"] ?? {}, query),
    ...bodyOptions(request, body),
    // The client reads JSON if it is not told otherwise, and takes an empty body for none.
    ...(answer === "text" && { parseAs: '"text"' }),
    ...(answer === "bytes" && { parseAs: '"arrayBuffer"' }),
  };
  const call = callText(`client.${method}`, path, init);
  const isLong = call.includes("\n") || call.length > longestLine - "const data = await unwrap();".length;
  const unwrapped = `await unwrap(${isLong ? `\n${indent(call)},\n` : call});`;
  const imported = `import { createClient, unwrap } from ${literal(module)};`;
  const importedInLines = `import {\n  createClient,\n  unwrap,\n} from ${literal(module)};`;
  return [
    imported.length > longestLine ? importedInLines : imported,
    "",
    `const client = createClient(${literal({ baseUrl: server, ...(credentials.length > 0 && { auth }) })});`,
    "",
    ...formLines(body),
    ...(answer === "none" ? [unwrapped] : [`const data = ${unwrapped}`, "console.log(data);"]),
  ].join("\n");
}

/** The values of parameters by place and name, without the headers that the client sends. */
export function parametersByPlace(
  { parameters }: Pick<SampleRequest, "parameters">,
  clientHeaders: readonly string[],
): Record<string, Record<string, unknown>> {
  const byPlace: Record<string, Record<string, unknown>> = {};
  for (const parameter of parameters) {
    const { in: place, name } = parameter;
    if (place === "header" && clientHeaders.includes(name)) continue;
    (byPlace[place] ??= {})[name] = styledValue(parameter);
  }
  return byPlace;
}

/** The client sends no cookies but those of credentials, and takes a body for JSON. */
function headerOptions(
  { parameters, contentType }: SampleRequest,
  body: WrittenBody | undefined,
  clientHeaders: readonly string[],
): Options {
  const cookies = parameters.filter((parameter) => parameter.in === "cookie").map(cookieText);
  const isUsual = contentType === "application/json" || body?.kind === "multipart";
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

/** The client has one style for arrays and one for objects. */
function queryOptions({ parameters }: SampleRequest, values: Record<string, unknown>, query: string): Options {
  const writes = (options?: QuerySerializerOptions) => {
    const written = attempt(() => createQuerySerializer(options)(values));
    return written?.replaceAll(/[[\]|]/g, percentEncode) === query;
  };
  if (writes()) return {};
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const array = inQuery.find(({ value }) => Array.isArray(value));
  const object = inQuery.find(({ value }) => isObject(value));
  const styles: QuerySerializerOptions = {
    ...(array && { array: { style: queryStyle(arrayStyles, array), explode: array.explode } }),
    ...(object && { object: { style: queryStyle(objectStyles, object), explode: object.explode } }),
  };
  return { querySerializer: writes(styles) ? literal(styles) : `() => ${literal(query)}` };
}

const arrayStyles = ["form", "spaceDelimited", "pipeDelimited"] as const;
const objectStyles = ["form", "deepObject"] as const;

function queryStyle<Style extends string>(styles: readonly [Style, ...Style[]], { style }: SentParameter): Style {
  return styles.find((one) => one === style) ?? styles[0];
}

function bodyOptions({ contentType, body: value }: SampleRequest, body: WrittenBody | undefined): Options {
  switch (body?.kind) {
    case undefined:
      return {};
    case "json":
      return { body: literal(value) };
    case "multipart":
      return { body: literal(value), bodySerializer: "() => form" };
    case "text":
      return { body: literal(value), bodySerializer: "(body) => body" };
    case "urlencoded": {
      const entries = membersOf(value).map(([name, field]) => [name, String(field)] as const);
      const isUsual =
        contentType === "application/x-www-form-urlencoded" && urlencoded(entries) === urlencoded(body.fields);
      return {
        body: literal(value),
        ...(!isUsual && { bodySerializer: `() => ${searchParameters(body.fields)}` }),
      };
    }
  }
}
