import { CallError, type OperationName } from "./errors.ts";
import { issuesOf, type Issue, type Schema } from "./schema.ts";

/**
 * The body of a request or of a successful response violates the contract. The error contains no values of that body.
 *
 * @example
 * const onViolation = ({ method, path, issues }: ContractError) => console.warn(method, path, issues);
 */
export class ContractError extends CallError {
  /** The status of the response. `undefined` if the request violates the contract. */
  declare readonly status: number | undefined;
  declare readonly issues: readonly Issue[];

  constructor(operation: OperationName, status: number | undefined, issues: readonly Issue[]) {
    const listed = issues.slice(0, 5).map(({ message }) => message);
    const more = issues.length > 5 ? `; and ${issues.length - 5} more` : "";
    const subject = status === undefined ? "the request" : `the response, ${status},`;
    const problem = `${subject} breaks the contract: ${listed.join("; ")}${more}`;
    super(operation, problem, { name: "ContractError", status, issues });
  }
}

export interface ViolationOptions {
  /** Called for each body that violates the contract. By default, `warn` writes to the console. */
  onViolation?: ((violation: ContractError) => void) | undefined;
}

/**
 * Checks a body against the contract. The body of a response has a status, and the body of a request has
 * none. A missing body is not a violation. `Name` is the name of the generation.
 *
 * @example
 * const contract: ContractSchemas<string> = schemas;
 */
export interface ContractSchemas<Name> {
  (
    operation: OperationName,
    status: number | undefined,
    body: unknown,
    options: ViolationOptions & { readonly validate: "warn" | "throw" },
  ): void;
  /** Never set. It distinguishes the schemas of two contracts. */
  readonly "~contract"?: Name | undefined;
}

/** Combines the schemas of JSON bodies, by operation (`GET /teams/{teamId}`), for a client to validate with. */
export function contractSchemas<Name>(
  operations: Readonly<Record<string, { readonly request?: Schema; readonly response?: Schema }>>,
): ContractSchemas<Name> {
  return (operation, status, body, { validate, onViolation }) => {
    const { request, response } = operations[`${operation.method} ${operation.path}`] ?? {};
    const schema = status === undefined ? request : response;
    // An operation may accept a form or a file as well as JSON, or the body may be missing.
    const isValue = body !== undefined && !(body instanceof FormData || body instanceof Blob);
    const issues = schema && isValue ? issuesOf(schema, jsonForm(body)) : [];
    if (issues.length === 0) return;
    const error = new ContractError(operation, status, issues);
    if (onViolation) void notify(error, onViolation);
    // JavaScript callers may pass `true`.
    else if (validate !== "throw") console.warn(error.message);
    if (validate === "throw") throw error;
  };
}

/** A value with the texts that JSON has for a `Date`, and for anything else with `toJSON`. Files stay. */
function jsonForm(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Blob) return value;
  if ("toJSON" in value) return JSON.parse(JSON.stringify(value));
  if (Array.isArray(value)) return value.map(jsonForm);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonForm(member)]));
}

/** The call continues even if the callback throws or rejects. */
async function notify(error: ContractError, onViolation: (violation: ContractError) => unknown): Promise<void> {
  try {
    await onViolation(error);
  } catch (problem) {
    console.warn("onViolation failed:", problem);
  }
}
