import { exampleRequest, type ExampleRequest } from "../contract/exampleRequest.ts";
import type { Route } from "./routes.ts";

/**
 * A command line, for POSIX shells, whose request the mock answers with success: of a GET operation where there is one,
 * and of one that shows how credentials are sent. `undefined` where no operation has all the examples that it takes.
 */
export function sampleCurl(url: string, routes: readonly Route[]): string | undefined {
  const [best] = routes
    .filter(({ operation, method }) => method === "get" || operation.requestBody === undefined)
    .map((route) => exampleRequest(route.document, route))
    // A parameter without an example leaves its name in the path.
    .filter(({ target }) => !target.includes("{"))
    .sort((a, b) => rank(a) - rank(b));
  return best && curlOf(url, best);
}

function rank({ method, target, headers }: ExampleRequest): number {
  const hasCredentials = Object.keys(headers).length > 0 || target.includes("?");
  return (method === "GET" ? 0 : 2) + (hasCredentials ? 0 : 1);
}

function curlOf(url: string, { method, target, headers }: ExampleRequest): string {
  return [
    "curl",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    quote(`${url}${target}`),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
  ].join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
