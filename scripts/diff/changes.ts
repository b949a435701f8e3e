import type { Direction } from "../spec/schemas.ts";
import type { Phrase } from "../report/phrase.ts";
import type { DifferenceCode } from "./differences.ts";

/**
 * The impact of a change on consumers, as the part of a semantic version that it raises. The largest comes
 * first.
 */
export const impacts = ["major", "minor", "patch"] as const;
export type Impact = (typeof impacts)[number];

/** Compares by impact. The largest comes first. */
export function byImpact(a: { readonly impact: Impact }, b: { readonly impact: Impact }): number {
  return impacts.indexOf(a.impact) - impacts.indexOf(b.impact);
}

/** `clarified` if only descriptions, examples or gaps change. */
export type ChangeKind = "added" | "removed" | "changed" | "deprecated" | "clarified";

/** The gaps that a change closes and opens. */
export interface GapChange {
  readonly closed: readonly string[];
  readonly opened: readonly string[];
}

/** A change of a generation between two states of the contract, as data. */
export interface ChangeFacts {
  readonly impact: Impact;
  readonly kind: ChangeKind;
  readonly generation: string;
  /**
   * The affected operations, such as `GET /teams/{teamId}`. Empty if the change concerns the generation as a
   * whole.
   */
  readonly operations: readonly string[];
  /** JSON Pointer in the new bundle, or in the old one if its target was removed. */
  readonly pointer: string;
  /** The rule that makes it a breaking change, such as `parameter-removed`. */
  readonly rule?: string;
  /** Whether the change concerns requests or responses, if it concerns only one of them. */
  readonly direction?: Direction;
}

/** A change before it is put into words. */
export interface Difference extends ChangeFacts {
  readonly subject: Subject;
  readonly fact: Fact;
}

/** A change in words. */
export interface Change extends ChangeFacts {
  /** The place in the sources, relative to the current folder, if it is known. */
  readonly file?: string;
  readonly line?: number;
  /** The kind of change in the table of differences. */
  readonly code: DifferenceCode | "deprecation" | "sunset";
  /** The facts in the message. */
  readonly facts: object;
  /** The change in words, and the same with its code in backticks. */
  readonly words: Phrase;
  readonly message: string;
  /** The operation that the message names, if any. */
  readonly named?: string;
  readonly advice: Advice;
}

/** Advice on a change. */
export interface Advice {
  /** For consumers who send HTTP requests. */
  readonly http: string;
  /** For consumers who compile against the types. */
  readonly types: string;
}

/** The subject of a change. */
export type Subject =
  | { readonly type: "generation" }
  | { readonly type: "operation"; readonly name: string }
  | { readonly type: "every operation" }
  /** A part of an operation, or a schema or field by its name: `{ part: "parameter", name: "limit" }`. */
  | { readonly type: "place"; readonly part: "" | "parameter" | "response"; readonly name: string };

/** What happened to the subject of a change. */
export type Fact = Sentence | Sunset | Deprecation;

/** A difference of a kind that has a rule, an impact and a sentence in the table of differences. */
export interface Sentence {
  readonly type: "sentence";
  readonly code: DifferenceCode;
  /** The facts in the sentence. */
  readonly facts: object;
  /** The sentence, for any subject. */
  readonly words: Phrase;
  /** Whether the sentence names the operation that is the subject. */
  readonly isNamed?: boolean;
  /** The changed field, if there is one. */
  readonly field?: string;
  /** Whether the field was removed. */
  readonly isGone?: boolean;
}

/** The date of removal. Without one, the subject stays. */
export interface Sunset {
  readonly type: "sunset";
  readonly day: string | undefined;
  readonly former: string | undefined;
}

/** Whether the subject is deprecated, since when, and when it will be removed. */
export interface Deprecation {
  readonly type: "deprecation";
  readonly isDeprecated: boolean;
  readonly since: string | undefined;
  readonly sunset: string | undefined;
}
