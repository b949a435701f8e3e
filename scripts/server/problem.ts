import type { ProblemDetails } from "./serverTypes.ts";

/**
 * Ends a handler or `authenticate` with a refusal. Its response is written like those of all refused
 * requests.
 *
 * @example
 * const problem = new Problem(404, "There is no such team.");
 */
export class Problem extends Error {
  override name = "Problem";
  readonly status: number;
  readonly details: Partial<Pick<ProblemDetails, "type" | "title" | "headers">>;

  /**
   * Takes a status code from 400 to 599, a sentence for people, and what else the response has. Throws
   * `RangeError` for any other code.
   */
  constructor(
    status: number,
    detail: string,
    details: Partial<Pick<ProblemDetails, "type" | "title" | "headers">> = {},
  ) {
    super(detail);
    if (!(status >= 400 && status <= 599))
      throw new RangeError(`a problem has a status from 400 to 599, not ${status}`);
    this.status = status;
    this.details = details;
  }
}
