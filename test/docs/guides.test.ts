import { execFile, spawnSync } from "node:child_process";
import { glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGuides, readSynonyms } from "../../scripts/docs/model/guides.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { runCurl, type Outcome } from "../curl.ts";
import { newestCompiler } from "../package/project.ts";
import { readBlocks, type CodeBlock } from "../package/readme.ts";

const generations = await readBuiltGenerations();
const allGuides = await readGuides("openapi/guides");
// Those to the package and to its mock are run where the package is.
const guides = allGuides.filter(({ section }) => section === "guides" || section === "about");
const blocks = guides.flatMap(({ slug, markdown }) =>
  readBlocks(markdown).map((block, index, all) => ({ ...block, name: `${slug}-${index}`, next: all[index + 1] })),
);
const python = spawnSync("python3", ["--version"]).status === 0;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "guides-"));
  // The clients as the package that programs import them from. Node removes no types in node_modules/ itself.
  await mkdir(join(folder, "package"));
  await mkdir(join(folder, "node_modules"));
  await symlink(join(folder, "package"), join(folder, "node_modules", "scheduling-service-api"));
  const exports = { "./*": "./*.ts" };
  const manifest = { name: "scheduling-service-api", type: "module", exports };
  await writeFile(join(folder, "package", "package.json"), JSON.stringify(manifest));
  for (const { name } of generations) {
    await mkdir(join(folder, "package", name));
    for (const [module, source] of Object.entries({ [name]: "client.ts", [`${name}/schemas`]: "schemas.ts" })) {
      const path = JSON.stringify(resolve("generated", name, source));
      await writeFile(join(folder, "package", `${module}.ts`), `export * from ${path};\n`);
    }
  }
});

afterAll(() => rm(folder, { recursive: true }));

function run(command: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((settle) => {
    execFile(command, args, (error, stdout, stderr) => {
      settle({ code: error?.code ?? 0, output: stdout + stderr });
    });
  });
}

/** The blocks of a language, with code that sends its requests to a mock of its own. */
async function addressToMocks(language: string, mocks: AsyncDisposableStack): Promise<readonly Block[]> {
  const chosen = blocks.filter((block) => block.language === language);
  expect(chosen.length).toBeGreaterThan(0);
  return Promise.all(
    chosen.map(async (block) => {
      const { url } = mocks.use(await startServer({ generations }));
      return { ...block, code: block.code.replaceAll("http://127.0.0.1:4010", url) };
    }),
  );
}

type Block = CodeBlock & { readonly name: string; readonly next: CodeBlock | undefined };

describe("the guides", () => {
  it("have only code blocks that are run here", () => {
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(["json", "py", "sh", "ts"]);
    for (const [index, block] of blocks.entries()) {
      if (block.language === "json") expect(blocks[index - 1]?.language).toBe("sh");
    }
  });

  it("have commands that succeed, and print the JSON below them", async () => {
    await using mocks = new AsyncDisposableStack();
    for (const { name, code, next } of await addressToMocks("sh", mocks)) {
      const { output } = await runCurl(code.trim(), String.raw`--silent --write-out '\n%{http_code}'`);
      const [body = "", status] = output.split(/\n(?=\d+$)/);
      expect(status, `${name}: ${output}`).toMatch(/^2\d\d$/);
      if (next?.language === "json") expect(JSON.parse(body)).toEqual(JSON.parse(next.code));
    }
  });

  it("have TypeScript that compiles, and has the output in its comments", async () => {
    const tsconfig = join(folder, "tsconfig.json");
    const typeRoots = [resolve("node_modules/@types")];
    const config = { extends: resolve("tsconfig.json"), compilerOptions: { typeRoots }, include: ["*.mts"] };
    await writeFile(tsconfig, JSON.stringify({ ...config, exclude: [] }));
    await using mocks = new AsyncDisposableStack();
    const programs = await addressToMocks("ts", mocks);
    for (const { name, code } of programs) await writeFile(join(folder, `${name}.mts`), code);
    // One process for all of them: starting one takes longer than most programs do.
    const imports = programs.map(({ name }) => `console.log("${name}:");\nawait import("./${name}.mts");\n`);
    await writeFile(join(folder, "all.mjs"), imports.join(""));
    const [compiled, printed] = await Promise.all([
      run(process.execPath, [...newestCompiler, "--project", tsconfig]),
      run(process.execPath, [join(folder, "all.mjs")]),
    ]);
    const expected = programs.map(({ name, prints }) => [`${name}:`, ...prints].map((line) => `${line}\n`).join(""));
    expect(printed).toEqual({ code: 0, output: expected.join("") });
    expect(compiled).toEqual({ code: 0, output: "" });
  });

  // Python is no part of what this project installs.
  it.skipIf(!python)("have Python with the output in its comments", async () => {
    await using mocks = new AsyncDisposableStack();
    for (const { name, code, prints } of await addressToMocks("py", mocks)) {
      const output = prints.map((line) => `${line}\n`).join("");
      expect(await run("python3", ["-c", code]), name).toEqual({ code: 0, output });
    }
  });

  it("have recipes for servers that npm run test:environments runs", async () => {
    const [, platforms = ""] = allGuides.find(({ slug }) => slug === "server")?.markdown.split("## Platforms") ?? [];
    const recipes = platforms.match(/(?<=`)[^`\n]*\bhandle\b[^`\n.][^`\n]*(?=`)/g) ?? [];
    const programs = await Array.fromAsync(glob("test/package/fixtures/servers/*.mjs"), (file) =>
      readFile(file, "utf8"),
    );
    const isTested = (recipe: string) => programs.some((program) => program.includes(recipe.replace("8080", "port")));
    expect([recipes.length > 3, recipes.filter((recipe) => !isTested(recipe))]).toEqual([true, []]);
  });

  it("have a title, a summary and an address of their own", () => {
    const general = guides.filter(({ section }) => section === "guides");
    expect(general.map(({ slug }) => slug)).toEqual([
      "first-call",
      "authentication",
      "unspecified",
      "works-with",
      "agents",
    ]);
    expect(new Set(allGuides.map(({ title }) => title)).size).toBe(allGuides.length);
    expect(new Set(allGuides.map(({ path }) => path)).size).toBe(allGuides.length);
    for (const { summary, markdown } of allGuides) {
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(markdown).not.toMatch(/^# /m);
    }
  });
});

describe("readSynonyms", () => {
  it.each(["vacation: out of office\nholiday", "leave: out of office\nleave: absence", "vacation"])(
    "refuses %j",
    async (text) => {
      const own = await mkdtemp(join(folder, "synonyms-"));
      await writeFile(join(own, "search-synonyms.yaml"), text);
      await expect(readSynonyms(own)).rejects.toThrow("search-synonyms.yaml: write lines with search terms");
    },
  );
});

describe("readGuides", () => {
  it("reads none where there is no folder", async () => {
    expect(await readGuides(join(folder, "nowhere"))).toEqual([]);
  });

  it.each([
    ["without a title", { "1-a.md": "Text.\n" }, /1-a\.md: a guide begins with its title/],
    ["without a summary", { "1-a.md": "# A\n\n## B\n\nText.\n" }, /1-a\.md: a guide begins with its title/],
    ["with a link to no guide", { "1-a.md": "# A\n\nSee [b](b.md).\n" }, /1-a\.md: there is no guide at b\.md/],
    ["with the name of another one", { "1-a.md": "# A\n\nA.\n", "2-a.md": "# B\n\nB.\n" }, /2-a\.md: another guide/],
  ])("names the file of a guide %s", async (_, files, message) => {
    const own = await mkdtemp(join(folder, "own-"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(own, name), text);
    await expect(readGuides(own)).rejects.toThrow(message);
  });
});
