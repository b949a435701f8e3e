import { escapeXml } from "../contract/text.ts";
import type { Reported } from "./reported.ts";

/** A test case: the result of one check. */
export interface TestCase {
  /** What was checked. */
  readonly owner: string;
  readonly name: string;
  readonly seconds: number;
  /** `undefined` if the check passed. */
  readonly outcome: TestOutcome | undefined;
}

export interface TestOutcome extends Reported {
  readonly tag: "error" | "failure" | "skipped";
}

/** A test suite as XML, in the form that JUnit's tasks for Ant write. `seconds` is the time of all cases together. */
export function junitReport(name: string, cases: readonly TestCase[], seconds: number): string {
  const count = (tag: TestOutcome["tag"]) => cases.filter(({ outcome }) => outcome?.tag === tag).length;
  const suite = {
    ...{ name, timestamp: new Date().toISOString().slice(0, 19), hostname: "localhost", tests: cases.length },
    ...{ failures: count("failure"), errors: count("error"), skipped: count("skipped"), time: secondsText(seconds) },
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

function caseElement({ owner, name, seconds, outcome }: TestCase): string {
  const start = `  <testcase ${attributes({ classname: owner, name, time: secondsText(seconds) })}`;
  if (outcome === undefined) return `${start}/>`;
  const { tag, title: type, sentence: message, details } = outcome;
  if (tag === "skipped") return `${start}>\n    <skipped ${attributes({ message })}/>\n  </testcase>`;
  const content = escapeXml(details.join("\n"));
  return `${start}>\n    <${tag} ${attributes({ type, message })}>${content}</${tag}>\n  </testcase>`;
}

function attributes(values: Readonly<Record<string, number | string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value)).replaceAll('"', "&quot;")}"`)
    .join(" ");
}

function secondsText(seconds: number): string {
  return seconds.toFixed(3);
}
