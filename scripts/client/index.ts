export { createContractClient } from "./client.ts";
export type { ClientContract } from "./clientContract.ts";
export { renewing, type Credential, type Given } from "./credentials.ts";
export { otherContent } from "./otherContent.ts";
export { ApiError, NetworkError, NotSentError } from "./errors.ts";
export type { ParseAs } from "./openapiFetch.ts";
export { walkPages, type ItemOf, type ListCall, type ListInit } from "./paginate.ts";
export { unwrap } from "./result.ts";
export type * from "./types.ts";
