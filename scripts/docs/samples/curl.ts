import type { ExampleRequest } from "../../contract/exampleRequest.ts";

/** A command line for POSIX shells that sends the request to `server`, which has no slash at its end. */
export function curlSample(server: string, { method, target, headers, body }: ExampleRequest): string {
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(server + target)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body, null, 2))}`]),
  ].join(" \\\n  ");
}

/** Between single quotes nothing but their end has a meaning (POSIX, Shell Command Language, section 2.2.2). */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
