/** A failure that the reader of its message can mend: the message is all that a command prints, without a stack. */
export class UserError extends Error {
  override name = "UserError";
}

/** A system error's code (`EADDRINUSE`), or `undefined` for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
