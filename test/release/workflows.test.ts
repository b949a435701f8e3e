import { execFile, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadChangelog } from "../../scripts/contract/changelog.ts";
import { membersOf, objectsOf, stringsOf, valueAt } from "../../scripts/values/json.ts";
import { repository, runHere } from "../pipeline/project.ts";

let folder: string;

function git(...args: string[]): void {
  const identity = ["-c", "user.name=Tester", "-c", "user.email=tester@mail.example", "-c", "init.defaultBranch=main"];
  const { status, stderr } = spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
  expect(status, stderr).toBe(0);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workflows-"));
  await writeFile(join(folder, "package.json"), '{ "version": "1.2.3" }');
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Release");
  git("tag", "--annotate", "v1.2.3", "--message", "Release");
  git("tag", "v1.2.4");
  git("checkout", "--quiet", "-b", "aside");
  git("commit", "--quiet", "--allow-empty", "--message", "Not merged");
});

afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["v1.2.3", 0, ""],
  ["v1.2.4", 1, "the tag v1.2.4 is not v1.2.3, the version in package.json"],
])("a tag is released if it is the version, and on the branch: %s", (tag, status, says) => {
  const run = spawnSync("bash", [resolve(".ci/check-tag"), tag, "main"], { cwd: folder, encoding: "utf8" });
  expect([run.status, run.stderr.trim()]).toEqual([status, says]);
});

test("a tag outside the reviewed branches isn't released", () => {
  git("tag", "--force", "v1.2.3", "aside");
  const run = spawnSync("bash", [resolve(".ci/check-tag"), "v1.2.3", "main"], { cwd: folder, encoding: "utf8" });
  git("tag", "--force", "v1.2.3", "main");
  expect([run.status, run.stderr]).toEqual([1, expect.stringContaining("the tag v1.2.3 is not on main")]);
});

/** Records how it is called, and answers a listing of comments with what $IDS has. */
const fakeGh =
  '#!/bin/sh\nprintf "%s|" "$@" >> "$CALLS"; echo >> "$CALLS"\ncase "$*" in *--jq*) printf "$IDS";; esac\n';

test.each([
  ["a comment of its own", "7\\n8\\n", "PATCH|repos/a/b/issues/comments/7|"],
  ["no comment of its own", "", "POST|repos/a/b/issues/5/comments|"],
])("the changes of a pull request are told where there is %s", async (_what, ids, expected) => {
  const workflow = load(await readFile(".github/workflows/ci.yml", "utf8"));
  const [step] = objectsOf(valueAt(workflow, ["jobs", "comment", "steps"]));
  const bin = await mkdtemp(join(folder, "bin-"));
  const calls = join(bin, "calls");
  await writeFile(join(bin, "gh"), fakeGh);
  await chmod(join(bin, "gh"), 0o755);
  const marker = String(valueAt(step, ["env", "MARKER"]));
  const env = {
    ...{
      ...process.env,
      PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
      IDS: ids,
      CALLS: calls,
      MARKER: marker,
    },
    ...{
      NUMBER: "5",
      REPOSITORY: "a/b",
      CHANGES: "2 `changes` for $HOME",
      PREVIEW: "[The docs](https://git.example/1)",
    },
  };
  const status = await new Promise((done) => {
    execFile("bash", ["-e", "-c", String(step?.["run"])], { env }, (error) => {
      done(error?.code ?? 0);
    });
  });
  const told = await readFile(calls, "utf8");
  expect(status, told).toBe(0);
  expect(told).toContain(
    `--silent|--method|${expected}--raw-field|body=${marker}\n\n2 \`changes\` for $HOME\n\n[The docs](https://git.example/1)|`,
  );
  expect(marker).toMatch(/^<!-- .* -->$/);
});

test.each([
  ["its head if the merge has the same sources", "README.md", "aside"],
  ["the merge if the branch that it goes into has changed the sources", "openapi/openapi.yaml", "HEAD"],
])("a comment on a pull request links to %s", async (_what, changed, target) => {
  const workflow = load(await readFile(".github/workflows/ci.yml", "utf8"));
  const step = objectsOf(valueAt(workflow, ["jobs", "diff", "steps"])).find(({ id }) => id === "diff");
  git("checkout", "--quiet", "-B", "into", "main");
  await mkdir(join(folder, "openapi"), { recursive: true });
  await writeFile(join(folder, changed), "Text\n");
  git("add", changed);
  git("commit", "--quiet", "--message", "Change something else");
  git("merge", "--quiet", "--no-ff", "--no-edit", "aside");
  const bin = await mkdtemp(join(folder, "bin-"));
  await writeFile(join(bin, "npm"), '#!/bin/sh\necho "$*"\n', { mode: 0o755 });
  const [summary, output] = [join(bin, "summary"), join(bin, "output")];
  const env = {
    ...{ ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` },
    ...{ GITHUB_SERVER_URL: "https://git.example", GITHUB_REPOSITORY: "a/b" },
    ...{ GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output },
  };
  const { stderr } = spawnSync("bash", ["-e", "-c", String(step?.["run"])], { cwd: folder, encoding: "utf8", env });
  const commit = spawnSync("git", ["rev-parse", target], { cwd: folder, encoding: "utf8" }).stdout.trim();
  const command = `run --silent diff -- HEAD^1 --format markdown --source-url https://git.example/a/b/blob/${commit}\n`;
  expect(await readFile(summary, "utf8"), stderr).toBe(command);
  expect(await readFile(output, "utf8")).toContain(command);
});

test("a comment on a pull request links to its docs and its package, and names the pages of changed operations", async () => {
  const workflow = load(await readFile(".github/workflows/ci.yml", "utf8"));
  const step = objectsOf(valueAt(workflow, ["jobs", "preview", "steps"])).find(({ id }) => id === "preview");
  const site = await mkdtemp(join(folder, "site-"));
  const operations = Array.from({ length: 22 }, (_, index) => `GET /v2/rooms${index}`);
  for (const [index, operation] of [...operations, "GET /v2/other"].entries()) {
    await mkdir(join(site, `public/v2/page-${index + 10}`), { recursive: true });
    await writeFile(join(site, `public/v2/page-${index + 10}/index.md`), `# Page\n\n\`${operation}\`\n`);
  }
  await writeFile(join(site, "changes"), JSON.stringify({ changes: [{ operations }, { operations: [] }] }));
  await writeFile(join(site, "npm"), "#!/bin/sh\ncat changes\n", { mode: 0o755 });
  const env = {
    ...{ ...process.env, PATH: `${site}${delimiter}${process.env["PATH"] ?? ""}` },
    ...{ DOCS: "https://git.example/1", PACKAGE: "https://git.example/2" },
    ...{ GITHUB_STEP_SUMMARY: join(site, "summary"), GITHUB_OUTPUT: join(site, "output") },
  };
  const { stderr } = spawnSync("bash", ["-e", "-c", String(step?.["run"])], { cwd: site, encoding: "utf8", env });
  const told = await readFile(join(site, "summary"), "utf8");
  expect(told, stderr).toContain(
    "[The docs](https://git.example/1): unpack them, and open `index.html`. [The package](",
  );
  expect(told.split("\n").slice(3)).toEqual([
    "",
    ...operations.slice(0, 20).map((_, index) => `- \`v2/page-${index + 10}/index.html\``),
    ...["- and 2 more", ""],
  ]);
  expect(await readFile(join(site, "output"), "utf8")).toContain(told);
});

test("workflows name the commits of actions, and only a job without code of the repository may write", async () => {
  for (const name of ["ci", "release"]) {
    const workflow = load(await readFile(`.github/workflows/${name}.yml`, "utf8"));
    expect(valueAt(workflow, ["permissions"])).toEqual({ contents: "read" });
    for (const [job, value] of membersOf(valueAt(workflow, ["jobs"]))) {
      const steps = objectsOf(valueAt(value, ["steps"]));
      const actions = stringsOf(steps.map(({ uses }) => uses));
      expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
      const writes = membersOf(valueAt(value, ["permissions"])).filter(
        ([scope, to]) => scope !== "id-token" && to === "write",
      );
      const hasCode = actions.some((action) => action.startsWith("actions/checkout@"));
      expect(hasCode && writes.length > 0, job).toBe(false);
    }
  }
});

test("the entry of a release can be shown alone", async () => {
  const { entries = [] } = (await loadChangelog()) ?? {};
  const newest = entries.find(({ version }) => version !== undefined);
  const { code, stdout } = await runHere(repository, "release.ts", ["--entry", newest?.version ?? ""]);
  expect([code, stdout]).toEqual([0, `${newest?.text}\n`]);
  const { stderr } = await runHere(repository, "release.ts", ["--entry", "9.9.9"]);
  expect(stderr).toContain("openapi/CHANGELOG.md has no entry of a release 9.9.9");
});
