/** What a keyword is to the validator: the form of its value, and the check that is made of it. */
import type { Evaluated, KeywordRule, Run } from "./run.ts";

/** Checks a value by a keyword, and tells whether it is valid. What is wrong is noted in the run. */
export type Check<Value> = (value: Value, run: Run, evaluated: Evaluated | undefined) => boolean;

/** An object of the description, or of a value, by its names. */
export type Members = Readonly<Record<string, unknown>>;

/** Properties so marked need not be in a request, or not in a response (OpenAPI 3.1.1, section 4.8.24). */
export type OneWay = "readOnly" | "writeOnly";

/** The checks of a schema for each type of value, in the order in which they are made. */
export interface Checks {
  readonly number: readonly Check<number>[];
  readonly string: readonly Check<string>[];
  readonly array: readonly Check<readonly unknown[]>[];
  readonly object: readonly Check<Members>[];
  readonly other: readonly Check<unknown>[];
  /** The steps that one application takes. */
  readonly cost: number;
  /** The schemas with a `$dynamicAnchor`, by its name: the schema itself and those in its `$defs`. */
  readonly anchors: ReadonlyMap<string, unknown> | undefined;
  /** Whether a keyword needs to know what the others have evaluated. */
  readonly isTracking: boolean;
}

/** A schema whose checks are made when it is first applied, and then kept. */
export interface PreparedSchema {
  checks: Checks | undefined;
  readonly prepare: () => Checks;
}

/** Where schemas are from, and how they are read. */
export interface Scope {
  /** References lead into it. */
  readonly document: object;
  readonly oneWay: OneWay;
  /** Prepares a schema, once. `optional`: names that it need not require, as a schema around it says. */
  readonly schema: (schema: unknown, optional?: ReadonlySet<string>) => PreparedSchema;
}

/** A keyword where it is written. */
export interface WrittenKeyword extends KeywordRule {
  /** The schema that has it. */
  readonly schema: Members;
  readonly scope: Scope;
  /** Names of properties that need not be there, although they are required. */
  readonly optional: ReadonlySet<string>;
}

/** Ends a validation for which a keyword is needed whose value has another form. */
export class MalformedKeyword extends Error {
  override name = "MalformedKeyword";
  readonly schema: Members;
  readonly keyword: string;
  constructor(schema: Members, keyword: string) {
    super(keyword);
    this.schema = schema;
    this.keyword = keyword;
  }
}

/** What the value of a keyword has to be. */
export interface Form<Written> {
  /** Continues a sentence: `a number`. */
  readonly name: string;
  /** Reads the value; `undefined` if it has another form. */
  readonly read: (written: unknown, document: object) => Written | undefined;
}

export interface Keyword<Value> {
  /** Says what the value of the keyword would have to be; `undefined` if it is. */
  readonly wanted: (written: unknown, document: object) => string | undefined;
  /** Makes the check; `undefined` if another keyword's check heeds this one. */
  readonly prepare: (written: unknown, site: WrittenKeyword) => Check<Value> | undefined;
}

/** A keyword with a value of some form. Where it has another form, the check throws
 * {@link MalformedKeyword}. */
export function keywordOf<Written, Value>(
  form: Form<Written>,
  prepare: (written: Written, site: WrittenKeyword) => Check<Value> | undefined,
): Keyword<Value> {
  return {
    wanted: (written, document) => (form.read(written, document) === undefined ? form.name : undefined),
    prepare: (written, site) => {
      const read = form.read(written, site.scope.document);
      return read === undefined ? () => refuseKeyword(site) : prepare(read, site);
    },
  };
}

/** A keyword that others heed. */
export function companion<Written>(form: Form<Written>): Keyword<unknown> {
  return keywordOf(form, () => undefined);
}

/** Ends the validation. */
export function refuseKeyword({ schema, keyword }: WrittenKeyword): never {
  throw new MalformedKeyword(schema, keyword);
}
