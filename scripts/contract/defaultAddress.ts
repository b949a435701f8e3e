import { UserError } from "./failures.ts";
import { isDigits, withoutSlashes } from "../values/text.ts";

/** Default address of commands. The contract's servers, the guides and the READMEs have the same one. */
export const defaultHost = "127.0.0.1";
export const defaultPort = 4010;
export const defaultMockUrl = `http://${defaultHost}:${defaultPort}`;

/** Returns whether a URL leads to this machine. */
export function isOnThisMachine(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}

/**
 * Returns whether a host is a loopback address or its name. All names that end with `localhost` are (RFC
 * 6761, section 6.3).
 */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]") return true;
  const parts = host.split(".");
  return parts[0] === "127" && parts.length === 4 && parts.every(isDigits);
}

/**
 * Reads the URL of a server or a site, without trailing slashes. The error doesn't repeat the text, which may
 * contain a credential, unless it's the address of a host without the protocol.
 */
export function readBaseUrl(text: string, refusal: string): string {
  // Node.js 20 has no URL.parse.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  const isPlain = isHttp && url.username + url.password === "" && !text.includes("?") && !text.includes("#");
  if (isPlain) return withoutSlashes(url.href);
  const meant = completeAddress(text);
  throw new UserError(meant === undefined ? refusal : `${refusal}. Did you mean ${meant}?`);
}

/** The URL for an address such as `localhost:4010` or `api.example.com/v2`, without a query. `undefined` for other texts. */
function completeAddress(text: string): string | undefined {
  if (!URL.canParse(`https://${text}`)) return undefined;
  const { host, hostname, port, pathname } = new URL(`https://${text}`);
  const isAddress = isLoopback(hostname) || port !== "" || hostname.includes(".");
  // Other texts, such as tokens, change when they're read as an address.
  if (!isAddress || host !== text.split("/")[0]) return undefined;
  return `${isLoopback(hostname) ? "http" : "https"}://${host}${pathname === "/" ? "" : pathname}`;
}
