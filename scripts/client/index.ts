export { encodeBasic } from "./basicCredentials.ts";
export { createContractClient } from "./client.ts";
export type { ClientContract } from "./clientContract.ts";
export type { Credential } from "./credentials.ts";
export { ApiError, NetworkError, NotSentError } from "./errors.ts";
export { walkPages, type ItemOf, type ListCall, type ListInit } from "./paginate.ts";
export { renewing } from "./renewing.ts";
export type * from "./types.ts";
export { unwrap } from "./unwrap.ts";
