import { isCredentialName } from "../mock/secrets.ts";
import { serveContract } from "../mock/servedContract.ts";
import { curlCommand } from "../samples/curlCommand.ts";
import { mapMembers, parseJson } from "../spec/json.ts";
import type { VerifiedGeneration } from "./checkExchange.ts";
import type { Exchange } from "./exchange.ts";

const mask = "***";

/** A command line that sends the request of an exchange, with `***` for each secret. */
export function curlOf({ method, url, request }: Exchange, sources: readonly VerifiedGeneration[]): string {
  const schemes = sources.flatMap(({ generation }) => [...generation.securitySchemes.values()]);
  const names = new Set(schemes.map(({ parameter }) => parameter.toLowerCase()));
  const isSecret = (name: string) => names.has(name.toLowerCase()) || isCredentialName(name);
  const { origin, pathname, search } = new URL(url);
  const headers = request.headers
    .filter(([name]) => !/^(?:host|connection|content-length|accept-encoding|user-agent)$/i.test(name))
    .map(([name, value]) => [name, isSecret(name) ? value.replace(/^(\w+ )?.*/s, `$1${mask}`) : value] as const);
  const text = request.body === undefined ? undefined : new TextDecoder().decode(request.body);
  const json = text === undefined ? undefined : parseJson(text);
  const value = maskMembers(json, isSecret);
  const body =
    json === undefined ? text && ({ kind: "text", text: mask } as const) : ({ kind: "json", value } as const);
  const target = serveContract(sources.map(({ generation }) => generation)).mask(pathname + search);
  return curlCommand({
    method,
    url: origin + target,
    headers: Object.fromEntries(headers),
    body: body === "" ? undefined : body,
  });
}

/** A JSON value with `***` for the members whose names are those of secrets. */
export function maskMembers(value: unknown, isSecret: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => maskMembers(item, isSecret));
  if (typeof value !== "object" || value === null) return value;
  return mapMembers(value, (member, name) => (isSecret(name) ? mask : maskMembers(member, isSecret)));
}
