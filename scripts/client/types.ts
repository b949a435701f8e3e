import type {
  BodySerializer,
  Client as FetchClient,
  ClientOptions as FetchClientOptions,
  Middleware,
  ParseAs,
  QuerySerializer,
  QuerySerializerOptions,
} from "openapi-fetch";
import type { ContractSchemas, ViolationOptions } from "./contractSchemas.ts";

/** The options of openapi-fetch's client, and the credentials that a contract's operations take. */
export type ClientOptions<Auth, Paths> = ConnectionOptions<Auth> & ValidationOptions<Paths>;

interface ConnectionOptions<Auth> extends FetchClientOptions {
  /** Scheme, host and port, and a path prefix if there is one. Credentials are sent to this origin and to no other. */
  baseUrl: string;
  /** The credentials you have. Each operation gets those of the first alternative it names that is complete. */
  auth?: Auth | undefined;
}

type ValidationOptions<Paths> = ViolationOptions &
  (
    | { validate?: false | undefined; schemas?: ContractSchemas<Paths> | undefined }
    | {
        /**
         * What to do when a JSON body breaks the contract, be it that of a request, before it is sent, or of a success:
         * `throw` a ContractError, or `warn`.
         */
        validate: "warn" | "throw";
        /** From the generation's module `schemas`. */
        schemas: ContractSchemas<Paths>;
      }
  );

/**
 * The client of openapi-fetch for the operations of a contract, by lower-case method and path template. Whatever takes a
 * client of openapi-fetch takes this one, and finds the contract's paths in the methods that no operation has.
 * `(this: never)` cannot be called, but assigned: the compiler relates no generic method that checks its options to one of
 * openapi-fetch, which does not.
 * Where a call lacks its options, the compiler says that the arguments for the rest parameter `paramsAndBody` were not
 * provided.
 */
export type Client<Operations, Paths> = {
  readonly [Method in keyof Operations & string as Uppercase<Method>]: {
    (this: never): never;
    <Path extends keyof Operations[Method], As extends ParseAs = "json">(
      path: Path,
      ...paramsAndBody: InitArgument<Init<Operations[Method][Path], As>>
    ): Promise<Result<Operations[Method][Path], As>>;
  };
} & {
  /** Never there: it tells the clients of two contracts apart, which TypeScript 7 takes for one another. */
  readonly "~contract"?: Operations;
  readonly request: {
    (this: never): never;
    <Method extends keyof Operations & string, Path extends keyof Operations[Method], As extends ParseAs = "json">(
      method: Method,
      path: Path,
      ...paramsAndBody: InitArgument<Init<Operations[Method][Path], As>>
    ): Promise<Result<Operations[Method][Path], As>>;
  };
} & Omit<FetchClient<AllPaths<Operations, Paths>>, Uppercase<keyof Operations & string> | "request">;

/** The paths of a contract, with its operations as the client takes them. */
type AllPaths<Operations, Paths> = {
  [Path in keyof Paths]: {
    [Method in keyof Paths[Path]]: Method extends keyof Operations
      ? Path extends keyof Operations[Method]
        ? Operations[Method][Path]
        : Paths[Path][Method]
      : Paths[Path][Method];
  };
};

/** The options of a call: those of fetch and of openapi-fetch, and the parameters and body of the operation. */
export type InitOfOne<Operation, As extends ParseAs> = CallOptions<Operation, As> &
  Parameters<Operation> &
  Body<Operation>;

/**
 * The options of a call of one operation of several. It distributes over operations as a whole: while a path is inferred,
 * the compiler looks at all operations of a method at once, and unions of 500 parameters and 500 bodies are together more
 * than it can represent. `InitOfOne` is written out: by name, 1,000 operations take 5 % more instantiations.
 */
export type Init<Operation, As extends ParseAs> = Operation extends unknown
  ? CallOptions<Operation, As> & Parameters<Operation> & Body<Operation>
  : never;

interface CallOptions<Operation, As> extends Omit<
  FetchClientOptions,
  "body" | "method" | "querySerializer" | "bodySerializer" | "requestInitExt"
> {
  middleware?: Middleware[];
  parseAs?: As & ParseAs;
  querySerializer?: QuerySerializer<Operation> | QuerySerializerOptions;
  bodySerializer?: BodySerializer<Operation>;
}

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

/** What follows the path of a call: its options, which may be left out where none is required. */
export type InitArgument<I> = object extends I ? [init?: I] : [init: I];

/**
 * What a call resolves to. If `data` is not `undefined`, the call succeeded. A failure that the contract does not
 * describe is `unknown`. A success without the body that the contract has rejects with an `ApiError`.
 */
export type Result<Operation, As extends ParseAs = "json"> =
  | Success<As extends "json" ? Data<Operation> : RawData[As & keyof RawData] | NoData<Data<Operation>>>
  | Failure<Problem<Operation>>;

export interface Success<D> {
  data: D;
  error?: never;
  response: Response;
}

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

/** A success of which the contract does not say that it has a body may have none, however it is read. */
type NoData<D> = undefined extends D ? undefined : never;

type Responses<Operation> = Operation extends { responses: infer R } ? R : never;

/** The status codes (`201`, `2XX`) of a success among those that an operation has responses for. */
type SuccessStatus<R> = {
  [Status in keyof R & (string | number)]: `${Status}` extends `2${string}` ? Status : never;
}[keyof R & (string | number)];

type Data<Operation> = ContentOf<Responses<Operation>, SuccessStatus<Responses<Operation>>>;

type Problem<Operation> = ContentOf<
  Responses<Operation>,
  Exclude<keyof Responses<Operation>, SuccessStatus<Responses<Operation>>>
>;

/** The bodies of some responses; `unknown` if the contract has none of these responses. */
type ContentOf<R, Status extends keyof R> = [Status] extends [never]
  ? unknown
  : { [S in Status]: R[S] extends { content: infer Content } ? Content[keyof Content] : undefined }[Status];

/** An operation of method HEAD, whose responses have no bodies, whatever the contract says of their content. */
export type WithoutContent<Operation> = Operation extends { responses: infer R }
  ? Omit<Operation, "responses"> & { responses: { [Status in keyof R]: Omit<R[Status], "content"> } }
  : Operation;

/** An operation whose headers that the client sends by itself are optional. */
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
