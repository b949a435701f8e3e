import type { Document } from "../contract/document.ts";

/** The address that examples are sent to: the first server, with the defaults of its variables; no slash at its end. */
export function serverAddress({ servers = [] }: Document): string {
  const [server] = servers;
  if (server === undefined) return "";
  return server.url
    .replaceAll(/\{([^{}]+)\}/g, (variable, name: string) => server.variables?.[name]?.default ?? variable)
    .replace(/\/$/, "");
}
