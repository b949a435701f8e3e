import { countOf } from "../values/text.ts";
import type { Emphasis } from "../values/textStyle.ts";
import type { Phrase } from "./phrase.ts";

/** What a command has found, before it is written in a format. The most important comes first. */
export interface CommandReport {
  readonly sections: readonly ReportSection[];
  /** Why there is no result, or only a part of one, below a title. */
  readonly causes?: { readonly title: string; readonly texts: readonly string[] };
  readonly notes?: readonly string[];
  /** The next step, as text. */
  readonly next?: string | undefined;
  /** The result. Its outcome has a color, and `rest` follows on the same line. */
  readonly verdict?: {
    readonly outcome: string;
    readonly rest: string;
    readonly emphasis: Emphasis;
    /** The heading of a comment. */
    readonly heading: string;
  };
  /** The command that lists the findings for which a comment has no room. */
  readonly whole?: Phrase;
  /** The URL of the folder with the sources, if places should be links. */
  readonly sourceUrl?: string | undefined;
  /** What was checked, as a suite of tests. */
  readonly tests?: { readonly name: string; readonly checks: readonly ReportedCheck[] };
  /** The content of JSON. */
  readonly facts?: object;
}

export interface ReportSection {
  /**
   * `places`: findings below their places. `table`: with advice, as a table in a comment. `list`: below the titles of
   * their groups. `lines`: as in a list, each on a line. `names`: only the names of groups.
   */
  readonly layout: "places" | "table" | "list" | "lines" | "names";
  readonly title?: string;
  readonly emphasis?: Emphasis;
  readonly groups: readonly ReportGroup[];
  /** Above the folded section in a comment, or above the folded advice of its table. */
  readonly summary?: string;
}

export interface ReportGroup {
  /** The beginning of the title, with a color. */
  readonly kind?: { readonly name: string; readonly emphasis: Emphasis };
  readonly title?: Phrase;
  /** Operations, each with a label before it. Text leaves them out if `isBrief` is true. */
  readonly names?: readonly string[];
  readonly label?: string;
  readonly isBrief?: boolean;
  readonly findings: readonly ReportedFinding[];
}

export interface ReportedFinding {
  /** The rule or the kind. */
  readonly title: string;
  /** How GitHub shows it, if it does. */
  readonly severity?: "error" | "warning" | "notice" | undefined;
  readonly sentence: Phrase | string;
  readonly place: ReportedPlace;
  readonly generation?: string;
  readonly operations?: readonly string[];
  /** What to do about it, by audience. */
  readonly advice?: readonly Advice[];
  /** The lines around the place, with a line of marks. */
  readonly frame?: string;
  /** Other places with the same finding. */
  readonly others?: readonly ReportedPlace[];
  /** What probably disappears along with it. */
  readonly consequences?: readonly string[];
  /** Lines for the sources. */
  readonly proposal?: { readonly where: string; readonly lines: readonly string[] } | undefined;
  /** A command that repeats it. Those with the same one are in a row. */
  readonly command?: string | undefined;
  /** What it is in a suite of tests, with a rule that is the same in each run. */
  readonly test?: { readonly outcome: TestOutcome; readonly rule: string } | undefined;
  readonly checks?: readonly Omit<ReportedCheck, "seconds">[];
}

export type TestOutcome = "error" | "failure" | "skipped";

/** A check of an operation. */
export interface ReportedCheck {
  readonly operation: string;
  readonly check: string;
  readonly seconds: number;
}

/** A line of a source file, or a JSON Pointer in the bundle where the line isn't known. */
export interface ReportedPlace {
  /** Relative to the current folder. */
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly pointer: string;
}

interface Advice {
  readonly audience?: string;
  readonly text: string;
}

/** `openapi/rooms.yaml:7:3`, or `#/paths/~1rooms`. */
export function reportedPlace({ file, line = 1, column, pointer }: ReportedPlace): string {
  return file === undefined ? `#${pointer}` : [file, line, ...(column === undefined ? [] : [column])].join(":");
}

export function findingsOf({ sections }: CommandReport): readonly ReportedFinding[] {
  return sections.flatMap(({ groups }) => groups.flatMap(({ findings }) => findings));
}

/** The lines of the command below a finding of a group: only below the last one in a row that share it. */
export function commandBelow({ findings }: ReportGroup, index: number): readonly string[] {
  const { command = "" } = findings[index] ?? {};
  return command === "" || command === findings[index + 1]?.command ? [] : command.split("\n");
}

/** `Over HTTP: Nothing.` */
export function adviceText({ audience, text }: Advice): string {
  return audience === undefined ? text : `${audience}: ${text}`;
}

export function sameElsewhere({ length }: readonly ReportedPlace[]): string {
  return `The same at ${countOf(length, "other place")}`;
}
