import { execFileSync, spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtempDisposable, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { readFolder, replaceFolder, type TextFile } from "../../scripts/command/files.ts";
import { copyProject } from "../pipeline/project.ts";
import { runDocs } from "./docsSite.ts";

it("the README's folder for the docs is ignored by git and by what formats, and npm run docs names one that isn't", async () => {
  await using project = await copyProject();
  const { directory } = project;
  for (const file of [".gitignore", ".oxfmtrc.json"]) await copyFile(file, join(directory, file));
  execFileSync("git", ["init", "--quiet"], { cwd: directory });
  await project.buildHere();
  const [, args = "", folder = ""] =
    /^npm run docs -- (--out (\S+).*)/m.exec(await readFile("README.md", "utf8")) ?? [];
  const advice = "add it to .gitignore";
  const format = () =>
    spawnSync(process.execPath, [resolve("node_modules/.bin/oxfmt"), "--list-different", "."], {
      cwd: directory,
      encoding: "utf8",
    });

  expect((await runDocs(args.split(" "), directory)).output).not.toContain(advice);
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: directory, encoding: "utf8" })).not.toContain(folder);

  const files = ["harbor", "library"].map((name) => resolve(`test/foreign/descriptions/${name}.yaml`));
  const { code, output } = await runDocs([...files, "--out", "elsewhere"], directory);
  expect(code).toBe(0);
  expect(output).toContain(`elsewhere isn't ignored by git, npm run check and npm run format: ${advice}\n`);
  // The docs of given files have nothing that is written for the contract in the folder.
  expect(output).toContain("Rendering the docs of harbor, library\n");
  // It serves the docs of the contract instead.
  expect(output).not.toContain("npm start");
  const text = await readFile(join(directory, "elsewhere/llms-full.txt"), "utf8");
  expect(text).toContain("`POST /books/searches`");
  expect(text).not.toContain("TypeScript");
  // One page stands for all, which take seconds to format.
  await rm(join(directory, "elsewhere"), { recursive: true });
  await mkdir(join(directory, "elsewhere"));
  await copyFile(join(directory, folder, "index.html"), join(directory, "elsewhere/index.html"));
  const unformatted = format().stdout;
  expect(unformatted).toContain("elsewhere/index.html");
  expect(unformatted).not.toContain(folder);
});

it("a folder changes only when all of its new files are there", async () => {
  await using made = await mkdtempDisposable(join(tmpdir(), "folder-"));
  const folder = made.path;
  const listFiles = async function* (content: string, isBroken = false): AsyncGenerator<TextFile> {
    for (let index = 0; index < 120; index++) yield await Promise.resolve({ path: `pages/${index}.html`, content });
    if (isBroken) throw new Error("no more files");
    yield { path: `${content}.html`, content: "" };
  };
  expect(await replaceFolder(folder, listFiles("before"))).toBe(121);
  const before = await readFolder(folder);
  await expect(replaceFolder(folder, listFiles("broken", true))).rejects.toThrow("no more files");
  expect(await readFolder(folder)).toEqual(before);
  expect(await readdir(folder)).toEqual(["before.html", "pages"]);
  await replaceFolder(folder, listFiles("after"));
  expect(await readdir(folder)).toEqual(["after.html", "pages"]);
  expect((await readFolder(folder)).filter(({ content }) => content === "after")).toHaveLength(120);
});
