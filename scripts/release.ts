import { spawn } from "node:child_process";
import { once } from "node:events";
import { ignoreOutputErrors, printLine, printSentence, runCommand } from "./command/commandLine.ts";
import { changelogFile, loadChangelog } from "./contract/changelog.ts";
import { UserError } from "./contract/failures.ts";
import { suggestNames } from "./values/similarName.ts";
import { countChanges } from "./diff/changeReport.ts";
import { planRelease } from "./release/planRelease.ts";
import { requireCleanTree, writeRelease } from "./release/writeRelease.ts";

await runCommand({
  name: "npm run release",
  summary:
    "Prepares a release of the contract. Derives its version from the changes, runs the tests, and writes the changelog's " +
    "entry, the version, and the bundles for the next comparison. Doesn't commit or publish anything.",
  options: {
    "dry-run": { type: "boolean", description: "only show the version and the entry" },
    entry: { type: "string", value: "VERSION", description: "only show the entry of a release in the changelog" },
  },
  examples: ["npm run release -- --dry-run", "npm run release"],
  run: async ({ "dry-run": isDry = false, entry: version }) => {
    if (version !== undefined) {
      const { entries = [] } = (await loadChangelog()) ?? {};
      const entry = entries.find((one) => one.version === version);
      if (entry === undefined) {
        const known = entries.flatMap((one) => one.version ?? []);
        throw new UserError(`${changelogFile} has no entry of a release ${version}: ${suggestNames(version, known)}`);
      }
      printLine(entry.text);
      return;
    }
    if (!isDry) await requireCleanTree();
    const plan = await planRelease(new Date().toISOString().slice(0, 10));
    printLine(`${plan.former} -> ${plan.version}: ${countChanges(plan.changes)}\n\n${plan.entry}\n`);
    if (isDry) {
      printLine(`To release ${plan.version}, run npm run release`);
      return;
    }
    ignoreOutputErrors();
    printLine("Running the tests");
    const tests = spawn("npm", ["test"], { stdio: "inherit" });
    await once(tests, "exit");
    if (tests.exitCode !== 0) throw new UserError("nothing was released: the tests fail");
    await writeRelease(plan, printLine);
    printSentence(
      `Wrote release ${plan.version}. Review it, and add your own words to its entry in openapi/CHANGELOG.md. ` +
        "Then run on the main branch:",
    );
    printLine(
      [
        `  git add --all && git commit --message "Release ${plan.version}"`,
        `  git tag --annotate v${plan.version} --message "Release ${plan.version}" && git push --follow-tags`,
        "The tag makes the release workflow stage the package, which a maintainer approves, and publish the docs.",
        "Before the first release, npm run package says what is missing to publish it.",
      ].join("\n"),
    );
  },
});
