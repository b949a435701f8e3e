import { readBaseUrl } from "../contract/defaultAddress.ts";
import { messageOf } from "../contract/failures.ts";
import { elementsOf, isObject, parseJson, stringOf, valueAt } from "../values/json.ts";
import { awaitedMilliseconds, missedRequest } from "./missedRequest.ts";
import type { ControlEndpoints, EndpointData } from "./controlEndpoints.ts";
import type { ConnectedMock } from "./mockTypes.ts";

export type * from "./mockTypes.ts";

/**
 * Controls a mock in another process. The functions are those of a mock in the same process, and return
 * promises. Each sends a request. Throws `TypeError` if the URL isn't one of a server.
 *
 * @example
 * const mock = connectMock("http://127.0.0.1:4010");
 * await mock.overrides.add({ operation: "listOrganizationSchedules", respond: { example: "none" } });
 */
export function connectMock(url: string): ConnectedMock {
  const server = readBaseUrl(url, "the URL of the mock must be an http or https URL, without a query or a password");
  return connectSession(server, "");
}

/** What a request to an endpoint has. */
interface Given<Body> {
  /** The name of the session, which is empty for the shared one. */
  readonly session?: string | undefined;
  /** In place of `NAME` in the path. */
  readonly name?: string;
  readonly query?: object;
  readonly body?: Body;
}

/** The functions for a session, unless they're called for another one. */
function connectSession(url: string, own: string): ConnectedMock {
  const call = async <Path extends keyof ControlEndpoints, Method extends keyof ControlEndpoints[Path] & string>(
    method: Method,
    path: Path,
    { session = own, ...given }: Given<EndpointData<Path, Method, "in">> = {},
  ): Promise<EndpointData<Path, Method, "out">> => {
    const text = await send(url, method, path, { ...given, session });
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- The endpoints' responses have these types.
    const value = text === "" ? undefined : JSON.parse(text);
    // oxlint-disable-next-line typescript/no-unsafe-return
    return value;
  };
  const rulesAt = <Kind extends "faults" | "overrides">(kind: Kind) => ({
    list: (session?: string) => call("GET", kind, { session }),
    set: async (body: EndpointData<Kind, "PUT", "in">, session?: string) => {
      await call("PUT", kind, { session, body });
    },
    add: async (body: EndpointData<Kind, "POST", "in">, session?: string) => {
      const listed = await call("POST", kind, { session, body });
      return stringOf(valueAt(elementsOf(listed).at(-1), ["id"])) ?? "";
    },
    remove: async (name: string, session?: string) => {
      await call("DELETE", `${kind}/NAME`, { session, name });
    },
    clear: async (session?: string) => {
      await call("DELETE", kind, { session });
    },
  });
  // A session doesn't end while a request names it, and the shared one has no name for a path.
  const endSession = (name?: string) => {
    if (name === "") return call("POST", "reset", { session: "" });
    if (name === undefined) return call("DELETE", "sessions", { session: "" });
    return call("DELETE", "sessions/NAME", { session: "", name });
  };
  return {
    url,
    session: (name) => connectSession(url, name),
    overrides: rulesAt("overrides"),
    faults: rulesAt("faults"),
    sessions: { list: () => call("GET", "sessions", { session: "" }), end: endSession },
    reset: (session) => call("POST", "reset", { session }),
    seed: async (body, session) => {
      await call("PUT", "seed", { session, body });
    },
    state: (session) => call("GET", "state", { session }),
    restore: async (body, session) => {
      await call("PUT", "state", { session, body });
    },
    requests: (asked = {}) => {
      const { session, ...query } = typeof asked === "object" ? asked : { session: asked };
      return call("GET", "requests", { session, query });
    },
    waitForRequest: async (awaited = {}) => {
      const { session, timeout = awaitedMilliseconds, ...filter } = awaited;
      const [entry] = await call("GET", "requests", { session, query: { ...filter, timeout } });
      if (entry === undefined) throw missedRequest(awaited, await call("GET", "requests", { session }));
      return entry;
    },
  };
}

/**
 * Sends a request to an endpoint of the mock at a URL. Resolves to the JSON of the response, or to an empty text. Rejects
 * with `TypeError` if the mock rejects the request, and with `Error` if no mock responds.
 */
async function send(
  url: string,
  method: string,
  path: string,
  { session = "", name = "", query = {}, body }: Given<unknown>,
): Promise<string> {
  const headers = {
    ...(session !== "" && { "x-mock-session": session }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const content = body === undefined ? null : JSON.stringify(body, refuseUnsendable);
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(asked.map(([key, value]) => [key, String(value)]));
  const target = `/-/mock/${path.replace("NAME", () => encodeURIComponent(name))}?${search}`;
  const fail = (why: string, cause?: unknown) => new Error(`No mock responds at ${url}: ${why}`, { cause });
  const response = await fetch(url + target, { method, headers, body: content }).catch((error: unknown) => {
    throw fail(messageOf(error), error);
  });
  const text = await response.text();
  const value = parseJson(text);
  const detail = stringOf(valueAt(value, ["detail"]));
  if (!response.ok && detail !== undefined) throw new TypeError(detail);
  if (!response.ok || (response.status !== 204 && !isObject(value) && !Array.isArray(value)))
    throw fail(`${method} ${target} has the status ${response.status}, and no JSON`);
  return text;
}

/** Throws `TypeError` for what JSON would drop without a word. */
function refuseUnsendable(name: string, value: unknown): unknown {
  if (typeof value === "function")
    throw new TypeError(`${name} is a function, which only a mock in the same process can call.`);
  if (value instanceof RegExp)
    throw new TypeError(`${name} is a RegExp. Write { $pattern: ${JSON.stringify(value.source)} } instead.`);
  return value;
}
