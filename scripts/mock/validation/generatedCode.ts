/** Changes to the code that ajv generates, and what that code then finds at `self`. */
import type { ErrorObject } from "ajv/dist/2020.js";

export type Compiled = ((value: unknown) => boolean) & { errors?: null | ErrorObject[] };

/** As many faults are listed; the others are counted. */
export const listedFaults = 20;
/** An `anyOf` finds faults in its alternatives that are none in the end. So many take some 10 ms. */
const foundFaults = 20_000;
/** Faults are not looked for further where schemas refer to themselves so often. */
const recursiveCalls = 5_000;

/**
 * The code that ajv (8.20) generates makes an error object of whatever fails, also in an alternative of an `anyOf` and
 * for each item that a `contains` passes over, and throws most of them away: that takes ten times as long as all else.
 * Without `allErrors`, such an error needs only be counted. And where schemas refer to themselves in several
 * alternatives, it validates the innermost values once for each way that leads to them, so results are remembered.
 */
export function leaveOutTentative(code: string): string {
  const counting = code
    .replaceAll(new RegExp(`${pushError}(?!validate\\d+\\.errors = vErrors;return false;)`, "g"), "errors++;")
    .replaceAll(addErrors, "vErrors = $1.errors;errors++;")
    .replaceAll(resetErrors, truncateErrors);
  if (counting.includes(".evaluated;")) return counting;
  return counting
    .replaceAll(
      functionStart,
      "$&if(self.memo.enter($1, data)){$1.errors = self.memo.errors;return $1.errors === null;}",
    )
    .replaceAll(
      /(validate\d+)\.errors = (vErrors|\[\{[^]*?\}\]);return (?=false|errors === 0)/g,
      "$&self.memo.leave($1, data), ",
    );
}

/** With `allErrors`: keeps the first errors, counts the others, and gives up after many. */
export function boundErrors(code: string): string {
  return code
    .replaceAll(new RegExp(pushError, "g"), "if(self.tally.keeps(vErrors)){$&}else errors++;")
    .replaceAll(addErrors, "vErrors = self.tally.merge(vErrors, $1.errors);errors += self.tally.failed;")
    .replaceAll(resetErrors, truncateErrors)
    .replaceAll(functionStart, "$&if(self.tally.enter($1)){$1.errors = null;return true;}")
    .replaceAll(loopStart, "$&if(self.tally.isSpent())break;")
    .replaceAll(
      /(validate\d+)\.errors = vErrors;(.*?)return errors === 0;/g,
      "$1.errors = vErrors;$2return self.tally.leave($1, errors);",
    );
}

const functionStart = /function (validate\d+)\(data, [^]*?let errors = 0;/g;
const loopStart = /for\((?:let i\d+=[^;]*;[^;]*; i\d+\+\+|const key\d+ in \w+)\)\{/g;
const pushError = String.raw`const (err\d+) = \{[^]*?\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;`;
const addErrors =
  /vErrors = vErrors === null \? (\S+?)\.errors : vErrors\.concat\(\1\.errors\);errors = vErrors\.length;/g;
const resetErrors = /vErrors\.length = (_errs\d+);/g;
const truncateErrors = "vErrors.length = Math.min(vErrors.length, $1);";

/** Tells which functions of generated code are called by themselves, through others or not. */
function createCallStack() {
  const running = new Map<Compiled, number>();
  return {
    clear: () => {
      running.clear();
    },
    /** Returns how many calls of the function have not returned yet, without this one. */
    enter: (validate: Compiled): number => {
      const depth = running.get(validate) ?? 0;
      running.set(validate, depth + 1);
      return depth;
    },
    leave: (validate: Compiled): number => {
      const depth = (running.get(validate) ?? 1) - 1;
      running.set(validate, depth);
      return depth;
    },
  };
}

/** What generated code keeps and counts while it collects the faults of one value. */
interface Tally {
  /** How many faults the function that returned last has found. */
  failed: number;
  readonly start: () => void;
  /** Tells whether enough has been done. */
  readonly enter: (validate: Compiled) => boolean;
  readonly leave: (validate: Compiled, errors: number) => boolean;
  readonly isSpent: () => boolean;
  /** Counts a fault, and tells whether it is to be kept beside others. */
  readonly keeps: (errors: readonly ErrorObject[] | null) => boolean;
  readonly merge: (errors: ErrorObject[] | null, others: ErrorObject[] | null) => ErrorObject[] | null;
}

export function createTally(): Tally {
  const stack = createCallStack();
  let [faults, calls] = [0, 0];
  const tally: Tally = {
    failed: 0,
    start: () => {
      [faults, calls] = [0, 0];
      stack.clear();
    },
    enter: (validate) => {
      if (tally.isSpent()) return true;
      if (stack.enter(validate) > 0) calls += 1;
      return false;
    },
    leave: (validate, errors) => {
      stack.leave(validate);
      tally.failed = errors;
      return errors === 0;
    },
    isSpent: () => faults >= foundFaults || calls >= recursiveCalls,
    keeps: (errors) => {
      faults += 1;
      return faults <= foundFaults && (errors === null || errors.length < listedFaults);
    },
    merge: (errors, others) => [...(errors ?? []), ...(others ?? [])].slice(0, listedFaults),
  };
  return tally;
}

/** What functions that call themselves have found in the arrays and objects of one value. */
interface Memo {
  /** What the last function that was entered is known to have found. */
  errors: ErrorObject[] | null;
  readonly clear: () => void;
  /** Tells whether the result is known. */
  readonly enter: (validate: Compiled, value: unknown) => boolean;
  readonly leave: (validate: Compiled, value: unknown) => void;
}

export function createMemo(): Memo {
  const stack = createCallStack();
  const results = new Map<Compiled, Map<unknown, ErrorObject[] | null>>();
  const memo: Memo = {
    errors: null,
    clear: () => {
      results.clear();
      stack.clear();
    },
    enter: (validate, value) => {
      const known = stack.enter(validate) > 0 ? results.get(validate)?.get(value) : undefined;
      if (known === undefined) return false;
      stack.leave(validate);
      memo.errors = known;
      return true;
    },
    leave: (validate, value) => {
      if (stack.leave(validate) === 0 || typeof value !== "object") return;
      const known = results.get(validate) ?? new Map<unknown, ErrorObject[] | null>();
      results.set(validate, known.set(value, validate.errors ?? null));
    },
  };
  return memo;
}
