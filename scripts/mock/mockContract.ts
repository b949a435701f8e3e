import type { DefaultResponse } from "./responseTypes.ts";

/**
 * The names that a mock's contract has, and its responses. Here, nothing is known of them, because the mock serves any
 * contract. In the package, a module generated from its own contract replaces this one.
 */
export interface MockContract {
  /** Responses by generation and `operationId`. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, DefaultResponse<number, unknown, string>>>>>;
  /** Names of the types of resources. */
  readonly resource: string;
}
