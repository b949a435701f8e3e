import { terminalStyle } from "../../scripts/command/terminal.ts";
import { wrapWords } from "../../scripts/values/textStyle.ts";

/** A kind of figure. Lower is better, unless `better` says otherwise. */
export interface Metric {
  readonly unit: string;
  readonly better?: "more";
  /** The limit of our figure, or of its ratio to the first of the others. */
  readonly goal?: { readonly ours: number } | { readonly ratio: number } | undefined;
}

/** A figure of this project, and those of other tools by name. `Infinity` means that it was never reached. */
export interface Figure extends Metric {
  readonly name: string;
  readonly ours: number;
  readonly others?: Readonly<Record<string, number>>;
}

/** Figures that were measured under the same conditions. */
export interface MeasuredFigures {
  readonly title: string;
  readonly figures: readonly Figure[];
}

/** Yields measurements, one comparison after the other. */
export type Benchmark = () => AsyncGenerator<MeasuredFigures, void>;

interface Contest<Contender> {
  readonly title: string;
  readonly rounds?: number;
  readonly metrics: Readonly<Record<string, Metric>>;
  /** Resolves to a value for each metric. */
  readonly measure: (contender: Contender) => Promise<Readonly<Record<string, number>>>;
  readonly ours: Contender;
  readonly others?: Readonly<Record<string, Contender>>;
}

/**
 * Measures all contenders in turn, so that they share the machine's other load. Takes the median of each
 * metric's rounds.
 */
export async function compare<Contender>(contest: Contest<Contender>): Promise<MeasuredFigures> {
  const { title, rounds = 3, metrics, measure, ours, others = {} } = contest;
  const contenders = [ours, ...Object.values(others)];
  const results = contenders.map((): Readonly<Record<string, number>>[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) results[index]?.push(await measure(contender));
  }
  const figures = Object.entries(metrics).map(([name, metric]) => {
    const sorted = results.map((measured) => measured.map((values) => values[name] ?? NaN).toSorted((a, b) => a - b));
    const [own = NaN, ...values] = sorted.map((measured) => measured[Math.floor(rounds / 2)] ?? NaN);
    const byTool = Object.fromEntries(Object.keys(others).map((tool, index) => [tool, values[index] ?? NaN]));
    return { name, ...metric, ours: own, others: byTool };
  });
  return { title, figures };
}

/**
 * A table of all figures, with a title for each comparison. Below our figure are those of the other tools with the
 * ratio of ours to theirs, and whether the goal is met.
 */
export function formatTable(comparisons: readonly MeasuredFigures[]): string {
  const rows = comparisons.flatMap(({ figures }) => figures.flatMap(rowsOf));
  const [labels = 0, numbers = 0, units = 0] = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const formatRow = ([label = "", number = "", unit = "", remark = ""]: readonly string[]) =>
    `${label.padEnd(labels)}  ${number.padStart(numbers)} ${unit.padEnd(units)}  ${remark}`.trimEnd();
  return comparisons
    .flatMap(({ title, figures }) => [
      "",
      ...wrapWords(title.split(" "), 80),
      ...figures.flatMap(rowsOf).map(formatRow),
    ])
    .join("\n");
}

/** A row for our figure, for that of each other tool, and for the goal. */
function rowsOf({ name, unit, better, ours, others = {}, goal }: Figure): readonly (readonly string[])[] {
  const ratios = Object.values(others).map((other) => ours / other);
  const rows = Object.entries(others).map(([tool, other], index) => {
    const ratio = ratios[index] ?? NaN;
    const shownUnit = Number.isFinite(other) ? unit : "";
    return [`    ${tool}`, formatNumber(other), shownUnit, Number.isFinite(ratio) ? `ratio ${ratio.toFixed(2)}` : ""];
  });
  const own = [`  ${name}`, formatNumber(ours), unit];
  if (goal === undefined) return [own, ...rows];
  const isOurs = "ours" in goal;
  const [value = NaN, limit] = isOurs ? [ours, goal.ours] : [ratios[0], goal.ratio];
  const isMet = better === "more" ? value >= limit : value <= limit;
  const bound = `at ${better === "more" ? "least" : "most"} ${formatNumber(limit)}`;
  const { paint } = terminalStyle(process.stdout);
  const verdict = isMet ? paint("green", "met") : paint("red", "MISSED");
  return [own, ...rows, [`    goal: ${isOurs ? `${bound} ${unit}`.trimEnd() : `ratio ${bound}`}`, "", "", verdict]];
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return value === Infinity ? "never" : "none";
  return value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
}
