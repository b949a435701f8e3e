import { enableCompileCache } from "node:module";
import type { Impact } from "./diff/changes.ts";

enableCompileCache();
const { printLine, readChoice, runCommand } = await import("./command/commandLine.ts");
const { terminalStyle } = await import("./command/terminal.ts");
const { readBaseUrl } = await import("./contract/defaultAddress.ts");
const { UserError } = await import("./contract/failures.ts");
const { readBundleFiles, readCommitted, readReleased } = await import("./diff/baseGenerations.ts");
const { impacts } = await import("./diff/changes.ts");
const { compareGenerations } = await import("./diff/compareGenerations.ts");
const { reportChanges } = await import("./diff/changeReport.ts");
const { adviseOnChangelog } = await import("./diff/changelogEntry.ts");
const { writeReport } = await import("./report/writeReport.ts");

const formats = ["text", "markdown", "github", "json"] as const;

interface ReportOptions {
  readonly format: (typeof formats)[number];
  /** The least impact of a change that makes the run fail, if there is one. */
  readonly failingFrom: Impact | undefined;
  readonly isFull: boolean;
  readonly sourceUrl: string | undefined;
}

await runCommand({
  name: "npm run diff",
  summary: "Lists the changes for consumers in openapi/ since the last release or a commit, or between two bundles.",
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
      value: "IMPACT",
      description: `exit with code 1 for a change of this impact or a larger one: ${impacts.join(", ")}`,
    },
  },
  positionals: "[COMMIT | BASE NEW]",
  examples: [
    "npm run diff",
    "npm run diff -- main --format markdown",
    "npm run diff -- old.yaml new.yaml --fail-on major",
  ],
  run: async ({ all = false, "fail-on": limit, "source-url": url, ...values }, names) => {
    const format = readChoice("format", values.format, formats);
    const failingFrom = limit === undefined ? undefined : readChoice("fail-on", limit, impacts);
    if (url !== undefined && format !== "markdown") throw new UserError("--source-url is only for --format markdown");
    const refusal = "--source-url must be an http or https URL, without a query or a password";
    const sourceUrl = url === undefined ? undefined : readBaseUrl(url, refusal);
    const options = { format, failingFrom, isFull: all || format !== "text", sourceUrl };
    try {
      await report(names, options);
    } catch (error) {
      if (format !== "github") throw error;
      const { annotateFailure } = await import("./pipeline/formatProblems.ts");
      printLine(annotateFailure(error));
      process.exitCode = 1;
    }
  },
});

async function report(names: readonly string[], { format, ...options }: ReportOptions) {
  const { changes, since } = await compare(names);
  const isSinceRelease = format === "text" && names.length === 0;
  const next = isSinceRelease ? await adviseOnChangelog(changes) : undefined;
  printLine(writeReport(reportChanges(changes, { ...options, since, next }), format, terminalStyle(process.stdout)));
  const rank = impacts.findIndex((impact) => impact === options.failingFrom);
  if (changes.some(({ impact }) => impacts.indexOf(impact) <= rank)) process.exitCode = 1;
}

/** The changes between two states, and a phrase that names the states: `since the last release`. */
async function compare([first, second, ...others]: readonly string[]) {
  if (others.length > 0)
    throw new UserError("give a commit or two bundles, or nothing to compare with the last release");
  if (first !== undefined && second !== undefined) {
    const { configureBundles } = await import("./pipeline/configuration.ts");
    const [base, next] = await readBundleFiles([first, second], await configureBundles());
    return { changes: compareGenerations([base], [next]), since: `between ${first} and ${second}` };
  }
  const [{ createSourceLoader }, { LintError }, { readConfiguration }, { createSourceLocator }] = await Promise.all([
    import("./pipeline/followSources.ts"),
    import("./pipeline/formatProblems.ts"),
    import("./pipeline/configuration.ts"),
    import("./redocly/sourceFiles.ts"),
  ]);
  const base = first === undefined ? await readReleased() : await readCommitted(first);
  const release = base.length === 0 ? "before the first release" : "since the last release";
  const since = first === undefined ? release : `since ${first}`;
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
