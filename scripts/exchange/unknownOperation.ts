import type { CheckedOperation } from "../contract/generation.ts";
import { listInWords } from "../values/text.ts";
import { refusalOf, type Refusal } from "./refusal.ts";
import type { Target } from "./requestTarget.ts";
import { maskAndCut } from "./secrets.ts";

/** What to try instead of a path that no operation has. */
export interface PathSuggestion {
  /** A sentence after a space. Empty if there is none. */
  readonly hint: string;
  readonly expected: string | readonly string[];
}

/** Refuses a path that no operation has. */
export function refusePath({ path }: Target, { hint, expected }: PathSuggestion = { hint: "", expected: [] }): Refusal {
  const received = maskAndCut(path, 200);
  const message = `No operation has the path ${received}.${hint}`;
  return refusalOf(404, { code: "path", in: "path", message, ...(expected.length > 0 && { expected }), received });
}

/** Refuses a method that the path doesn't support. `others` are the operations of the path with other methods. */
export function refuseMethod(method: string, others: readonly CheckedOperation[]): Refusal {
  const expected = others.map(methodOf);
  const path = [...new Set(others.map((operation) => operation.path))].join(" and ");
  const received = maskAndCut(method);
  const message = `${path} supports ${listInWords(expected)}, but not ${received}.`;
  return refusalOf(
    405,
    { code: "method", in: "method", message, expected, received },
    { allow: allowedMethods(expected) },
  );
}

/** The value of an `Allow` header: the given methods, HEAD if there is GET, and OPTIONS. */
export function allowedMethods(methods: readonly string[]): string {
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
}

export function methodOf({ method }: CheckedOperation): string {
  return method.toUpperCase();
}
