import { countOf, listInWords } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { codeOf, phrase, type Phrase } from "../report/phrase.ts";
import type { CommandReport, ReportedFinding, ReportGroup, ReportSection } from "../report/report.ts";
import { impacts, isAmong, type Change, type Impact } from "./changes.ts";

/** The choices for a report. */
interface ReportOptions extends Pick<CommandReport, "next" | "sourceUrl"> {
  /** What the changes are compared with: `since the last release`. */
  readonly since: string;
  /** The impacts and rules of changes that make the run fail. */
  readonly failing: readonly string[];
  /** Whether patch changes are listed too. */
  readonly isFull: boolean;
}

/** How the changes of an impact are shown. */
const shown = {
  major: { layout: "table", title: "Breaking change", emphasis: "red", severity: "warning" },
  minor: { layout: "lines", title: "Minor change", emphasis: "yellow", severity: "notice" },
  patch: { layout: "lines", title: "Patch change", emphasis: "dim", severity: undefined },
} as const;

/** Reports changes: breaking ones with advice, and the others by their operations. */
export function reportChanges(changes: readonly Change[], options: ReportOptions): CommandReport {
  const { since, next, sourceUrl } = options;
  const sections = groupByImpact(changes).map(([impact, own]): ReportSection => {
    const { layout, title, emphasis } = shown[impact];
    const summary = impact === "major" ? "What consumers need to do" : countOf(own.length, `${impact} change`);
    return { layout, title: `${title}s`, emphasis, summary, groups: groupChanges(impact, own, options) };
  });
  const breaking = changes.filter(({ impact }) => impact === "major").length;
  const found = breaking === 0 ? "No breaking change" : countOf(breaking, "breaking change");
  const outcome = changes.length === 0 ? "No change" : found;
  const none = Object.fromEntries(impacts.map((impact) => [impact, 0]));
  return {
    ...{ sections, next, sourceUrl, whole: phrase`${codeOf("npm run diff")} with ${codeOf("--all")}` },
    verdict: {
      ...{ outcome: `${outcome} ${since}`, rest: `${countOthers(changes)}.`, heading: `${outcome} for consumers` },
      emphasis: breaking > 0 ? "red" : "green",
    },
    facts: {
      summary: { ...none, ...Object.fromEntries(groupByImpact(changes).map(([impact, own]) => [impact, own.length])) },
      // The message has the words, and JSON has no undefined members.
      changes: changes.map((one) => ({
        ...{ ...one, operation: one.operations[0] ?? null },
        ...{ words: undefined, subject: undefined, listed: undefined, field: undefined, isGone: undefined },
      })),
    },
  };
}

/** The groups of a section: each breaking change, or those of the same operations in the same file. */
function groupChanges(impact: Impact, changes: readonly Change[], options: ReportOptions): readonly ReportGroup[] {
  if (impact === "major") return changes.map((one) => ({ findings: [findingOf(one, options)] }));
  if (impact === "patch" && !options.isFull) {
    const count = countOf(changes.length, "change");
    return [{ title: [`${count} of texts, examples and closed gaps: --all lists them`], findings: [] }];
  }
  const groups = groupBy(changes, ({ generation, operations, file }) => JSON.stringify([generation, operations, file]));
  return [...groups.values()].map((group) => {
    return { title: group.slice(0, 1).flatMap(titleOf), findings: group.map((one) => findingOf(one, options)) };
  });
}

/** The generation, operations and file of a change: `v2 GET /teams and 2 others in openapi/v2/teams.yaml`. */
function titleOf({ generation, operations: [first, ...others], file }: Change): Phrase {
  const rest = others.length === 0 ? "" : ` and ${countOf(others.length, "other")}`;
  const names = first === undefined ? "" : phrase` ${codeOf(first)}${rest}`;
  return phrase`${generation}${names}${file === undefined ? "" : ` in ${file}`}`;
}

/**
 * A change. One that makes the run fail is an error for GitHub, any other breaking change is a warning, and a minor one is
 * a notice. Patch changes aren't shown.
 */
function findingOf(change: Change, { failing }: ReportOptions): ReportedFinding {
  const { impact, words: sentence, generation, operations, advice } = change;
  const { title, severity } = shown[impact];
  const advised = [
    { audience: "Over HTTP", text: advice.http },
    { audience: "In TypeScript", text: advice.types },
  ];
  return {
    ...{ title, sentence, generation, operations, place: change },
    severity: isAmong(failing, change) ? "error" : severity,
    advice: impact === "major" ? advised : [],
  };
}

/** The number of changes that aren't breaking: `, and 25 minor changes and 143 patch changes`. Empty if there are none. */
function countOthers(changes: readonly Change[]): string {
  const counts = groupByImpact(changes).filter(([impact]) => impact !== "major");
  if (counts.length === 0) return "";
  const isAll = changes.every(({ impact }) => impact !== "major");
  return `, ${isAll ? "only" : "and"} ${listInWords(counts.map(([impact, own]) => countOf(own.length, `${impact} change`)))}`;
}

/** The number of changes of each impact, in words: `3 changes for consumers: 1 major, 2 patch`. */
export function countChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return "no change for consumers";
  const counts = groupByImpact(changes).map(([impact, own]) => `${own.length} ${impact}`);
  return `${countOf(changes.length, "change")} for consumers: ${counts.join(", ")}`;
}

/** The changes of each impact that there are, which are in order. */
function groupByImpact(changes: readonly Change[]): readonly (readonly [impact: Impact, own: readonly Change[]])[] {
  return [...groupBy(changes, ({ impact }) => impact)];
}
