/// <reference lib="esnext.disposable" preserve="true" />

import type { MockContract } from "./mockContract.ts";
import type { DefaultResponse } from "./responseTypes.ts";

type Operations = MockContract["operations"];

/**
 * Name of a generation of the contract.
 *
 * @example
 * const generation: GenerationName = "v2";
 */
export type GenerationName = keyof Operations;

/**
 * `operationId` of an operation of the contract.
 *
 * @example
 * const operation: OperationId = "getOrganizationTeam";
 */
export type OperationId = { readonly [Name in GenerationName]: keyof Operations[Name] }[GenerationName];

/**
 * Name of a type of resources in the contract.
 *
 * @example
 * const type: ResourceName = "Team";
 */
export type ResourceName = MockContract["resource"];

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
   * Hosts that requests may name besides `localhost`. At an address that isn't a loopback address, the mock
   * serves all hosts.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may use the endpoints under `/-/mock/`, such as `http://localhost:5173`. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The only generation to serve, such as `v2`. Default: all generations. */
  readonly generation?: GenerationName | undefined;
  /** Generate random responses from schemas instead of responding with examples. Default: `false`. */
  readonly dynamic?: boolean | undefined;
  /** Be stateless, and respond with examples only. Default: `false`. */
  readonly stateless?: boolean | undefined;
  /** File that keeps the state. It is read when the mock starts, and written at most a second after each change. */
  readonly stateFile?: string | undefined;
  /** Resources that exist from the beginning, in each session and after each reset. */
  readonly seedState?: SeedState | undefined;
  /** Status for resources that were neither seeded nor created, or for those of some types. Default: everything exists. */
  readonly unknown?: 404 | { readonly [Name in ResourceName]?: 404 } | undefined;
  /** Memory limit for the state and the rules of all sessions, in MiB. Default: 64. */
  readonly stateLimit?: number | undefined;
  /** Seed that makes random responses and faults repeatable. */
  readonly seed?: string | undefined;
  /** Delay added to every response, in milliseconds. */
  readonly latency?: Delay | undefined;
  /** Probability that a request fails with status 503, from 0 to 1. Default: 0. */
  readonly fail?: number | undefined;
  /**
   * Reject requests that violate the contract. With `false`, the mock responds as if they were valid, and their entries have
   * the violations. It still rejects bodies that it can't read. Default: `true`.
   */
  readonly validate?: boolean | undefined;
  /** Largest accepted request body, in bytes, from 1 to 67,108,864. Default: 1 MiB. */
  readonly bodyLimit?: number | undefined;
  /** Accept request bodies with `Content-Encoding: gzip`. Default: `false`. */
  readonly gzip?: boolean | undefined;
  /** Server to forward requests to, as a URL or as options. Default: the mock responds itself. */
  readonly upstream?: string | Upstream | undefined;
  /** Called before each response is sent. Credentials in the entry are masked. If it fails, the process emits a warning. */
  readonly onResponse?: ((entry: RequestEntry) => void) | undefined;
}

/**
 * Resources by the names of their types. Each has the properties that responses show, and the path parameters that lead to
 * it. Other properties come from the contract's example.
 *
 * @example
 * const seedState: SeedState = { Team: [{ id: 7, orgId: 42, name: "Radiology" }] };
 */
export type SeedState = { readonly [Name in ResourceName]?: readonly Readonly<Record<string, unknown>>[] };

/**
 * A server that the mock forwards requests to. It checks the responses, and returns them unchanged.
 *
 * @example
 * const upstream: Upstream = { url: "https://api.example.com", operations: ["getOrganizationTeam"] };
 */
export interface Upstream {
  /** URL that the paths of operations are appended to. */
  readonly url: string;
  /** `operationId`s of the operations to forward. The mock responds to all others itself. Default: all requests. */
  readonly operations?: readonly OperationId[] | undefined;
  /** Responds with an error if a request or its response violates the contract. Default: `false`. */
  readonly errors?: boolean | undefined;
  /** Timeout for a whole response, in milliseconds. Default: 30,000. */
  readonly timeout?: number | undefined;
}

/**
 * A request for an operation, as the mock has read it.
 *
 * @example
 * const isForTeam = ({ operation, path }: ReceivedRequest) => operation === "getOrganizationTeam" && path["teamId"] === "7";
 */
export interface ReceivedRequest {
  readonly method: string;
  /** `operationId` of the operation. `undefined` if it has none. */
  readonly operation: OperationId | undefined;
  /** Generation of that operation. */
  readonly generation: GenerationName;
  /** Path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Query parameters. A repeated parameter has an array. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body if it is JSON, a form or text. */
  readonly body?: unknown;
}

/** A violation of the contract, or a doubt about a response, as an object. Parts that a message doesn't have are absent. */
interface Finding {
  /** `doubt` if the contract doesn't specify whether the response violates it. */
  readonly kind: "doubt" | "violation";
  readonly direction: "request" | "response";
  /** What is violated: a keyword of JSON Schema, such as `type`, or another part of the contract, such as `credentials`. */
  readonly code: string;
  readonly in?: "body" | "cookie" | "header" | "method" | "path" | "query" | "status";
  /** Name of a parameter or header. */
  readonly name?: string;
  /** JSON Pointer to a value of the body. In a response, it has `*` for the items of lists. */
  readonly pointer?: string;
  /** What the contract says about the place, such as `must be a string`. */
  readonly rule?: string;
  /** The valid values, the valid type, or another limit. */
  readonly expected?: unknown;
  /** The received value as short JSON text. Absent if nothing was received, or if the value may be secret. */
  readonly received?: string;
  /** Names of the required properties that an object in a response lacks. */
  readonly lacks?: readonly string[];
  /** How many violations this one stands for, of a body that has more than are listed. 0 if that is unknown. */
  readonly more?: number;
  /** All of it in words. */
  readonly message: string;
}

/**
 * A request that the mock has responded to. Credentials are masked. Fields that depend on an operation may be absent.
 *
 * @example
 * const isRefused = ({ status, reason }: RequestEntry) => status >= 400 && reason !== undefined;
 */
export interface RequestEntry extends Partial<ReceivedRequest> {
  /** Greater than that of each earlier response, also after a restart. */
  readonly id: number;
  /** When the request arrived, in ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Name of the session. Absent for requests without `x-mock-session`. */
  readonly session?: string;
  /** Status of the response. A client gets none if {@link InjectedFault.delivery} is `reset` or `none`. */
  readonly status: number;
  /**
   * Body of the response: parsed JSON, or text. Bodies above 64 KiB and other content are only described. Except in
   * Node.js 20, a number that JavaScript would round is a text of its digits.
   */
  readonly responseBody?: unknown;
  /** Time from the request to the response. */
  readonly milliseconds: number;
  /** Why the mock rejected the request, or which fault it injected. */
  readonly reason?: string;
  /** Why the mock rejected the request, without the fault and without the number of violations. */
  readonly refusal?: {
    readonly text: string;
    /** True if the text consists of the first messages of several violations. */
    readonly isSummary?: true;
  };
  /** The violations and doubts as objects. */
  readonly findings?: readonly Finding[];
  /** Contract violations in a rejected request, or in a forwarded request and in its response. */
  readonly violations?: readonly string[];
  /** JSON Pointers to the values in the body that violate the contract. */
  readonly pointers?: readonly string[];
  /** `id` of the override that responded. */
  readonly override?: string;
  /** The fault in the response. */
  readonly fault?: InjectedFault;
  /** Why the response differs from the expected one. Its beginning is in the response's `x-mock-note` header. */
  readonly note?: string;
  /** Places of a forwarded response that lack what the contract may require. They are in `x-mock-note`, too. */
  readonly doubts?: readonly string[];
  /** True if the client left before the response. */
  readonly left?: true;
  /** The bodies that have only a description in words, because they are too large to keep, or neither JSON nor text. */
  readonly described?: readonly ("body" | "responseBody")[];
  /** Stack trace of an exception inside the mock. */
  readonly exception?: string;
}

/**
 * A fault that the mock injected into a response.
 *
 * @example
 * const isBroken = ({ fault }: RequestEntry) => fault?.delivery !== undefined;
 */
export interface InjectedFault {
  /** `id` of the fault rule. Absent for a failure of the option `fail`. */
  readonly rule?: string;
  /** How the connection broke. Absent if the response was delivered whole. */
  readonly delivery?: "none" | "reset" | "truncated";
}

/**
 * The requests to list. Each member that is present must match.
 *
 * @example
 * const deletions: RequestFilter = { operation: "deleteTeam", status: 204 };
 */
export interface RequestFilter {
  /** `operationId` of the operation. */
  readonly operation?: OperationId | undefined;
  /** Generation of that operation. */
  readonly generation?: GenerationName | undefined;
  readonly method?: string | undefined;
  /** Status of the response. */
  readonly status?: number | undefined;
  /** `id` of an entry. Only the entries after it match. */
  readonly after?: number | undefined;
  /** Name of the session. Default: the one of requests without `x-mock-session`. */
  readonly session?: string | undefined;
}

/**
 * Delay in milliseconds, at most 60,000. A pair gives each request a random delay between its two numbers.
 *
 * @example
 * const delay: Delay = [200, 800];
 */
export type Delay = number | readonly [least: number, most: number];

/** Fields that all kinds of rules share. */
interface CommonRule {
  /** Name that the rule can be removed by. No other rule of its kind in the session has it. Default: a number. */
  readonly id?: string;
  /** `operationId` of the operation that the rule applies to. Default: all operations. */
  readonly operation?: OperationId;
  /** Generation of that operation. Default: all generations that have it. */
  readonly generation?: GenerationName;
  /** Number of requests that the rule applies to before it is removed. Default: no limit. */
  readonly times?: number;
}

interface FaultFields extends CommonRule {
  /** Status to fail with, from 400 to 599. The request then has no other effect. */
  readonly status?: number;
  /** Value of the `Retry-After` header, in seconds. */
  readonly retryAfter?: number;
  /** Delay added to the response, in milliseconds. */
  readonly delay?: Delay;
  /** Speed at which the response's content is sent. */
  readonly bytesPerSecond?: number;
  /** `reset` closes the connection before the response, `truncated` halfway through it, and `none` sends nothing. */
  readonly delivery?: Required<InjectedFault>["delivery"];
  /** Probability that the rule applies to a request, from 0 to 1. Default: 1. */
  readonly probability?: number;
}

/** One of these fields is required. */
type FaultEffect = "bytesPerSecond" | "delay" | "delivery" | "status";

/**
 * A fault to inject into responses. At least one of `status`, `delay`, `bytesPerSecond` and `delivery` is required.
 *
 * @example
 * const busy: FaultRule = { operation: "deleteTeam", status: 503, retryAfter: 2, times: 1 };
 */
export type FaultRule = FaultFields & { [Effect in FaultEffect]: Required<Pick<FaultFields, Effect>> }[FaultEffect];

/**
 * A response that replaces the mock's own.
 *
 * @example
 * const respond = { status: 404, body: { message: "Team not found." } } as const;
 * const missing: OverrideRule = { operation: "getOrganizationTeam", when: { path: { teamId: 7 } }, respond };
 */
export type OverrideRule<Id extends OperationId = OperationId> = Id extends OperationId
  ? CommonRule & OverrideFields<Id>
  : never;

interface OverrideFields<Id extends OperationId> {
  /** `operationId` of the operation that the rule applies to. */
  readonly operation: Id;
  /**
   * The rule applies to requests that have everything named here. Parameters and headers are compared as text. Objects
   * in the body match if they have the members named here. Default: all requests for the operation.
   */
  readonly when?: {
    readonly path?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  };
  /** The response, or a function that makes one. If it returns `undefined`, the rule doesn't apply to the request. */
  readonly respond:
    | OverrideResponse<Id>
    | ((request: ReceivedRequest) => OverrideResponse<Id> | undefined | Promise<OverrideResponse<Id> | undefined>);
}

/**
 * Response of an {@link OverrideRule}, which must be one that the contract describes, unless it is `unchecked`.
 *
 * @example
 * const empty: OverrideResponse<"listOrganizationSchedules"> = { body: { status: "success", data: [], error: {} } };
 */
export type OverrideResponse<Id extends OperationId = OperationId> =
  | (ContractResponse<Id> & ResponseFields & { readonly unchecked?: false })
  | (DefaultResponse<number, unknown, string> & ResponseFields & { readonly unchecked: true });

/** The responses that the contract describes for an operation. */
type ContractResponse<Id extends OperationId> = {
  readonly [Name in GenerationName]: Id extends keyof Operations[Name] ? Operations[Name][Id] : never;
}[GenerationName];

interface ResponseFields {
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Changes to the mock's response, instead of a body. With a `status` or an `example`, they are changes to the
   * contract's example, and the request has no other effect. Objects are merged. Anything else replaces what is
   * there, and so does `null`: this isn't JSON Merge Patch.
   */
  readonly patch?: unknown;
  /** Allows responses that violate the contract. Default: `false`. */
  readonly unchecked?: boolean;
}

/**
 * A rule in a session with its id, and the number of requests that it has applied to. The number is ignored when a
 * rule is set.
 *
 * @example
 * const isUnused = ({ used }: ListedRule<OverrideRule>) => used === 0;
 */
export type ListedRule<Rule> = Rule & { readonly id: string; readonly used: number };

/**
 * The rules of one kind in a session. The first rule that matches a request applies.
 *
 * @example
 * const breakConnections = (faults: Rules<FaultRule>) => faults.add({ delivery: "reset", probability: 0.1 });
 */
export interface Rules<Rule> {
  /** Returns the current rules. */
  readonly list: (session?: string) => readonly ListedRule<Rule>[];
  /**
   * Replaces all rules. Throws `TypeError` if a rule is invalid, if it names an unknown operation, or if the
   * rules take too much memory.
   */
  readonly set: (rules: readonly Rule[], session?: string) => void;
  /** Appends a rule, and returns its id. Throws `TypeError` as {@link Rules.set} does. */
  readonly add: (rule: Rule, session?: string) => string;
  /** Removes a rule by its id. Throws `TypeError` if no rule has it, for example after its last use. */
  readonly remove: (id: string, session?: string) => void;
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
 * A request to wait for.
 *
 * @example
 * const deletion: AwaitedRequest = { operation: "deleteTeam", timeout: 10_000 };
 */
export interface AwaitedRequest extends RequestFilter {
  /** Longest time to wait, in milliseconds, at most 60,000. Default: 5,000. */
  readonly timeout?: number;
}

/**
 * A session of a mock.
 *
 * @example
 * const namesOf = (entries: readonly SessionEntry[]) => entries.map(({ name }) => name);
 */
export interface SessionEntry {
  /** Name of the session. Empty for the one that requests without a session name share. */
  readonly name: string;
  /** When the session was last used, in ISO 8601. */
  readonly lastUsed: string;
  /** Number of its kept requests. */
  readonly requests: number;
  /** Number of its written resources. */
  readonly resources: number;
}

/**
 * The sessions of a mock.
 *
 * @example
 * const endAll = (mock: InProcessMock) => mock.sessions.end();
 */
export interface MockSessions {
  /** Returns the sessions, the least recently used first. */
  readonly list: () => readonly SessionEntry[];
  /** Ends a session, or all sessions. It then has no state, requests and rules. */
  readonly end: (name?: string) => void;
}

/**
 * A mock that runs inside the process, without a port. Functions that take a session apply to requests whose
 * `x-mock-session` header has that name. If no session is given, they apply to requests without the header.
 *
 * @example
 * const mock: InProcessMock = await createMock();
 * const client = createClient({ baseUrl: "http://localhost", fetch: mock.fetch });
 */
export interface InProcessMock {
  /** Responds to a request inside the process. The URL's origin is ignored, and redirects are not followed. */
  readonly fetch: typeof globalThis.fetch;
  /** Fault rules, which can change at any time. */
  readonly faults: Rules<FaultRule>;
  /** Responses that replace the mock's own. They can change at any time. */
  readonly overrides: Rules<OverrideRule>;
  /** Clears the session's written data, requests and rules. */
  readonly reset: (session?: string) => void;
  /** Returns a copy of the session's written data. Seeded resources are left out. */
  readonly state: (session?: string) => MockState;
  /** Replaces the session's state. Throws `TypeError` if the state doesn't fit the contract. */
  readonly restore: (state: MockState, session?: string) => void;
  /** Replaces the session's state with resources. Throws `TypeError` if they don't fit the contract. */
  readonly seed: (resources: SeedState, session?: string) => void;
  /** The sessions. */
  readonly sessions: MockSessions;
  /**
   * Resolves to the first request in the list that matches a filter, or to the next one if none does yet. Rejects
   * if none comes in time, and with `TypeError` if no request can match.
   */
  readonly waitForRequest: (awaited?: AwaitedRequest) => Promise<RequestEntry>;
  /**
   * Returns the last 200 requests of a session, oldest first, or those of them that match a filter. Throws `TypeError`
   * if no request can match, for example because no operation has the `operationId`.
   */
  readonly requests: (filter?: RequestFilter | string) => readonly RequestEntry[];
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
  /**
   * Stops the mock. Requests in progress still get their responses `within` some milliseconds, 800 by default.
   * Then their connections are closed.
   */
  readonly close: (options?: { readonly within?: number }) => Promise<void>;
}

/**
 * An object whose functions return promises.
 *
 * @example
 * const isQuiet = async (mock: Promised<Pick<InProcessMock, "requests">>) => (await mock.requests()).length === 0;
 */
export type Promised<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Promised<T[Name]>;
};

/**
 * An override for a mock in another process, whose response can't be a function.
 *
 * @example
 * const none: SentOverrideRule = { operation: "listOrganizationSchedules", respond: { example: "none" } };
 */
export type SentOverrideRule<Id extends OperationId = OperationId> = Id extends OperationId
  ? Omit<OverrideRule<Id>, "respond"> & { readonly respond: OverrideResponse<Id> }
  : never;

/**
 * A mock in another process. Its functions are those of {@link InProcessMock}, and return promises. They reject
 * where those throw, and if no mock responds.
 *
 * @example
 * const resetFor = (mock: ConnectedMock, test: string) => mock.session(test).reset();
 */
export interface ConnectedMock extends Promised<Omit<InProcessMock, "fetch" | "overrides">> {
  /** URL of the mock without a trailing slash: the `baseUrl` of a client. */
  readonly url: string;
  /** Responses that replace the mock's own. They can change at any time. */
  readonly overrides: Promised<Rules<SentOverrideRule>>;
  /** Returns an object whose functions apply to one session, unless they name another one. */
  readonly session: (name: string) => ConnectedMock;
}
