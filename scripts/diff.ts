import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { Change } from "./diff/changes.ts";

enableCompileCache();
const { printLine, printProgress, readChoice, readChoices, runCommand } = await import("./command/commandLine.ts");
const { terminalStyle } = await import("./command/terminal.ts");
const { readBaseUrl } = await import("./contract/defaultAddress.ts");
const { changeFolder } = await import("./command/files.ts");
const { changelogFile, loadChangelog } = await import("./contract/changelog.ts");
const { UserError } = await import("./contract/failures.ts");
const { countOf } = await import("./values/text.ts");
const { readBundleFiles, readCommitted, readReleased } = await import("./diff/baseGenerations.ts");
const { impacts, isAmong, notices } = await import("./diff/changes.ts");
const { rules } = await import("./diff/differences.ts");
const { compareGenerations } = await import("./diff/compareGenerations.ts");
const { reportChanges } = await import("./diff/changeReport.ts");
const { completeChangelog, unnamedChanges } = await import("./diff/changelogEntry.ts");
const { writeReport } = await import("./report/writeReport.ts");

/** The exit code if nothing was compared. That of changes in --fail-on is 1. */
const errorCode = 2;
const formats = ["text", "markdown", "github", "json"] as const;

interface ReportOptions {
  readonly format: (typeof formats)[number];
  /** The impacts and rules of changes that make the run fail. */
  readonly failing: readonly string[];
  readonly isFull: boolean;
  /** Whether the changelog gets the changes. */
  readonly isWriting: boolean;
  readonly sourceUrl: string | undefined;
}

await runCommand({
  name: "npm run diff",
  summary: [
    "Lists the changes for consumers in openapi/ since the last release or a commit, or between two bundles.",
    "",
    "Exit codes:",
    "  1  There is a change that --fail-on names.",
    "  2  Nothing was compared: a file has a mistake, for example.",
    "  0  Otherwise.",
  ].join("\n"),
  options: {
    format: { type: "string", value: "FORMAT", default: "text", description: `one of ${formats.join(", ")}` },
    all: { type: "boolean", description: "list each patch change in the text, too" },
    "source-url": {
      type: "string",
      value: "URL",
      description: "link the lines in Markdown to this folder: https://github.com/OWNER/REPOSITORY/blob/COMMIT",
    },
    "fail-on": {
      type: "string",
      value: "IMPACT,RULE",
      description:
        `exit with code 1 for a change of this impact or a larger one (${impacts.join(", ")}), or with this rule or ` +
        `notice, as JSON names them: ${notices[3]}`,
    },
    "write-changelog": {
      type: "boolean",
      description: `add the changes since the last release to the next entry of ${changelogFile}`,
    },
  },
  positionals: "[COMMIT | BASE NEW]",
  examples: [
    "npm run diff",
    "npm run diff -- main --format markdown",
    "npm run diff -- old.yaml new.yaml --fail-on major",
  ],
  errorCode,
  run: async ({ all = false, "source-url": url, ...values }, names) => {
    const format = readChoice("format", values.format, formats);
    const failing = readChoices("fail-on", values["fail-on"], [...impacts, ...notices, ...rules]);
    const isWriting = values["write-changelog"] === true;
    if (isWriting && names.length > 0)
      throw new UserError("--write-changelog is for the changes since the last release");
    if (url !== undefined && format !== "markdown") throw new UserError("--source-url is only for --format markdown");
    const refusal = "--source-url must be an http or https URL, without a query or a password";
    const sourceUrl = url === undefined ? undefined : readBaseUrl(url, refusal);
    const options = { format, failing, isFull: all || format !== "text", isWriting, sourceUrl };
    try {
      await report(names, options);
    } catch (error) {
      if (format !== "github") throw error;
      const { annotateFailure } = await import("./pipeline/formatProblems.ts");
      printLine(annotateFailure(error));
      process.exitCode = errorCode;
    }
  },
});

async function report(names: readonly string[], { format, isWriting, ...options }: ReportOptions) {
  const { changes, since } = await compare(names);
  const advise = names.length === 0 ? adviseOnChangelog : () => undefined;
  const next = await (isWriting ? writeChangelog : advise)(changes);
  printLine(writeReport(reportChanges(changes, { ...options, since, next }), format, terminalStyle(process.stdout)));
  if (changes.some((change) => isAmong(options.failing, change))) process.exitCode = 1;
}

async function writeChangelog(changes: readonly Change[]): Promise<string | undefined> {
  if (changes.length === 0) return undefined;
  const written = (await loadChangelog())?.text;
  const { content } = await completeChangelog(changes);
  if (content === written) return `${changelogFile} names these changes already.`;
  await changeFolder(resolve("."), { written: [{ path: changelogFile, content }], removed: [] });
  return `Wrote ${changelogFile}. Review the entry, and add your own words.`;
}

/** Advises on breaking changes that the changelog doesn't name. */
async function adviseOnChangelog(changes: readonly Change[]): Promise<string | undefined> {
  const { length } = await unnamedChanges(changes);
  if (length === 0) return undefined;
  return `Next: npm run diff -- --write-changelog, because ${changelogFile} lacks ${countOf(length, "breaking change")}`;
}

/** The changes between two states, and a phrase that names the states: `since the last release`. */
async function compare([first, second, ...others]: readonly string[]) {
  if (others.length > 0)
    throw new UserError("give a commit or two bundles, or nothing to compare with the last release");
  return first === undefined || second === undefined ? compareSources(first) : compareBundles(first, second);
}

async function compareBundles(first: string, second: string) {
  const { createBundleReader } = await import("./pipeline/configuration.ts");
  const { base, next, warnings } = await readBundleFiles([first, second], await createBundleReader());
  if (warnings.length > 0) {
    const { formatProblems } = await import("./pipeline/formatProblems.ts");
    printProgress(`${formatProblems(warnings, terminalStyle(process.stderr))}\n`);
  }
  return { changes: compareGenerations([base], [next]), since: `between ${first} and ${second}` };
}

/** Compares the sources with a commit, or else with the last release, and finds the changes in their files. */
async function compareSources(commit: string | undefined) {
  const [{ createSourceLoader }, { LintError }, { readConfiguration }, { createSourceLocator }] = await Promise.all([
    import("./pipeline/loadSources.ts"),
    import("./pipeline/formatProblems.ts"),
    import("./pipeline/configuration.ts"),
    import("./redocly/sourceFiles.ts"),
  ]);
  const base = commit === undefined ? await readReleased() : await readCommitted(commit);
  const release = base.length === 0 ? "before the first release" : "since the last release";
  const since = commit === undefined ? release : `since ${commit}`;
  // Any contract that can be served can be compared. Lint comes later, and the workflows may not be updated
  // yet.
  const { contract, problems } = await createSourceLoader(undefined, [])(new Set());
  if (contract === undefined) throw new LintError("the contract cannot be compared", problems);
  const changes = compareGenerations(base, contract.generations);
  if (changes.length === 0) return { changes, since };
  const { sources } = await readConfiguration();
  const locators = new Map(sources.map(({ name, root }) => [name, createSourceLocator(root)]));
  const located = changes.map((change) => ({ ...change, ...locators.get(change.generation)?.(change.pointer) }));
  return { changes: located, since };
}
