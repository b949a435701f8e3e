import { isObject } from "../spec/json.ts";

/** A failure that the reader of its message can mend: the message is all that a command prints, without a stack. */
export class UserError extends Error {
  override name = "UserError";
}

// Errors are told by their properties: in Jest, those of Node are not instances of the global Error.

/** A system error's code (`EADDRINUSE`), or `undefined` for any other error. */
export function errorCode(error: unknown): string | undefined {
  return isObject(error) && typeof error["code"] === "string" ? error["code"] : undefined;
}

/** Makes what `catch` needs to give a value in place of a file or folder that does not exist. */
export function ifAbsent<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (errorCode(error) === "ENOENT") return value;
    throw error;
  };
}

export function messageOf(error: unknown): string {
  return isObject(error) && typeof error["message"] === "string" ? error["message"] : String(error);
}

/** Returns the result of a function, or `undefined` if it throws. */
export function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
