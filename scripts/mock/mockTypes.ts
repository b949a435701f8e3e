/// <reference lib="esnext.disposable" preserve="true" />

/**
 * The options of the published package's mock.
 *
 * @example
 * const options: MockOptions = { generation: "v2", seed: "7", latency: [20, 80] };
 */
export interface MockOptions {
  /** A whole number from 0 to 65535. 0, the default, picks a free port. */
  readonly port?: number | undefined;
  /** A name or an address of this machine; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /**
   * The hosts that requests may be for beside `localhost` and its addresses, if the mock listens on one of these. On
   * another address it serves every host.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The one generation to serve; all by default. */
  readonly generation?: string | undefined;
  /** Generates responses from schemas, at random, instead of from examples. */
  readonly dynamic?: boolean | undefined;
  /** Answers with examples only: requests have no effect. */
  readonly stateless?: boolean | undefined;
  /** Where to keep what requests write, at most a second behind. It is read when the mock starts. */
  readonly stateFile?: string | undefined;
  /** How much requests may write, in MiB of JSON. 64 by default. */
  readonly stateLimit?: number | undefined;
  /** Makes random responses and faults the same each time. */
  readonly seed?: string | undefined;
  /** How much later than necessary every operation responds. */
  readonly latency?: Delay | undefined;
  /** The probability that a request fails with status 503, from 0 to 1. */
  readonly fail?: number | undefined;
  /**
   * Is called for each response before it is sent. Credentials are masked. If it throws, or returns a promise that
   * rejects, the process emits a warning, and the response is sent all the same.
   */
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined;
}

/**
 * A request as the mock recorded it.
 *
 * @example
 * const isRefused = ({ status, reason }: RequestEntry) => status >= 400 && reason !== undefined;
 */
export interface RequestEntry {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Why the request was refused, and what a fault rule did to it. */
  readonly reason?: string;
  /** Why the response is not what one might expect. */
  readonly note?: string;
  /** The stack trace of an exception inside the mock. */
  readonly exception?: string;
}

/**
 * Milliseconds, up to a minute; of two, each request gets a number between them.
 *
 * @example
 * const delay: Delay = [200, 800];
 */
export type Delay = number | readonly [least: number, most: number];

/**
 * What happens to requests instead of, or besides, the usual response.
 *
 * @example
 * const busy: FaultRule = { operation: "deleteTeam", status: 503, retryAfter: 2, times: 1 };
 */
export interface FaultRule {
  /** The `operationId` of the operation concerned; every operation without it. */
  readonly operation?: string;
  /** The generation of that operation; without it, each that has the operation. */
  readonly generation?: string;
  /** The status of a failure, from 400 to 599. The request then has no other effect. */
  readonly status?: number;
  /** The value of `Retry-After`, in seconds. */
  readonly retryAfter?: number;
  /** How much later than necessary the response begins. */
  readonly delay?: Delay;
  /** How fast the response's content arrives. */
  readonly bytesPerSecond?: number;
  /**
   * How the response breaks: the connection is reset before it, it ends halfway, or there is none. What the request asks
   * for is done all the same, unless the rule has a `status`.
   */
  readonly delivery?: "none" | "reset" | "truncated";
  /** To how many requests this happens; the rule is then removed. Without it, there is no end. */
  readonly times?: number;
  /** How likely it is that this happens to a request, from 0 to 1; 1 by default. */
  readonly probability?: number;
}

/**
 * The fault rules of a session. Of those that concern a request, the first applies.
 *
 * @example
 * const breakConnections = (faults: FaultRules) => faults.add({ delivery: "reset", probability: 0.1 });
 */
export interface FaultRules {
  readonly list: (session?: string) => readonly FaultRule[];
  /** Replaces all rules. Throws `TypeError` if one is not a rule, or names an operation that there is not. */
  readonly set: (rules: readonly FaultRule[], session?: string) => void;
  /** Adds a rule after the others. Throws as {@link FaultRules.set} does. */
  readonly add: (rule: FaultRule, session?: string) => void;
  readonly clear: (session?: string) => void;
}

/**
 * What requests wrote, as JSON.
 *
 * @example
 * const countOf = ({ resources }: MockState, type: string) => resources[type]?.length ?? 0;
 */
export interface MockState {
  /** By the names of their types. */
  readonly resources: Readonly<Record<string, readonly object[]>>;
  /** How many were created of a type, and how often a value was renewed. */
  readonly counters: Readonly<Record<string, number>>;
}

/**
 * A mock without a port. What takes the name of a session is about requests with that name in `x-mock-session`; without
 * it, about requests that name none.
 *
 * @example
 * const mock: InProcessMock = await createMock();
 * const client = createClient({ baseUrl: "http://localhost", fetch: mock.fetch });
 */
export interface InProcessMock {
  /**
   * Answers a request without sending it anywhere: for `createClient({ fetch: mock.fetch })`, and where there are no
   * sockets. Of the URL, only path and query count. Redirects are not followed.
   */
  readonly fetch: typeof globalThis.fetch;
  readonly faults: FaultRules;
  /** Forgets what requests wrote, which they were, and the fault rules. */
  readonly reset: (session?: string) => void;
  readonly state: (session?: string) => MockState;
  /** Continues with an earlier state. Throws `TypeError` if it does not fit the contract. */
  readonly restore: (state: MockState, session?: string) => void;
  /** The last 200 requests, the oldest first. */
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
  /** Without a slash at its end: the `baseUrl` of a client. */
  readonly url: string;
  /** Answers the requests in progress, and stops. Whoever calls it again waits for the same end. */
  readonly close: () => Promise<void>;
}
