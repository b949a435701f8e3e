import { UserError } from "./failures.ts";

/** Where commands listen unless told otherwise. The contract's servers, the guides and the READMEs name the same address. */
export const defaultHost = "127.0.0.1";
export const defaultPort = 4010;
export const defaultMockUrl = `http://${defaultHost}:${defaultPort}`;

/** Tells whether a URL leads to this machine. */
export function isOnThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Reads the URL of a server or a site, without slashes at its end. The refusal does not repeat it: it may hold a credential. */
export function readBaseUrl(text: string, refusal: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  if (isPlain && !/[?#]/.test(text)) return url.href.replace(/\/+$/, "");
  throw new UserError(refusal);
}
