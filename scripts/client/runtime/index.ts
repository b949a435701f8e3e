export { createContractClient } from "./client.ts";
export type { Contract } from "./contract.ts";
export type { Credential } from "./credentials.ts";
export { ApiError, NetworkError } from "./errors.ts";
export { paginate } from "./paginate.ts";
export type { Client, ClientOptions, Failure, Result, Success, WithOptionalHeaders } from "./types.ts";
export { unwrap } from "./unwrap.ts";
