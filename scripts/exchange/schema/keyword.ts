/** The validator's view of a keyword: the form of its value, and its check. */
import { maskAndCut } from "../secrets.ts";
import type { KeywordRule, Run } from "./run.ts";

/** Checks a value by a keyword, and returns whether it is valid. Records violations in the run. */
export type Check<Value> = (value: Value, run: Run) => boolean;

/** The members of an object in a description or a value. */
export type Members = Readonly<Record<string, unknown>>;

/** Properties marked so are optional in requests, or in responses (OpenAPI 3.1.1, section 4.8.24). */
export type OneWay = "readOnly" | "writeOnly";

/** The checks of a schema for each type of value, in order. */
export interface Checks {
  readonly number: readonly Check<number>[];
  readonly string: readonly Check<string>[];
  readonly array: readonly Check<readonly unknown[]>[];
  readonly object: readonly Check<Members>[];
  readonly other: readonly Check<unknown>[];
  /** The steps of one application. */
  readonly cost: number;
}

/** A schema whose checks are created on first use and then cached. */
export interface PreparedSchema {
  checks: Checks | undefined;
  readonly prepare: () => Checks;
}

/** The document of schemas, and how they are prepared. */
export interface Scope {
  /** References lead into this document. */
  readonly document: object;
  readonly oneWay: OneWay;
  /** Prepares a schema, once. `optional` are the properties that a surrounding schema makes optional. */
  readonly schema: (schema: unknown, optional?: ReadonlySet<string>) => PreparedSchema;
}

/** A keyword where it is written. */
export interface PlacedKeyword extends KeywordRule {
  /** The schema that has it. */
  readonly schema: Members;
  readonly scope: Scope;
  /** Properties that are optional although they are listed as required. */
  readonly optional: ReadonlySet<string>;
}

/**
 * Thrown when a validation needs a keyword whose value is malformed. The message continues a sentence that begins with
 * the keyword.
 */
export class MalformedKeyword extends Error {
  override name = "MalformedKeyword";
  readonly schema: Members;
  readonly keyword: string;
  constructor({ schema, keyword }: PlacedKeyword, message: string) {
    super(message);
    this.schema = schema;
    this.keyword = keyword;
  }
}

/** The form that the value of a keyword must have. */
export interface Form<Written> {
  /** Continues a sentence: `a number`. */
  readonly name: string;
  /** Reads the value. Returns `undefined` if it is malformed. */
  readonly read: (written: unknown, document: object) => Written | undefined;
}

export interface Keyword<Value> {
  /** Describes the required form of the value. Returns `undefined` if the value has it. */
  readonly wanted: (written: unknown, document: object) => string | undefined;
  /** Creates the check. Returns `undefined` if nothing is checked. */
  readonly prepare: (written: unknown, site: PlacedKeyword) => Check<Value> | undefined;
}

/** A keyword and the form of its value. If the value is malformed, the check throws {@link MalformedKeyword}. */
export function keywordOf<Written, Value>(
  form: Form<Written>,
  prepare: (written: Written, site: PlacedKeyword) => Check<Value> | undefined,
): Keyword<Value> {
  return {
    wanted: (written, document) => (form.read(written, document) === undefined ? form.name : undefined),
    prepare: (written, site) => {
      const read = form.read(written, site.scope.document);
      if (read !== undefined) return prepare(read, site);
      return () => {
        throw new MalformedKeyword(site, wantedText(form.name, written));
      };
    },
  };
}

/** Describes a malformed value of a keyword: `must be a number, not "5"`. */
export function wantedText(wanted: string, written: unknown): string {
  return `must be ${wanted}, not ${maskAndCut(JSON.stringify(written))}`;
}
