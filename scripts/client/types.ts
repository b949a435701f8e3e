import type * as openapiFetch from "./openapiFetch.ts";
import type { ParseAs } from "./openapiFetch.ts";
import type { ContractSchemas, ViolationOptions } from "./contractSchemas.ts";

/** The options of a client: those of openapi-fetch's client, plus credentials and validation. */
export type ClientOptions<Auth, Name> = OptionsWithBaseUrl<Auth, Name> | OptionsWithBaseUrlAndSchemas<Auth, Name>;

/** The options of a client that doesn't validate. The compiler's errors have the names of these types. */
export type OptionsWithBaseUrl<Auth, Name> = ConnectionOptions<Auth> & WithoutValidation<Name>;

/** The options of a client that validates. */
export type OptionsWithBaseUrlAndSchemas<Auth, Name> = ConnectionOptions<Auth> & WithValidation<Name>;

interface WithoutValidation<Name> {
  /**
   * Validates the JSON bodies of requests before they are sent, and of successful responses. For a
   * violation, `"throw"` throws a ContractError, and `"warn"` only reports it. Both need `schemas`.
   */
  validate?: false | undefined;
  /** The export `schemas` of the generation's module, to validate with. */
  schemas?: ContractSchemas<Name> | undefined;
}

interface WithValidation<Name> {
  /**
   * Validates the JSON bodies of requests before they are sent, and of successful responses. For a
   * violation, `"throw"` throws a ContractError, and `"warn"` only reports it. Both need `schemas`.
   */
  validate: "warn" | "throw";
  /** The export `schemas` of the generation's module, to validate with. */
  schemas: ContractSchemas<Name>;
}

/**
 * The options that both types share. An editor shows the comment of a member of a union only if its alternatives
 * have the same one. They don't if this is an interface, which each alternative has a copy of.
 */
type ConnectionOptions<Auth> = SharedOptions &
  ViolationOptions & {
    /** Scheme, host and port, and optionally a path prefix. Credentials are sent only to this origin. */
    baseUrl: string;
    /**
     * The available credentials. An operation gets those of its first alternative for which all are given. With
     * `"none"`, the client neither requires nor adds any. Use this if a proxy, a cookie, middleware or
     * `headers` authorizes the calls.
     */
    auth?: Auth | "none" | undefined;
    /** Writes query parameters: a function, or the styles of arrays and objects. */
    querySerializer?: FetchClientOptions["querySerializer"] | undefined;
    /** Writes the body of a request. Default: JSON, or the form that the contract has. */
    bodySerializer?: FetchClientOptions["bodySerializer"] | undefined;
    /** Passed to `fetch` as its second argument, for options that a `Request` can't hold. */
    requestInitExt?: FetchClientOptions["requestInitExt"] | undefined;
  };

type FetchClientOptions = Required<openapiFetch.ClientOptions>;

/** Members that a call decides, and those documented below. */
type OwnNames = "body" | "headers" | "method" | "priority" | "window";

/** Options that may also be `undefined`, for `exactOptionalPropertyTypes`. */
type AllowUndefined<Options> = { [Name in keyof Options]: Options[Name] | undefined };

/** The options of fetch and of openapi-fetch that both a client and a call have. */
interface SharedOptions extends AllowUndefined<Omit<RequestInit, OwnNames>> {
  /** Headers of the request. `null` removes a header. Parameters of the contract belong in `params.header`. */
  headers?: FetchClientOptions["headers"] | undefined;
  /** Sends the request. Default: the platform's `fetch`. */
  fetch?: openapiFetch.ClientOptions["fetch"] | undefined;
  /** The class of requests. Default: the platform's `Request`. */
  Request?: FetchClientOptions["Request"] | undefined;
  /** Replaces the parameters in a path template. Default: percent-encodes their values. */
  pathSerializer?: FetchClientOptions["pathSerializer"] | undefined;
  /** The priority of the request among the requests of a page. */
  priority?: "auto" | "high" | "low" | undefined;
}

/**
 * The client of openapi-fetch for the operations of a contract, by lower-case method and path template. It
 * can be passed wherever a client of openapi-fetch is expected, because methods without operations also have
 * the contract's paths. So has `TRACE`, which `fetch` refuses to send: other libraries find the paths there.
 */
export type Client<Operations, Paths> = {
  readonly [Method in Overridden<Operations> as Uppercase<Method>]: Related<Operations, CallByPath<Operations, Method>>;
} & {
  readonly request: Related<Operations, CallByMethod<Operations>>;
} & Omit<openapiFetch.Client<AllPaths<Operations, Paths>>, Uppercase<Overridden<Operations>> | "request">;

type Overridden<Operations> = Exclude<keyof Operations & string, "trace">;

// Aliases, because the declaration files of consumers, which repeat these types, cannot name an interface.
type CallByPath<Operations, Method extends keyof Operations> = {
  /**
   * Calls an operation, by its path template. Resolves to an object with `data` after a success, and with
   * `error` after a failure. `unwrap` resolves to the data alone.
   */
  <Path extends keyof Operations[Method], As extends ParseAs = "json">(
    path: Path,
    ...paramsAndBody: InitArgument<Init<Operations[Method][Path], As>>
  ): Promise<Result<Operations[Method][Path], As>>;
};

type CallByMethod<Operations> = {
  /**
   * Calls an operation, by its method in lower case and its path template. Resolves to an object with
   * `data` after a success, and with `error` after a failure.
   */
  <Method extends keyof Operations & string, Path extends keyof Operations[Method], As extends ParseAs = "json">(
    method: Method,
    path: Path,
    ...paramsAndBody: InitArgument<Init<Operations[Method][Path], As>>
  ): Promise<Result<Operations[Method][Path], As>>;
};

/**
 * A function that can be passed as a method of openapi-fetch's client. The compiler doesn't relate a generic
 * method that checks its options to one that doesn't, but it finds the other signature, which can't be called. A
 * union has only the signatures that all of its members have, so editors and the compiler's errors show the
 * callable one alone. The other differs between the members in the number of its type parameters.
 */
type Related<Operations, Call> = (Uncallable<Operations> & Call) | (AlsoUncallable<Operations> & Call);

type Uncallable<Operations> = <_>(this: PathIsMissing<Operations>) => never;
type AlsoUncallable<Operations> = <_, __>(this: PathIsMissing<Operations>) => never;

/** No client matches this type. It distinguishes the clients of two contracts. */
type PathIsMissing<Operations> = { readonly "the path is missing": Operations };

type AllPaths<Operations, Paths> = {
  [Path in keyof Paths]: {
    [Method in keyof Paths[Path]]: Method extends keyof Operations
      ? Path extends keyof Operations[Method]
        ? Operations[Method][Path]
        : Paths[Path][Method]
      : Paths[Path][Method];
  };
};

/**
 * The options of a call: its body, its parameters, and those of fetch and of openapi-fetch. The type distributes
 * over operations as a whole, because unions of 500 parameters and 500 bodies together are more than the
 * compiler can represent.
 *
 * @example
 * const init: Init<Operations["get"]["/v1/attendees/{id}"], "json"> = { params: { path: { id: 4711 } } };
 */
export type Init<Operation, As extends ParseAs> = Operation extends unknown
  ? Body<Operation> & Parameters<Operation> & CommonInit<As>
  : never;

/** The options of any call. They come last in a type, so that the compiler's errors begin with the others. */
export interface CommonInit<As> extends SharedOptions {
  /** Replaces the client's base URL. Credentials are sent only to the client's origin. */
  baseUrl?: string | undefined;
  /** Runs after the middleware of the client. */
  middleware?: openapiFetch.Middleware[] | undefined;
  /** Reads the body of a success as this. Default: `"json"`, or what the contract has. */
  parseAs?: (As & ParseAs) | undefined;
}

// The compiler's errors show the names of the following interfaces, which therefore say what is required.

export type Parameters<Operation> = Operation extends { parameters: object }
  ? object extends Operation["parameters"]
    ? OptionalParams<Operation>
    : RequiredParams<Operation>
  : unknown;

interface RequiredParams<Operation extends { parameters: object }> {
  /** The parameters of the operation, by their place: `path`, `query`, `header` or `cookie`. */
  params: Operation["parameters"];
  /** Writes query parameters: a function, or the styles of arrays and objects. */
  querySerializer?: openapiFetch.QuerySerializer<Operation> | openapiFetch.QuerySerializerOptions | undefined;
}

interface OptionalParams<Operation extends { parameters: object }> {
  /** The parameters of the operation, by their place: `path`, `query`, `header` or `cookie`. */
  params?: Operation["parameters"] | undefined;
  /** Writes query parameters: a function, or the styles of arrays and objects. */
  querySerializer?: openapiFetch.QuerySerializer<Operation> | openapiFetch.QuerySerializerOptions | undefined;
}

export type Body<Operation> = Operation extends { requestBody?: never }
  ? WithoutBody
  : Operation extends { requestBody: { content: object } }
    ? RequiredBody<Operation>
    : Operation extends { requestBody?: { content: object } }
      ? OptionalBody<Operation>
      : unknown;

interface RequiredBody<Operation extends { requestBody: { content: object } }> {
  /** The body of the request. */
  body: ContentOf<Operation["requestBody"]>;
  /** Writes the body of the request. Default: JSON, or the form that the contract has. */
  bodySerializer?: openapiFetch.BodySerializer<Operation> | undefined;
}

interface OptionalBody<Operation extends { requestBody?: { content: object } }> {
  /** The body of the request. */
  body?: ContentOf<NonNullable<Operation["requestBody"]>> | undefined;
  /** Writes the body of the request. Default: JSON, or the form that the contract has. */
  bodySerializer?: openapiFetch.BodySerializer<Operation> | undefined;
}

interface WithoutBody {
  /** The operation takes no body. */
  body?: undefined;
}

type ContentOf<Message extends { content: object }> = Message["content"][keyof Message["content"]];

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

export type Data<Operation> = SuccessBody<Responses<Operation>>;

/** If no success is listed, `default` is for successes too. */
type SuccessBody<R> = BodyOf<R, [SuccessStatus<R>] extends [never] ? Extract<keyof R, "default"> : SuccessStatus<R>>;

type Problem<Operation> = BodyOf<
  Responses<Operation>,
  Exclude<keyof Responses<Operation>, SuccessStatus<Responses<Operation>>>
>;

/** The bodies of some responses. `unknown` if the contract has none of these responses. */
type BodyOf<R, Status extends keyof R> = [Status] extends [never]
  ? unknown
  : { [S in Status]: R[S] extends { content: infer Content } ? Content[keyof Content] : undefined }[Status];

/** An operation of `types.ts`. An interface can extend this, but no member of another type. */
export type OperationOf<Operation> = Operation;

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
    ? [keyof Part & keyof Places] extends [never]
      ? Part
      : { [Key in keyof Part]: Key extends keyof Places ? WithDates<Part[Key], Places[Key]> : Part[Key] }
    : Part;

/** An operation whose cookie parameters may be left out together, because a browser sends its own cookies. */
export type WithOptionalCookies<Operation> = Operation extends { parameters: infer P extends { cookie?: unknown } }
  ? Omit<Operation, "parameters"> & { parameters: Omit<P, "cookie"> & { cookie?: P["cookie"] | undefined } }
  : Operation;

/** An operation whose client-set headers are optional. */
export type WithOptionalHeaders<Operation, Name extends string> = Operation extends {
  parameters: infer P extends { header?: unknown };
}
  ? Omit<Operation, "parameters"> & {
      parameters: Omit<P, "header"> & {
        header?:
          | (Omit<NonNullable<P["header"]>, Name> & {
              // A mapped type over `keyof` keeps the comments of the headers.
              [Header in keyof Pick<NonNullable<P["header"]>, Name & keyof NonNullable<P["header"]>>]?:
                | NonNullable<P["header"]>[Header]
                | undefined;
            })
          | undefined;
      };
    }
  : Operation;
