import { readBaseUrl } from "../contract/defaultAddress.ts";
import { messageOf } from "../contract/failures.ts";
import { elementsOf, isObject, parseJson, stringOf, valueAt } from "../values/json.ts";
import { awaitedMilliseconds, missedRequest } from "./missedRequest.ts";
import type {
  ConnectedMock,
  FaultRule,
  ListedRule,
  MockState,
  Promised,
  RequestEntry,
  Rules,
  SentOverrideRule,
  SessionEntry,
} from "./mockTypes.ts";

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

/** What the mock's endpoints respond with. */
interface Responses {
  readonly faults: readonly ListedRule<FaultRule>[];
  readonly overrides: readonly ListedRule<SentOverrideRule>[];
  readonly requests: readonly RequestEntry[];
  readonly sessions: readonly SessionEntry[];
  readonly state: MockState;
}

/** The functions for a session, unless they're called for another one. */
function connectSession(url: string, own: string): ConnectedMock {
  const change = async (method: string, path: string, session = own, body?: unknown) => {
    await send(url, { method, path, session, body });
  };
  const read = async <Path extends keyof Responses>(
    path: Path,
    session = own,
    query = "",
  ): Promise<Responses[Path]> => {
    const text = await send(url, { method: "GET", path: path + query, session });
    // oxlint-disable-next-line typescript/no-unsafe-return -- The endpoints' responses have these types.
    return JSON.parse(text);
  };
  const rulesAt = <Rule>(
    path: string,
    list: (session?: string) => Promise<readonly ListedRule<Rule>[]>,
  ): Promised<Rules<Rule>> => ({
    list,
    set: (rules, session) => change("PUT", path, session, rules),
    add: async (rule, session = own) => {
      const listed = parseJson(await send(url, { method: "POST", path, session, body: rule }));
      return stringOf(valueAt(elementsOf(listed).at(-1), ["id"])) ?? "";
    },
    remove: (id, session) => change("DELETE", `${path}/${encodeURIComponent(id)}`, session),
    clear: (session) => change("DELETE", path, session),
  });
  // A session doesn't end while a request names it, and the shared one has no name for a path.
  const endSession = (name?: string) => {
    if (name === "") return change("POST", "reset", "");
    return change("DELETE", name === undefined ? "sessions" : `sessions/${encodeURIComponent(name)}`, "");
  };
  const listRequests: ConnectedMock["requests"] = (asked = {}) => {
    const { session, ...filter } = typeof asked === "object" ? asked : { session: asked };
    return read("requests", session, queryOf(filter));
  };
  const waitForRequest: ConnectedMock["waitForRequest"] = async (awaited = {}) => {
    const { session, timeout = awaitedMilliseconds, ...filter } = awaited;
    const [entry] = await read("requests", session, queryOf({ ...filter, timeout }));
    if (entry === undefined) throw missedRequest(awaited, await read("requests", session));
    return entry;
  };
  const overrides = rulesAt<SentOverrideRule>("overrides", (session) => read("overrides", session));
  const faults = rulesAt<FaultRule>("faults", (session) => read("faults", session));
  return {
    url,
    session: (name) => connectSession(url, name),
    overrides,
    faults,
    sessions: { list: () => read("sessions", ""), end: endSession },
    reset: (session) => change("POST", "reset", session),
    seed: (resources, session) => change("PUT", "seed", session, resources),
    state: (session) => read("state", session),
    restore: (state, session) => change("PUT", "state", session, state),
    requests: listRequests,
    waitForRequest,
  };
}

function queryOf(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** A request to an endpoint of the mock. */
interface EndpointRequest {
  readonly method: string;
  /** The path below `/-/mock/`, and the query. */
  readonly path: string;
  /** The name of the session, which is empty for the shared one. */
  readonly session: string;
  readonly body?: unknown;
}

/**
 * Sends a request to the mock at a URL. Resolves to the JSON of the response, or to an empty text. Rejects with
 * `TypeError` if the mock rejects the request, and with `Error` if no mock responds.
 */
async function send(url: string, { method, path, session, body }: EndpointRequest): Promise<string> {
  const headers = {
    ...(session !== "" && { "x-mock-session": session }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const content = body === undefined ? null : JSON.stringify(body, refuseUnsendable);
  const fail = (why: string, cause?: unknown) => new Error(`No mock responds at ${url}: ${why}`, { cause });
  const response = await fetch(`${url}/-/mock/${path}`, { method, headers, body: content }).catch((error: unknown) => {
    throw fail(messageOf(error), error);
  });
  const text = await response.text();
  const value = parseJson(text);
  const detail = stringOf(valueAt(value, ["detail"]));
  if (!response.ok && detail !== undefined) throw new TypeError(detail);
  if (!response.ok || (response.status !== 204 && !isObject(value) && !Array.isArray(value)))
    throw fail(`${method} /-/mock/${path} has the status ${response.status}, and no JSON`);
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
