export type { StatusIn } from "../spec/statusCodes.ts";

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
