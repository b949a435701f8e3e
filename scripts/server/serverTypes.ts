import type { Violation } from "../exchange/requestViolation.ts";
import type { StatusIn } from "../spec/statusCodes.ts";

/** An operation, and what `authenticate` returns for its requests. */
export interface ServedOperation<Operation, Principal> {
  readonly operation: Operation;
  readonly principal: Principal;
}

/** An operation of `types.ts`. An interface can extend this, but no member of another type. */
export type DeclaredOperation<Operation> = Operation;

/** The options of a handler. */
export interface HandlerOptions<Operations, Credentials, Principal, Context> {
  /**
   * Finds the principal of a request, for example an account. It is called for each alternative of the
   * operation's security whose credentials are all in the request, with these credentials together, until it
   * returns something. If it returns nothing for any of them, the request gets 401. With `"none"`,
   * credentials aren't checked: use this if something in front of the handler has checked them. Declare it
   * before `handlers`, so that they know the principal's type.
   */
  readonly authenticate: Authenticate<Credentials, Principal, Context> | "none";
  /** The functions that respond, by operation: a plain object or a module. Other operations get 501. */
  readonly handlers: ServedHandlers<Operations, Context>;
  /** Responds to requests that have no operation in the contract. Without it, they get 404 or 405. */
  readonly unmatched?:
    | ((request: Request, context: Context) => PlatformResponse | Promise<PlatformResponse>)
    | undefined;
  /** Writes the responses to refused requests. Default: problem details (RFC 9457). */
  readonly refuse?:
    | ((problem: ProblemDetails, request: ServedRequest<Context>) => PlatformResponse | Promise<PlatformResponse>)
    | undefined;
  /**
   * Checks the responses of handlers against the contract. A response that contradicts it, or has fields that it
   * doesn't list, becomes a 500. With `"strip"`, such fields are removed, except from a `Response`. Bodies other than JSON
   * aren't read.
   */
  readonly validateResponses?: boolean | "strip" | undefined;
  /** The largest accepted body, in bytes. Default: 1 MiB. */
  readonly bodyLimit?: number | undefined;
}

/**
 * Returns a principal. For credentials that aren't accepted, returns nothing: `undefined` or any other falsy
 * value. To choose another refusal, throws a `Problem`.
 *
 * @example
 * const authenticate: Authenticate<{ readonly apiKey?: string }, string, unknown> = ({ apiKey }) => apiKey;
 */
export type Authenticate<Credentials, Principal, Context> = (
  credentials: Credentials,
  request: ServedOperationRequest<Context>,
) => Principal | Nothing | Promise<Principal | Nothing>;

type Nothing = undefined | null | false | "" | 0;

/**
 * A request, and what the platform passed along with it.
 *
 * @example
 * const pathOf = ({ request }: ServedRequest<unknown>) => new URL(request.url).pathname;
 */
export interface ServedRequest<Context> {
  readonly request: Request;
  /** The second argument of the handler: what the platform passes along with a request. */
  readonly context: Context;
  /** The operation's `operationId`, or else its method and path. `undefined` if no operation matches. */
  readonly operationId: string | undefined;
}

/**
 * A request to an operation.
 *
 * @example
 * const nameOf = ({ operationId }: ServedOperationRequest<unknown>) => operationId;
 */
export interface ServedOperationRequest<Context> extends ServedRequest<Context> {
  readonly operationId: string;
}

/**
 * Problem details (RFC 9457).
 *
 * @example
 * const write = (problem: ProblemDetails) => Response.json(problem, { status: problem.status });
 */
export interface ProblemDetails {
  /** A URI that identifies the type of problem. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The violations in the request, if there are any. */
  readonly violations?: readonly Violation[];
  /** Headers that the response needs, such as `WWW-Authenticate`. They are added to the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The handlers of operations. */
export type ServedHandlers<Operations, Context> = {
  readonly [Id in keyof Operations]?:
    | (Operations[Id] extends ServedOperation<infer Operation, infer Principal>
        ? OperationHandler<Operation, Principal, Context>
        : never)
    | undefined;
};

/**
 * Responds to the requests of an operation.
 *
 * @example
 * const respond: OperationHandler<object, undefined, unknown> = () => Response.json({});
 */
export type OperationHandler<Operation, Principal, Context> = (
  request: HandledRequest<Operation, Principal, Context>,
) => OperationResponse<Operation> | Promise<OperationResponse<Operation>>;

/**
 * Options in which whatever given handlers return beside the contract is an error. By itself, the compiler finds that only in
 * literals with a declared type, not in what functions return. Without such a mistake, this adds nothing to the types that
 * editors and errors show.
 */
export type ListedOptions<Given, Operations> = [Given] extends [ListedHandlers<Given, Operations>]
  ? unknown
  : { readonly handlers: ListedHandlers<Given, Operations> };

type ListedHandlers<Given, Operations> = {
  readonly [Id in keyof Given & keyof Operations]?: Given[Id] & ListedHandler<Given[Id], Operations[Id]>;
};

type ListedHandler<Given, Served> = Given extends (request: never) => infer Returned
  ? (request: never) => ListedReturn<Returned, Served>
  : Given;

/** Its name is for the compiler's errors. */
type NotInContract = "not in the contract" | undefined;

type ListedReturn<Returned, Served> =
  Served extends ServedOperation<infer Operation, unknown>
    ? Returned extends Promise<infer Value>
      ? Promise<ListedResponse<Value, OperationResponse<Operation>>>
      : ListedResponse<Returned, OperationResponse<Operation>>
    : never;

type ListedResponse<Given, Declared> = Given extends PlatformResponse
  ? unknown
  : Given extends { readonly status: infer Status }
    ? ListedValue<Given, WithStatus<Declared, Status>>
    : unknown;

type WithStatus<Declared, Status> = Declared extends { readonly status: infer Codes }
  ? [Status & Codes] extends [never]
    ? never
    : Declared
  : never;

/** A value whose objects have no members but the declared ones. Of alternatives, it may have those of any. */
type ListedValue<Given, Declared> = unknown extends Declared
  ? unknown
  : Given extends readonly (infer Item)[]
    ? readonly ListedValue<Item, ItemOf<Declared>>[]
    : Given extends Blob
      ? unknown
      : Given extends object
        ? {
            [Name in keyof Given]: Name extends NameIn<Declared>
              ? ListedValue<Given[Name], MemberOf<Declared, Name>>
              : NotInContract;
          }
        : unknown;

type ItemOf<Declared> = Declared extends readonly (infer Item)[] ? Item : never;
type NameIn<Declared> = Declared extends unknown ? keyof Declared : never;
type MemberOf<Declared, Name> = Declared extends unknown
  ? Name extends keyof Declared
    ? Declared[Name]
    : never
  : never;

/**
 * A request that fits the contract.
 *
 * @example
 * const urlOf = ({ request }: HandledRequest<object, undefined, unknown>) => request.url;
 */
export interface HandledRequest<Operation, Principal, Context> {
  /** The parsed parameters of the path. */
  readonly path: ParametersIn<Operation, "path">;
  /** The parsed parameters of the query. */
  readonly query: ParametersIn<Operation, "query">;
  /** The parsed headers in the contract, under its names. */
  readonly header: ParametersIn<Operation, "header">;
  /** The parsed cookies in the contract, without credentials. */
  readonly cookie: ParametersIn<Operation, "cookie">;
  /** The parsed body: JSON, a form or text. Any other body is a Blob. */
  readonly body: ReceivedBody<Operation>;
  /** What `authenticate` returned. */
  readonly principal: Principal;
  /** The request itself. If the operation has a body, it has been read. */
  readonly request: Request;
  readonly context: Context;
  readonly operationId: string;
}

/** The parameters of a place. An operation without any has an empty object there, whose type in `types.ts` is `undefined`. */
type ParametersIn<Operation, Place extends string> = Operation extends { parameters: { [P in Place]: infer Values } }
  ? Values
  : Operation extends { parameters: { [P in Place]?: infer Values } }
    ? [Values] extends [undefined]
      ? object
      : NonNullable<Values>
    : unknown;

type ReceivedBody<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? ReceivedContent<Content>
  : Operation extends { requestBody?: { content: infer Content } }
    ? ReceivedContent<Content> | undefined
    : undefined;

type ReceivedContent<Content> = {
  [MediaType in keyof Content]: MediaType extends ParsedType ? Content[MediaType] : Blob;
}[keyof Content];

type ParsedType =
  | `${string}/json${string}`
  | `${string}+json${string}`
  | `text/${string}`
  | `multipart/form-data${string}`
  | `application/x-www-form-urlencoded${string}`;

/**
 * A `Response`, also of another library. It is described by one of its methods, so that editors complete only the members of
 * the responses in the contract.
 *
 * @example
 * const response: PlatformResponse = Response.json({});
 */
export interface PlatformResponse {
  readonly clone: () => { readonly status: number };
}

/**
 * A response in the contract, or a `Response` for anything else.
 *
 * @example
 * const response: OperationResponse<object> = Response.json({});
 */
export type OperationResponse<Operation> =
  | PlatformResponse
  | (Operation extends { responses: infer Responses }
      ? {
          [Status in keyof Responses]: DeclaredResponse<StatusOf<Status, keyof Responses>, Responses[Status]>;
        }[keyof Responses]
      : never);

type DeclaredResponse<Status, Declared> = Declared extends { content: infer Content; headers: infer Fields }
  ? {
      [MediaType in keyof Content]: { readonly status: Status } & BodyOf<Content[MediaType]> &
        ContentTypeOf<MediaType, keyof Content> &
        FieldsOf<Fields>;
    }[keyof Content]
  : { readonly status: Status; readonly body?: undefined } & (Declared extends { headers: infer Fields }
      ? FieldsOf<Fields>
      : unknown);

/** A body that isn't specified may be left out. */
type BodyOf<Body> = unknown extends Body ? { readonly body?: unknown } : { readonly body: Body };

/** Needed if the contract has several media types, or a range. */
type ContentTypeOf<MediaType, All> = MediaType extends `${infer Start}*`
  ? {
      /** The media type of the body. */
      readonly contentType: `${Start extends `*/${string}` ? "" : Start}${string}`;
    }
  : [All] extends [MediaType]
    ? {
        /** The media type of the body. Default: the one that the contract has. */
        readonly contentType?: MediaType;
      }
    : {
        /** The media type of the body. */
        readonly contentType: MediaType;
      };

type FieldsOf<Fields> =
  Partial<Fields> extends Fields
    ? { readonly headers?: WithCookies<Fields> }
    : { readonly headers: WithCookies<Fields> };

/** There may be several `Set-Cookie`. */
type WithCookies<Fields> = {
  [Name in keyof Fields]: Name extends string
    ? Lowercase<Name> extends "set-cookie"
      ? Fields[Name] | readonly NonNullable<Fields[Name]>[]
      : Fields[Name]
    : Fields[Name];
};

type FailureCode = StatusIn<4 | 5>;
type AnyCode = StatusIn<2 | 3> | FailureCode;
type SuccessName = StatusIn<2> | "2XX" | "2xx";
/** The first digit of a status code. */
type First = 1 | 2 | 3 | 4 | 5;

/** The status codes that a response's name stands for. If a success is listed, `default` is for failures. */
type StatusOf<Name, All> = Name extends number
  ? Name
  : Name extends "default"
    ? [Extract<All, SuccessName>] extends [never]
      ? Without<AnyCode, All>
      : Without<FailureCode, Exclude<All, SuccessName>>
    : Name extends `${infer Digit extends First}${string}`
      ? Without<StatusIn<Digit>, Extract<All, number>>
      : never;

/** Some status codes without those of other responses. */
type Without<Codes, Names> = [Exclude<Names, "default">] extends [never]
  ? Codes
  : Exclude<Codes, Names | (Names extends `${infer Digit extends First}${string}` ? StatusIn<Digit> : never)>;
