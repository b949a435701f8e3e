import type { Direction } from "../spec/schemas.ts";

/** How much a change asks of consumers, by the part of a semantic version that it raises; the most first. */
export const impacts = ["major", "minor", "patch"] as const;
export type Impact = (typeof impacts)[number];

/** `clarified` if the contract only says more, or says it better: descriptions, examples and gaps. */
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
  /** The operations that it concerns, such as `GET /teams/{teamId}`. Empty if it is about the generation as a whole. */
  readonly operations: readonly string[];
  /** JSON Pointer in the new bundle; in the old one if what it led to was removed. */
  readonly pointer: string;
  /** The rule by which it breaks consumers, such as `parameter-removed`. */
  readonly rule?: string;
  /** Whether it is about what consumers send or about what they receive, if it is about one of them. */
  readonly direction?: Direction;
  readonly gaps?: GapChange;
}

/** A change that has been found, before it is put into words. */
export interface Difference extends ChangeFacts {
  readonly subject: Subject;
  readonly fact: Fact;
}

/** A change with its words. */
export interface Change extends ChangeFacts {
  /** The place in the sources, relative to the current folder, where it is known. */
  readonly file?: string;
  readonly line?: number;
  /** The change in words. */
  readonly message: string;
  /** The operation that the message names, if it names one. */
  readonly named?: string;
  readonly advice: Advice;
}

/** What to do about a change. */
export interface Advice {
  /** For those who send HTTP requests. */
  readonly http: string;
  /** For those who compile against the types. */
  readonly types: string;
}

/** What a change is about. */
export type Subject =
  | { readonly type: "generation" }
  | { readonly type: "operation"; readonly name: string }
  | { readonly type: "every operation" }
  /** A part of an operation, or a schema or field by its name: `{ part: "parameter", name: "limit" }`. */
  | { readonly type: "place"; readonly part: "" | "parameter" | "response"; readonly name: string };

/** What has become of the subject of a change. */
export type Fact = Sentence | Sunset | Deprecation;

/** Something in words, whatever the subject is called. */
export interface Sentence {
  readonly type: "sentence";
  readonly text: string;
  /** Whether the sentence names the operation that is the subject. */
  readonly isNamed?: boolean;
  /** The field that has another value, if it is one. */
  readonly field?: string;
  /** Whether it has none any more. */
  readonly isGone?: boolean;
}

/** The day of its removal; without one, it stays. */
export interface Sunset {
  readonly type: "sunset";
  readonly day: string | undefined;
  readonly former: string | undefined;
}

/** Whether it is deprecated, since when, and until when it is there. */
export interface Deprecation {
  readonly type: "deprecation";
  readonly isDeprecated: boolean;
  readonly since: string | undefined;
  readonly sunset: string | undefined;
}
