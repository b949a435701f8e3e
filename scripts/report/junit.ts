import { distinctName, escapeXml } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { phraseText } from "./phrase.ts";
import {
  findingsOf,
  reportedPlace,
  type CommandReport,
  type ReportedCheck,
  type ReportedFinding,
  type TestOutcome,
} from "./report.ts";

/** The result of a check. Its name is the check, and the rule if that failed, which is the same in each run. */
interface TestCase extends ReportedCheck {
  readonly name: string;
  /** `undefined` if the check passed. */
  readonly outcome?: TestOutcome;
  /** What the element of the outcome contains. */
  readonly element?: string;
}

/**
 * A test suite as XML, in the form that JUnit's tasks for Ant write. Each operation has a case for each check that
 * passed, and one for each failed rule of a check. It is skipped if it wasn't tested. Each reason for having no result is
 * a case with an error, too.
 */
export function junitReport(report: CommandReport): string {
  const { name = "", checks = [] } = report.tests ?? {};
  const passed = checks.map((one): TestCase => ({ ...one, name: one.check }));
  const causes = (report.causes?.texts ?? []).map((text): TestCase => {
    const element = outcomeElement("error", "no result", text, "");
    return { operation: name, check: text, name: text, seconds: 0, outcome: "error", element };
  });
  const cases = [...countOnce([...passed, ...findingsOf(report).flatMap(casesOf)]), ...causes];
  const count = (outcome: TestCase["outcome"]) => cases.filter((one) => one.outcome === outcome).length;
  const time = checks.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  const suite = {
    ...{ name, timestamp: new Date().toISOString().slice(0, 19), hostname: "localhost", tests: cases.length },
    ...{ failures: count("failure"), errors: count("error"), skipped: count("skipped"), time },
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite ${attributes(suite)}>`,
    "  <properties/>",
    ...cases.map(caseElement),
    "  <system-out/>",
    "  <system-err/>",
    "</testsuite>",
  ].join("\n");
}

/** Leaves out checks that passed or were skipped where others of the same operation and check failed. */
function countOnce(cases: readonly TestCase[]): readonly TestCase[] {
  const names = new Set<string>();
  const groups = groupBy(cases, ({ operation, check }) => JSON.stringify([operation, check]));
  return [...groups.values()].flatMap((all) => {
    const failed = all.filter(({ outcome }) => outcome === "failure" || outcome === "error");
    const told = failed.length > 0 ? failed : all.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, 1);
    const seconds = (all[0]?.seconds ?? 0) / told.length;
    return told.map((one) => {
      // Readers take a second case with the same name for a retry.
      const distinct = distinctName(`${one.operation} ${one.name}`, names, " ").slice(one.operation.length + 1);
      return { ...one, seconds, name: one.outcome === undefined ? one.name : distinct };
    });
  });
}

function rankOf({ outcome }: TestCase): number {
  return outcome === "skipped" ? 0 : 1;
}

function casesOf({ test, checks = [], title, sentence, place, command = "" }: ReportedFinding): readonly TestCase[] {
  if (test === undefined) return [];
  const { outcome, rule } = test;
  const element = outcomeElement(outcome, title, phraseText(sentence), `${reportedPlace(place)}\n${command}`);
  return checks.map((one) => {
    const name = outcome === "skipped" ? one.check : `${one.check}: ${rule}`;
    return { ...one, name, seconds: 0, outcome, element };
  });
}

function outcomeElement(tag: string, type: string, message: string, content: string): string {
  if (tag === "skipped") return `<skipped ${attributes({ message })}/>`;
  return `<${tag} ${attributes({ type, message })}>${escapeXml(content)}</${tag}>`;
}

function caseElement({ operation, name, seconds, element }: TestCase): string {
  const start = `  <testcase ${attributes({ classname: operation, name, time: seconds.toFixed(3) })}`;
  return element === undefined ? `${start}/>` : `${start}>\n    ${element}\n  </testcase>`;
}

function attributes(values: Readonly<Record<string, number | string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value)).replaceAll('"', "&quot;")}"`)
    .join(" ");
}
