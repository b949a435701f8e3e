import { isObject } from "../values/json.ts";
import { plainStyle, type TextStyle } from "../values/textStyle.ts";

/** A failure that the user can fix. Commands print its details and its message, without a stack trace. */
export class UserError extends Error {
  override name = "UserError";
  /** The text above the message, such as the mistakes that the message counts. */
  readonly details: (style: TextStyle) => string;

  constructor(message: string, details: (style: TextStyle) => string = () => "") {
    super(message);
    this.details = details;
  }
}

// Errors are recognized by their properties, because in Jest, Node's errors are not instances of the global
// Error.

/** A system error's code (`EADDRINUSE`), or `undefined` for any other error. */
export function errorCode(error: unknown): string | undefined {
  return isObject(error) && typeof error["code"] === "string" ? error["code"] : undefined;
}

/** Creates a handler for `catch` that returns a value if a file or folder doesn't exist. */
export function ifAbsent<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (errorCode(error) === "ENOENT") return value;
    throw error;
  };
}

export function messageOf(error: unknown): string {
  return isObject(error) && typeof error["message"] === "string" ? error["message"] : String(error);
}

/** The whole text of a failure: its details and its message. */
export function reportOf(error: unknown, style = plainStyle): string {
  const details = error instanceof UserError ? error.details(style) : "";
  return details === "" ? messageOf(error) : `${details}\n\n${messageOf(error)}`;
}

/** Returns the result of a function, or `undefined` if it throws. */
export function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
