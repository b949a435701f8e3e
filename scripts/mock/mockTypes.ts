/// <reference lib="esnext.disposable" preserve="true" />

/**
 * Options of `startMock` and `createMock`.
 *
 * @example
 * const options: MockOptions = { generation: "v2", seed: "7", latency: [20, 80] };
 */
export interface MockOptions {
  /** Port to listen on, from 0 to 65535. Default: 0, which picks a free port. */
  readonly port?: number | undefined;
  /** Name or address of this machine to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Hosts that requests may name besides `localhost` and its addresses, if the mock listens on a loopback address. On any
   * other address, the mock serves all hosts.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The only generation to serve, such as `v2`. Default: all generations. */
  readonly generation?: string | undefined;
  /** Generate random responses from schemas instead of responding with examples. Default: `false`. */
  readonly dynamic?: boolean | undefined;
  /** Respond with examples only, and remember nothing. Default: `false`. */
  readonly stateless?: boolean | undefined;
  /** File that keeps the state. It is read when the mock starts, and written at most a second after each change. */
  readonly stateFile?: string | undefined;
  /** Maximum size of the state, in MiB of JSON. Default: 64. */
  readonly stateLimit?: number | undefined;
  /** Seed for random responses and faults, which are then the same each time. */
  readonly seed?: string | undefined;
  /** Delay added to every response, in milliseconds. */
  readonly latency?: Delay | undefined;
  /** Probability that a request fails with status 503, from 0 to 1. Default: 0. */
  readonly fail?: number | undefined;
  /**
   * Called before each response is sent. Credentials in the entry are masked. If the function throws, or returns a promise
   * that rejects, the process emits a warning, and the response is sent anyway.
   */
  readonly onResponse?: ((entry: RequestEntry) => void) | undefined;
}

/**
 * A request that the mock has responded to.
 *
 * @example
 * const isRefused = ({ status, reason }: RequestEntry) => status >= 400 && reason !== undefined;
 */
export interface RequestEntry {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  /** Time from the request to the response. */
  readonly milliseconds: number;
  /** Why the mock rejected the request, or which fault it injected. */
  readonly reason?: string;
  /** Why the response differs from what one might expect. */
  readonly note?: string;
  /** Stack trace of an exception inside the mock. */
  readonly exception?: string;
}

/**
 * Delay in milliseconds, at most 60,000. A pair gives each request a random delay between its two numbers.
 *
 * @example
 * const delay: Delay = [200, 800];
 */
export type Delay = number | readonly [least: number, most: number];

/**
 * A fault to inject into responses. At least one of `status`, `delay`, `bytesPerSecond` and `delivery` is required.
 *
 * @example
 * const busy: FaultRule = { operation: "deleteTeam", status: 503, retryAfter: 2, times: 1 };
 */
export interface FaultRule {
  /** `operationId` of the operation that the rule applies to. Default: all operations. */
  readonly operation?: string;
  /** Generation of that operation. Default: all generations that have it. */
  readonly generation?: string;
  /** Status to fail with, from 400 to 599. The request then has no other effect. */
  readonly status?: number;
  /** Value of the `Retry-After` header, in seconds. */
  readonly retryAfter?: number;
  /** Delay added to the response, in milliseconds. */
  readonly delay?: Delay;
  /** Speed at which the response's content is sent. */
  readonly bytesPerSecond?: number;
  /**
   * Breaks the response: `reset` closes the connection before it, `truncated` halfway through it, and `none` sends nothing.
   * The request takes effect anyway, unless the rule has a `status`.
   */
  readonly delivery?: "none" | "reset" | "truncated";
  /** Number of requests that the rule applies to before it is removed. Default: no limit. */
  readonly times?: number;
  /** Probability that the rule applies to a request, from 0 to 1. Default: 1. */
  readonly probability?: number;
}

/**
 * The fault rules of a session. The first rule that matches a request applies.
 *
 * @example
 * const breakConnections = (faults: FaultRules) => faults.add({ delivery: "reset", probability: 0.1 });
 */
export interface FaultRules {
  /** Returns the current rules. */
  readonly list: (session?: string) => readonly FaultRule[];
  /** Replaces all rules. Throws `TypeError` if a rule is invalid or names an unknown operation. */
  readonly set: (rules: readonly FaultRule[], session?: string) => void;
  /** Adds a rule after the others. Throws `TypeError` as {@link FaultRules.set} does. */
  readonly add: (rule: FaultRule, session?: string) => void;
  /** Removes all rules. */
  readonly clear: (session?: string) => void;
}

/**
 * State of a mock, as JSON. Treat its members as opaque.
 *
 * @example
 * const countOf = ({ resources }: MockState, type: string) => resources[type]?.length ?? 0;
 */
export interface MockState {
  /** Resources by type. */
  readonly resources: Readonly<Record<string, readonly object[]>>;
  /** Number of resources created of each type, and of values renewed. */
  readonly counters: Readonly<Record<string, number>>;
}

/**
 * A mock that runs inside the process, without a port. Functions that take a session apply to requests whose
 * `x-mock-session` header has that name; without one, to requests without the header.
 *
 * @example
 * const mock: InProcessMock = await createMock();
 * const client = createClient({ baseUrl: "http://localhost", fetch: mock.fetch });
 */
export interface InProcessMock {
  /**
   * Responds to a request inside the process. Pass it to a client: `createClient({ fetch: mock.fetch })`. The URL's origin
   * is ignored, and redirects are not followed.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Fault rules, which can change at any time. */
  readonly faults: FaultRules;
  /** Removes the session's state, requests and fault rules. */
  readonly reset: (session?: string) => void;
  /** Returns a copy of the session's state. */
  readonly state: (session?: string) => MockState;
  /** Replaces the session's state. Throws `TypeError` if it does not fit the contract. */
  readonly restore: (state: MockState, session?: string) => void;
  /** Returns the last 200 requests, oldest first. */
  readonly requests: (session?: string) => readonly RequestEntry[];
}

/**
 * A mock that listens on a port.
 *
 * @example
 * await using mock: Mock = await startMock();
 * const client = createClient({ baseUrl: mock.url });
 */
export interface Mock extends InProcessMock, AsyncDisposable {
  /** URL of the mock without a trailing slash: the `baseUrl` of a client. */
  readonly url: string;
  /** Stops the mock after it has responded to the requests in progress. */
  readonly close: () => Promise<void>;
}
