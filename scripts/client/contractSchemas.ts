import { CallError, type OperationName } from "./errors.ts";
import { issuesOf, type Issue, type Schema } from "./schema.ts";

/** A request or a successful response has a body that the contract does not allow. There are no values in it. */
export class ContractError extends CallError {
  /** That of the response; `undefined` if the request breaks the contract. */
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
  /** Is told of each body that breaks the contract; by default, `warn` writes to the console. */
  onViolation?: ((violation: ContractError) => void) | undefined;
}

/**
 * Checks a body against the contract: that of a response with a status, or that of a request, which has none. No body is no
 * violation.
 */
export interface ContractSchemas<Paths> {
  (
    operation: OperationName,
    status: number | undefined,
    body: unknown,
    validate: "warn" | "throw",
    onViolation: ViolationOptions["onViolation"],
  ): void;
  /** Never there: it tells the schemas of two contracts apart. */
  readonly "~contract"?: Paths;
}

/** What a client validates with: the schemas of JSON bodies by the names of operations (`GET /teams/{teamId}`). */
export function contractSchemas<Paths>(
  operations: Readonly<Record<string, { readonly request?: Schema; readonly response?: Schema }>>,
): ContractSchemas<Paths> {
  return (operation, status, body, validate, onViolation) => {
    const { request, response } = operations[`${operation.method} ${operation.path}`] ?? {};
    const schema = status === undefined ? request : response;
    // An operation may take a form besides JSON, and there may be no body.
    const isJson = body !== undefined && !(body instanceof FormData);
    const issues = schema && isJson ? issuesOf(schema, body) : [];
    if (issues.length === 0) return;
    const error = new ContractError(operation, status, issues);
    if (onViolation) void tell(error, onViolation);
    else if (validate === "warn") console.warn(error.message);
    if (validate === "throw") throw error;
  };
}

/** What a callback throws, or rejects with, is its own: the call goes on. */
async function tell(error: ContractError, onViolation: (violation: ContractError) => unknown): Promise<void> {
  try {
    await onViolation(error);
  } catch (problem) {
    console.warn("onViolation failed:", problem);
  }
}
