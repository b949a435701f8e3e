import type { IncomingMessage } from "node:http";
import { isControlTarget } from "../engine/controlApi.ts";
import { refusalOf, type Refusal } from "../../exchange/refusal.ts";
import { schemeAndAuthority, maskAndCut, withoutAuthority } from "../../exchange/secrets.ts";
import { isLoopback } from "../../contract/defaultAddress.ts";
import { splitOnce, withoutEnd } from "../../values/text.ts";

/** `host [":" port]` (RFC 9110, section 4.2.1, and RFC 3986, section 3.2), with the host in a group. */
const authority = /^(\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;

/**
 * Creates a function that checks a request's host. At a loopback address, a mock serves only the names of
 * loopback addresses and those in `allowed`. Otherwise, a web page could resolve its own name to this machine
 * and read the mock's answers (DNS rebinding). At any other address, the mock serves every name.
 */
export function createHostCheck(address: string, allowed: readonly string[]) {
  const names = new Set(allowed.map((name) => readHost(name) ?? name));
  const servesAll = !isLoopback(address.includes(":") ? `[${address}]` : address);
  return ({ rawHeaders, httpVersion, url = "" }: IncomingMessage) => {
    const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host");
    const [host] = hosts;
    if (host === undefined && httpVersion === "1.0") return undefined;
    if (host === undefined || hosts.length > 1)
      return refuseHost("A request must have one Host header (RFC 9112, section 3.2).");
    // The authority of an absolute-form target replaces the Host header (RFC 9112, section 3.2.2).
    const origin = schemeAndAuthority(url);
    const target = origin === "" ? host : authorityOf(origin);
    const name = readHost(host) === undefined ? undefined : readHost(target);
    if (name === undefined) return refuseHost("The Host header must be a name or an address, and may have a port.");
    return servesAll || isLoopback(name) || names.has(name) ? undefined : notServed(name, allowed);
  };
}

/** Returns whether a text is a serialized origin (RFC 6454, section 6.1). */
export function isOrigin(text: unknown): boolean {
  return /^(?:null|https?:\/\/[^\s/?#@,]+)$/.test(String(text));
}

/** Returns whether a text is a name or an address, with or without a port. */
export function isHost(text: unknown): boolean {
  return readHost(String(text)) !== undefined;
}

/**
 * Creates a function that refuses requests from pages of other origins than the mock's own and those in `allowed`.
 * Any page open in a browser on this machine could otherwise read and change the state of tests, or reach an upstream
 * that it can't reach itself. Programs send neither of the headers that identify a page.
 */
export function createOriginCheck(allowed: readonly string[]) {
  return (request: IncomingMessage): Refusal | undefined => {
    const { url = "", headers } = request;
    const { origin, host = "", "sec-fetch-site": site = "" } = headers;
    const isFromElsewhere = site === "cross-site" || site === "same-site";
    const isOwn = origin === undefined ? !isFromElsewhere : splitOnce(origin, "//")[1] === host;
    if (isOwn || allowed.includes(origin ?? "") || isLinkToPage(request)) return undefined;
    const what = isControlTarget(url)
      ? "use the endpoints under /-/mock/"
      : "send requests through the mock to its upstream";
    const message =
      `Pages of ${origin === undefined ? "other origins" : maskAndCut(origin)} may not ${what}, ` +
      "unless the mock is started with --allow-origin (in code: allowedOrigins).";
    return refusalOf(403, { code: "origin", in: "header", name: "Origin", message, expected: allowed });
  };
}

/**
 * Returns whether a request follows a link to the mock's page, in a window rather than in a frame. The site
 * with the link can't read the page.
 */
function isLinkToPage({ method, url = "", headers }: IncomingMessage): boolean {
  const [path] = splitOnce(withoutAuthority(url), "?");
  const isNavigation = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  const isPage = path === "/-/mock" || path === "/-/mock/";
  return method === "GET" && headers.origin === undefined && isNavigation && isPage;
}

/** The host in an authority, in lower case and without a trailing dot. `undefined` if it is malformed. */
function readHost(text: string): string | undefined {
  const host = authority.exec(text)?.[1]?.toLowerCase();
  return host === undefined ? undefined : withoutEnd(host, ".");
}

/** The authority of an origin, without userinfo. */
function authorityOf(origin: string): string {
  const [, authorityWithUser = ""] = splitOnce(origin, "//");
  return authorityWithUser.slice(authorityWithUser.lastIndexOf("@") + 1);
}

function refuseHost(message: string): Refusal {
  return refusalOf(400, { code: "host", in: "header", name: "Host", message }, { connection: "close" });
}

function notServed(name: string, allowed: readonly string[]): Refusal {
  const message =
    `The mock serves this machine only, and does not serve ${maskAndCut(name)}: ` +
    "request localhost, or start the mock with --allowed-hosts (in code: allowedHosts).";
  const expected = ["localhost", ...allowed];
  return refusalOf(421, { code: "host", in: "header", name: "Host", message, expected, received: maskAndCut(name) });
}
