/**
 * The runtime of the generated servers: the checks of `exchange` around the functions of those who implement
 * an API. It needs only `Request` and `Response`.
 */
export { createContractHandler, type RequestHandler } from "./contractHandler.ts";
export type { Violation } from "../exchange/requestViolation.ts";
export { Problem } from "./problem.ts";
export type * from "./serverTypes.ts";
