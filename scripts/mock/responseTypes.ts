/** The response that an operation has by default, as an override may choose it. */
export interface DefaultResponse<Status, Body, Example> {
  /** Default: the status of the mock's own response. */
  readonly status?: Status;
  /** Default: the contract's example for the status. */
  readonly body?: Copied<Body>;
  /** Name of one of the contract's examples for the status, instead of a body. */
  readonly example?: Example;
}

/** A runtime expression for a part of the request. */
type RequestExpression = `$request.${"body#" | "header." | "path." | "query."}${string}`;

/** A value whose parts may be copied from the request. */
type Copied<Value> = unknown extends Value
  ? unknown
  : Value extends object
    ? RequestExpression | { readonly [Name in keyof Value]: Copied<Value[Name]> }
    : RequestExpression | Value;

/** Another response of an operation. */
export interface OtherResponse<Status, Body, Example> extends DefaultResponse<Status, Body, Example> {
  readonly status: Status;
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** The status codes that begin with a digit. */
export type StatusIn<First extends 2 | 3 | 4 | 5> = NumberOf<`${First}${Digit}${Digit}`>;
