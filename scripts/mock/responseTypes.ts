/** The response that an operation has by default, as an override may choose it. */
export interface DefaultResponse<Status, Body, Example> {
  /** Default: the status of the mock's own response. */
  readonly status?: Status;
  /** Default: the contract's example for the status. */
  readonly body?: Body;
  /** Name of one of the contract's examples for the status, instead of a body. */
  readonly example?: Example;
}

/** Another response of an operation. */
export interface OtherResponse<Status, Body, Example> extends DefaultResponse<Status, Body, Example> {
  readonly status: Status;
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** The status codes that begin with a digit. */
export type StatusIn<First extends 2 | 3 | 4 | 5> = NumberOf<`${First}${Digit}${Digit}`>;
