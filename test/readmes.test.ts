import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import project from "../package.json" with { type: "json" };
import { readFolder } from "../scripts/command/files.ts";
import { readBlocks } from "./package/readme.ts";

const files = ["README.md", "scripts/README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"];
const guides = (await readFolder("openapi/guides")).map(({ path }) => `openapi/guides/${path}`);
const texts = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const)));
const architecture = texts.get("scripts/README.md") ?? "";

it("the README has at most 150 lines", () => {
  expect(texts.get("README.md")?.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

it("every command in a block of the README is run by a test", () => {
  const runBy = {
    "npm ci && npm start": "test/docs/start.test.ts",
    "npm ci && npm test": ".ci/run",
    "curl http": "test/docs/start.test.ts",
    "npm run verify -- --server": "test/docs/start.test.ts",
    "npm run docs -- --out": "test/docs/outFolder.test.ts",
  };
  const shell = readBlocks(texts.get("README.md") ?? "").filter(({ language }) => language === "sh");
  const lines = shell.flatMap(({ code }) => code.trim().split("\n"));
  // The first of several steps in a block.
  const commands = lines.filter((line) => !line.startsWith("#") && line !== "npm ci");
  expect(commands.filter((command) => Object.keys(runBy).every((known) => !command.startsWith(known)))).toEqual([]);
  expect(Object.values(runBy).filter((file) => !existsSync(file))).toEqual([]);
});

it("CI runs the README's command for the tests, and nothing else", async () => {
  const [command] = readBlocks(texts.get("README.md") ?? "").filter(({ code }) => code.includes("npm test"));
  const lines = (await readFile(".ci/run", "utf8")).split("\n").filter((line) => !/^(?:#|set |$)/.test(line));
  expect(lines).toEqual([command?.code.trim()]);
});

it("the README begins with three uses, each in at most six lines and one block, with the same call", () => {
  const [, ...chapters] = (texts.get("README.md") ?? "").split(/^## /m);
  const uses = chapters.slice(0, 3).map((chapter) => ({
    title: chapter.split("\n")[0],
    blocks: readBlocks(chapter).length,
    isShort:
      chapter
        .replace(/^```[^]*?^```$/gm, "")
        .split("\n")
        .slice(1)
        .filter(Boolean).length <= 6,
  }));
  expect(uses).toEqual(
    ["Publish the docs", "Run the mock", "Use the types"].map((title) => ({ title, blocks: 1, isShort: true })),
  );
  for (const call of chapters.slice(1, 3)) {
    expect(call).toMatch(/organizations\/(?:42|\{orgId\})\/teams\/(?:7|\{teamId\})[^]*svc_example_key/);
    expect(call).toContain("Physiotherapy");
  }
});

it.each(files)("a table of contents leads to each chapter of %s, if it's long", (file) => {
  const text = texts.get(file) ?? "";
  const isLong = text.split("\n").length > 200;
  const [, ...chapters] = [...text.matchAll(/^## (.*)$/gm)].map(([, title = ""]) => anchorOf(title));
  const missing = chapters.filter((anchor) => !text.includes(`](#${anchor})`));
  expect(isLong ? missing : []).toEqual([]);
});

it.each([...files, ...guides.filter((file) => file.endsWith(".md"))])(
  "every relative link and picture of %s leads to something",
  async (file) => {
    const text = texts.get(file) ?? (await readFile(file, "utf8"));
    const targets = [...text.matchAll(/\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, picture]) => link ?? picture,
    );
    const relative = targets.filter((target) => target !== undefined).filter((target) => !/^https?:|^\//.test(target));
    const broken = await Promise.all(
      relative.map(async (target) => {
        const [path = "", fragment] = target.split("#");
        const linked = path === "" ? file : join(dirname(file), path);
        if (!existsSync(linked)) return [target];
        return fragment === undefined || (await readAnchors(linked)).includes(fragment) ? [] : [target];
      }),
    );
    if (texts.has(file)) expect(relative.length).toBeGreaterThan(0);
    expect(broken.flat()).toEqual([]);
  },
);

it.each(files)("every file that %s names under scripts/, test/, openapi/ or .github/ exists", (file) => {
  const paths = [...(texts.get(file) ?? "").matchAll(/`((?:scripts|test|openapi|\.github)\/[\w./-]*)`/g)];
  expect(paths.map(([, path = ""]) => path).filter((path) => !existsSync(path))).toEqual([]);
});

it("every module and folder that the architecture names exists", () => {
  const paths = [...architecture.matchAll(/`([\w.-]+(?:\/[\w.-]*)+|[\w-]+\.ts)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join("scripts", path)) && !existsSync(path))).toEqual([]);
});

it("the architecture has a line for each room", async () => {
  const rooms = [...architecture.matchAll(/^\| `([\w/]+)` +\|/gm)].map(([, room = ""]) => room);
  expect(new Set(rooms)).toEqual(await readRooms());
});

it("AGENTS.md names the tests of each room, which are there, and each folder of tests", async () => {
  const rows = (await readFile("AGENTS.md", "utf8")).split("\n").map((line) => line.split("|").map(codesIn));
  const ofRooms = rows.filter(
    ([, , tests = []]) => tests.length > 0 && tests.every((path) => path.startsWith("test/")),
  );
  const rooms = ofRooms.flatMap(([, own = []]) => own);
  const tests = ofRooms.flatMap(([, , own = []]) => own);
  expect(rooms.toSorted()).toEqual([...(await readRooms())].toSorted());
  expect(tests.filter((path) => !existsSync(path))).toEqual([]);
  // Folders that have benchmarks, what other tests use, or long tests.
  const others = ["bench", "fixtures", "foreign", "grown", "mutation"];
  const folders = (await readdir("test", { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const unnamed = folders.map(({ name }) => `test/${name}`).filter((path) => !tests.includes(path));
  expect(unnamed).toEqual(others.map((name) => `test/${name}`));
});

it("the budgets are those of their tests", async () => {
  const units: Readonly<Record<string, number>> = { kB: 1_000, MB: 1_000_000, s: 1_000 };
  const text = texts.get(".github/CONTRIBUTING.md") ?? "";
  const table = /^### Keep to the budgets$[^]*?^(\|[^]*?)\n\n/m.exec(text)?.[1] ?? "";
  const rows = table.split("\n").slice(2);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const [, , limit = "", tests = ""] = row.split("|");
    const contents = await Promise.all(codesIn(tests).map((path) => readFile(path, "utf8")));
    const numbers = contents.join("\n").match(/\b\d[\d_]*\b/g) ?? [];
    const known = new Set(numbers.map((number) => Number(number.replaceAll("_", ""))));
    const limits = [...limit.matchAll(/(\d[\d,]*) ?(kB|MB|s\b)?/g)].map(
      ([, number = "", unit = ""]) => Number(number.replaceAll(",", "")) * (units[unit] ?? 1),
    );
    expect(limits.length, row).toBeGreaterThan(0);
    expect([row, limits.filter((one) => !known.has(one))]).toEqual([row, []]);
  }
});

it("prose has none of the words that the style guides rule out", async () => {
  const words = /\be-mail|\bbe it\b|\bheld against\b|\banew\b|\bwhilst\b|\b(?:behavi|col|fav|neighb)our/i;
  const prose = execFileSync("git", ["ls-files", "*.md", "*.yaml", "*.html", "scripts", "openapi"], {
    encoding: "utf8",
  })
    .split("\n")
    // Synonyms are readers' words. Released bundles stay as they were.
    .filter((file) => /\.(?:md|yaml|html|css|[jt]s)$/.test(file) && !/^test\/|released\/|synonyms/.test(file));
  expect(prose.length).toBeGreaterThan(100);
  const found = prose.map(async (file) => {
    const lines = (await readFile(file, "utf8")).replace(/^## Glossary$[^]*?^## /m, "").split("\n");
    return lines.filter((line) => words.test(line)).map((line) => `${file}: ${line.trim()}`);
  });
  expect((await Promise.all(found)).flat()).toEqual([]);
});

it("every npm script is explained", () => {
  const all = [...texts.values()].join("\n");
  const isNamed = (name: string) => new RegExp(`npm (?:run )?${name}(?![\\w:-])`).test(all);
  expect(Object.keys(project.scripts).filter((name) => !isNamed(name))).toEqual([]);
});

it("the help of every command fits 80 columns", () => {
  const files = Object.values(project.scripts)
    .filter((script) => script.startsWith("node "))
    .map((script) => script.split(" ").at(-1));
  // One process for all of them: each prints its help when it's imported.
  const imports = [...files, "scripts/bin.ts"].map((file) => `await import("./${file}");`);
  const args = ["--input-type=module", "-e", imports.join(""), "--", "mock", "--help"];
  const help = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(help.match(/^Usage: /gm)?.length).toBe(imports.length);
  expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

/** The rooms under scripts/: its folders, and those in docs/, mock/ and workflows/. */
async function readRooms(): Promise<ReadonlySet<string>> {
  const folders = (await readFolder("scripts")).map(
    ({ path }) => /^(?:(?:docs|mock|workflows)\/(?=\w+\/))?[\w-]+(?=\/)/.exec(path)?.[0] ?? "",
  );
  return new Set(folders.filter((folder) => folder !== ""));
}

function codesIn(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = ""]) => code);
}

/** The fragments that a host gives to the headings of a Markdown file. */
async function readAnchors(file: string): Promise<readonly string[]> {
  const headings = (await readFile(file, "utf8")).matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, title = ""]) => anchorOf(title));
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}
