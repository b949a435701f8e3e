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

/** Returns whether a change has one of some impacts, or a larger one, or one of some rules. */
export function isAmong(names: readonly string[], { impact, rule, notice }: RatedDifference): boolean {
  const own = [...impacts.slice(impacts.indexOf(impact)), rule ?? [], notice ?? []].flat();
  return own.some((name) => names.includes(name));
}

/** `clarified` if only more is specified, and `reworded` if only texts and examples change. */
export type ChangeKind = "added" | "removed" | "changed" | "deprecated" | "clarified" | "reworded";

/** How the removal of something that can be deprecated was announced. */
export const notices = [
  "removed-as-announced",
  "removed-before-sunset",
  "removed-without-sunset",
  "removed-without-deprecation",
] as const;
export type Notice = (typeof notices)[number];

/** What differs, and its impact: a difference of a kind that has its row in the table of differences. */
export interface RatedDifference {
  readonly impact: Impact;
  readonly kind: ChangeKind;
  /** The rule that makes it a breaking change, such as `parameter-removed`. */
  readonly rule?: string | undefined;
  /** The rule for how a removal was announced. */
  readonly notice?: Notice | undefined;
  /** Whether it concerns requests or responses, if it concerns only one of them. */
  readonly direction?: Direction | undefined;
  readonly code: DifferenceCode;
  /** The facts in the sentence. */
  readonly facts: object;
  /** The sentence. */
  readonly words: Phrase;
  readonly listed?: Listed | undefined;
  /** The changed field, if there is one. */
  readonly field?: string | undefined;
  /** Whether the field was removed. */
  readonly isGone?: boolean | undefined;
}

/** A difference of a generation between two states of the contract. */
export interface Difference extends RatedDifference {
  readonly generation: string;
  /**
   * The affected operations, such as `GET /teams/{teamId}`. Empty if the change concerns the generation as a
   * whole.
   */
  readonly operations: readonly string[];
  /** JSON Pointer in the new bundle, or in the old one if its target was removed. */
  readonly pointer: string;
  readonly subject: Subject;
}

/** A difference with its subject in its words, and with advice. */
export interface Change extends Difference {
  /** The place in the sources, relative to the current folder, if it is known. */
  readonly file?: string;
  readonly line?: number;
  /** The words with their code in backticks. */
  readonly message: string;
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
  | { readonly type: "operation" }
  | { readonly type: "every operation" }
  /** A part of an operation, or a schema or field by its name: `{ part: "parameter", name: "limit" }`. */
  | { readonly type: "place"; readonly part: "" | "parameter" | "response"; readonly name: string };

/** What the changelog says of a change instead of its sentence. Changes with the same head are one item. */
export interface Listed {
  readonly head?: string;
  readonly text: Phrase;
}
