import type * as openapiFetch from "./openapiFetch.ts";
import type { ParseAs } from "./openapiFetch.ts";
import type { ContractSchemas, ViolationOptions } from "./contractSchemas.ts";

/** The options of openapi-fetch's client, plus credentials and validation. */
export type ClientOptions<Auth, Paths> = ConnectionOptions<Auth> & ValidationOptions<Paths>;

interface ConnectionOptions<Auth> extends AllowUndefined<openapiFetch.ClientOptions> {
  /** Scheme, host and port, and optionally a path prefix. Credentials are sent only to this origin. */
  baseUrl: string;
  /**
   * The available credentials. An operation gets those of its first alternative for which all are given. With
   * `"none"`, the client neither requires nor adds any. Use this if a proxy, a cookie, middleware or
   * `headers` authorizes the calls.
   */
  auth?: Auth | "none" | undefined;
}

type ValidationOptions<Paths> = ViolationOptions &
  (
    | { validate?: false | undefined; schemas?: ContractSchemas<Paths> | undefined }
    | {
        /**
         * Validates the JSON bodies of requests before they are sent, and of successful responses. For a
         * violation, `throw` throws a ContractError, and `warn` only reports it.
         */
        validate: "warn" | "throw";
        /** The export `schemas` of the generation's module. */
        schemas: ContractSchemas<Paths>;
      }
  );

/** No client matches this type. */
type PathIsMissing = { readonly "the path is missing": never };

/**
 * The client of openapi-fetch for the operations of a contract, by lower-case method and path template. It
 * can be passed wherever a client of openapi-fetch is expected, because methods without operations also have
 * the contract's paths. The signature with `this` can't be called, but makes the client assignable: the
 * compiler doesn't relate a generic method that checks its options to one of openapi-fetch, which doesn't.
 */
export type Client<Operations, Paths> = {
  readonly [Method in keyof Operations & string as Uppercase<Method>]: {
    (this: PathIsMissing): never;
    <Path extends keyof Operations[Method], As extends ParseAs = "json">(
      path: Path,
      ...paramsAndBody: InitArgument<Init<Operations[Method][Path], As>>
    ): Promise<Result<Operations[Method][Path], As>>;
  };
} & {
  /**
   * Never set. It distinguishes the clients of two contracts, which TypeScript 7 would treat as the same
   * type.
   */
  readonly "~contract"?: Operations;
  readonly request: {
    (this: PathIsMissing): never;
    <Method extends keyof Operations & string, Path extends keyof Operations[Method], As extends ParseAs = "json">(
      method: Method,
      path: Path,
      ...paramsAndBody: InitArgument<Init<Operations[Method][Path], As>>
    ): Promise<Result<Operations[Method][Path], As>>;
  };
} & Omit<openapiFetch.Client<AllPaths<Operations, Paths>>, Uppercase<keyof Operations & string> | "request">;

type AllPaths<Operations, Paths> = {
  [Path in keyof Paths]: {
    [Method in keyof Paths[Path]]: Method extends keyof Operations
      ? Path extends keyof Operations[Method]
        ? Operations[Method][Path]
        : Paths[Path][Method]
      : Paths[Path][Method];
  };
};

/** The options of a call of one operation: those of fetch and of openapi-fetch, its parameters and its body. */
export type InitOfOne<Operation, As extends ParseAs> = CallOptions<Operation, As> &
  Parameters<Operation> &
  Body<Operation>;

/**
 * The options of a call of one of several operations. The type distributes over operations as a whole, because unions of 500
 * parameters and 500 bodies together are more than the compiler can represent. `InitOfOne` is written out for speed.
 *
 * @example
 * const init: Init<Operations["get"]["/v1/attendees/{id}"], "json"> = { params: { path: { id: 4711 } } };
 */
export type Init<Operation, As extends ParseAs> = Operation extends unknown
  ? CallOptions<Operation, As> & Parameters<Operation> & Body<Operation>
  : never;

/** The options of a call that don't depend on its operation, most of them those of fetch. */
export type FetchOptions = Omit<
  openapiFetch.ClientOptions,
  "body" | "method" | "fetch" | "querySerializer" | "bodySerializer" | "requestInitExt"
>;

interface CallOptions<Operation, As> extends AllowUndefined<FetchOptions> {
  fetch?: openapiFetch.ClientOptions["fetch"] | undefined;
  middleware?: openapiFetch.Middleware[] | undefined;
  parseAs?: (As & ParseAs) | undefined;
  querySerializer?: openapiFetch.QuerySerializer<Operation> | openapiFetch.QuerySerializerOptions | undefined;
  bodySerializer?: openapiFetch.BodySerializer<Operation> | undefined;
}

/** Options that may also be `undefined`, for `exactOptionalPropertyTypes`. */
type AllowUndefined<Options> = { [Name in keyof Options]: Options[Name] | undefined };

// `infer` would take 8 % more instantiations at 1,000 operations.
type Parameters<Operation> = Operation extends { parameters: object }
  ? object extends Operation["parameters"]
    ? { params?: Operation["parameters"] | undefined }
    : { params: Operation["parameters"] }
  : unknown;

type Body<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: Content[keyof Content] }
  : Operation extends { requestBody?: { content: infer Content } }
    ? { body?: Content[keyof Content] | undefined }
    : unknown;

/**
 * The arguments after the path of a call: its options, which are optional if none of them is required.
 *
 * @example
 * const attendees = (...init: InitArgument<Init<Operations["get"]["/v1/attendees"], "json">>) =>
 *   client.GET("/v1/attendees", ...init);
 */
export type InitArgument<I> = object extends I ? [init?: I] : [init: I];

/**
 * The result of a call. If `data` is not `undefined`, the call succeeded. Failures that the contract doesn't
 * describe have the type `unknown`. A call rejects with an `ApiError` if a success lacks a body that the
 * contract has.
 *
 * @example
 * const show = ({ data, error }: Result<Operations["get"]["/v1/attendees"]>) => console.log(data?.attendees ?? error);
 */
export type Result<Operation, As extends ParseAs = "json"> =
  | Success<As extends "json" ? Data<Operation> : RawData[As & keyof RawData] | NoData<Data<Operation>>>
  | Failure<Problem<Operation>>;

/**
 * The result of a successful call.
 *
 * @example
 * const statusOf = ({ response }: Success<unknown> | Failure<unknown>) => response.status;
 */
export interface Success<D> {
  data: D;
  error?: never;
  response: Response;
}

/**
 * The result of a failed call.
 *
 * @example
 * const report = ({ error, response }: Failure<unknown>) => console.error(response.status, error);
 */
export interface Failure<E> {
  data?: never;
  error: E;
  response: Response;
}

interface RawData {
  text: string;
  blob: Blob;
  arrayBuffer: ArrayBuffer;
  stream: ReadableStream<Uint8Array> | null;
}

/** A success may have no body if the contract doesn't require one, however it is read. */
type NoData<D> = undefined extends D ? undefined : never;

type Responses<Operation> = Operation extends { responses: infer R } ? R : never;

/** The success status codes (`201`, `2XX`) among an operation's responses. */
type SuccessStatus<R> = {
  [Status in keyof R & (string | number)]: `${Status}` extends `2${string}` ? Status : never;
}[keyof R & (string | number)];

export type Data<Operation> = ContentOf<Responses<Operation>, SuccessStatus<Responses<Operation>>>;

type Problem<Operation> = ContentOf<
  Responses<Operation>,
  Exclude<keyof Responses<Operation>, SuccessStatus<Responses<Operation>>>
>;

/** The bodies of some responses. `unknown` if the contract has none of these responses. */
type ContentOf<R, Status extends keyof R> = [Status] extends [never]
  ? unknown
  : { [S in Status]: R[S] extends { content: infer Content } ? Content[keyof Content] : undefined }[Status];

/**
 * An operation with the method HEAD, whose responses have no bodies even if the contract has content for
 * them.
 */
export type WithoutContent<Operation> = Operation extends { responses: infer R }
  ? Omit<Operation, "responses"> & { responses: { [Status in keyof R]: Omit<R[Status], "content"> } }
  : Operation;

/**
 * A value that `JSON.stringify` writes as text, such as a `Temporal.Instant`.
 *
 * @example
 * const start: TimeLike = new Date("2026-03-17T13:00:00Z");
 */
export interface TimeLike {
  toJSON(): string;
}

/** An operation that also takes a `Date` or a {@link TimeLike} in the given places of its request. */
export type WithDates<Part, Places> = Places extends true
  ? Part | Date | TimeLike
  : Part extends object
    ? { [Key in keyof Part]: Key extends keyof Places ? WithDates<Part[Key], Places[Key]> : Part[Key] }
    : Part;

/** An operation whose client-set headers are optional. */
export type WithOptionalHeaders<Operation, Name extends string> = Operation extends {
  parameters: infer P extends { header?: unknown };
}
  ? Omit<Operation, "parameters"> & {
      parameters: Omit<P, "header"> & {
        header?:
          | (Omit<NonNullable<P["header"]>, Name> & {
              [Header in Name & keyof NonNullable<P["header"]>]?: NonNullable<P["header"]>[Header] | undefined;
            })
          | undefined;
      };
    }
  : Operation;
