import { execFileSync, spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtempDisposable, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { load } from "js-yaml";
import { expect, it } from "vitest";
import { readFolder, replaceFolder, type TextFile } from "../../scripts/command/files.ts";
import { copyProject } from "../pipeline/project.ts";
import { objectsOf, valueAt } from "../../scripts/values/json.ts";
import { readPages, readSite, runDocs } from "./docsSite.ts";

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

it("pages lead to their sources and to a report where package.json names a repository on GitHub", async () => {
  await using project = await copyProject();
  const { directory } = project;
  await mkdir(join(directory, "openapi/guides"));
  await writeFile(join(directory, "openapi/guides/1-begin.md"), "# Begin\n\nBegin here.\n");
  expect(await project.buildHere()).toMatchObject({ code: 0 });
  const linksOf = async (repository: unknown) => {
    await writeFile(join(directory, "package.json"), JSON.stringify({ repository }));
    const { code, output } = await runDocs(["--out", "site"], directory);
    expect([code, output]).toEqual([0, expect.not.stringContaining("warning")]);
    const pages = readPages(await readSite(join(directory, "site")));
    return (path: string) =>
      (pages.get(path)?.elements ?? [])
        .filter(({ tag, attributes: { href = "" } }) => tag === "a" && href.startsWith("https://github.com/"))
        .map(({ attributes: { href = "" }, text }) => ({ text, url: new URL(href) }));
  };
  for (const repository of ["", "gitlab:owner/name"]) {
    expect((await linksOf(repository))("v1/rooms/")).toEqual([]);
  }
  const [pages] = await Promise.all([linksOf({ url: "git+https://github.com/owner/name.git", directory: "api/" })]);
  const contract = {
    "v1/": "v1/openapi.yaml",
    "v1/rooms/": "v1/rooms.yaml",
    "v1/rooms/get-room/": "v1/rooms.yaml",
    "v1/schemas/room/": "shared/rooms.yaml",
  };
  const forms = {
    ...Object.fromEntries(Object.entries(contract).map(([path, file]) => [path, ["contract.yml", file]])),
    "guides/begin/": ["docs.yml", "guides/1-begin.md"],
    "errors/": ["docs.yml"],
  };
  for (const [path, [template = "", file]] of Object.entries(forms)) {
    const [report, edit] = pages(path);
    const place = edit?.text.replace("Edit the source: ", "");
    expect([path, place]).toEqual([path, file && expect.stringMatching(new RegExp(`^api/openapi/${file}:\\d+$`))]);
    expect([path, edit?.url.href]).toEqual([
      path,
      place && `https://github.com/owner/name/blob/HEAD/${place.replace(":", "#L")}`,
    ]);
    const { origin, pathname, searchParams } = report?.url ?? new URL("https://none.example");
    expect([path, report?.text, origin + pathname]).toEqual([
      path,
      "Report an inaccuracy",
      "https://github.com/owner/name/issues/new",
    ]);
    const { title, ...fields } = Object.fromEntries(searchParams);
    expect([path, title, fields]).toEqual([
      path,
      expect.stringMatching(/^\S.*: $/),
      { template, page: path, ...(place && { place }) },
    ]);
    const form = load(await readFile(join(".github/ISSUE_TEMPLATE", template), "utf8"));
    const ids = objectsOf(valueAt(form, ["body"])).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["page", "place"]));
  }
  const [, operation] = pages("v1/rooms/get-room/");
  const [, line = ""] = operation?.url.hash.split("#L") ?? [];
  const source = await readFile(join(directory, "openapi/v1/rooms.yaml"), "utf8");
  expect(source.split("\n")[Number(line) - 1]).toMatch(/^ *get:$/);
});

it("links and pictures that lead to nothing are warned of at their places", async () => {
  await using project = await copyProject();
  const { directory } = project;
  await project.edit(
    "openapi/v1/openapi.yaml",
    "Rooms that can be booked.",
    '"Rooms. [A](#operation/none) ![B](b.png)"',
  );
  const text = "[C](#Own) [D](https://other.example/d) [E](openapi.yaml) [F](//other.example), see [G](terms.md).";
  await project.edit("openapi/v1/openapi.yaml", /Has just .*/, `|\n    # Own\n\n    ${text}`);
  await mkdir(join(directory, "openapi/guides"));
  const guide =
    "# Begin\n\nBegin [here](#there), with [v1](/v1/), [rooms](/v1/rooms/#none) or [nothing](/v9/). `[x](y)`\n\n## There\n";
  await writeFile(join(directory, "openapi/guides/1-begin.md"), guide);
  expect(await project.buildHere()).toMatchObject({ code: 0 });
  const { code, output } = await runDocs(["--out", "site"], directory);
  expect(code).toBe(0);
  const found = [...output.matchAll(/^(\S+): warning \(dead-link\)\n *Nothing in the site is at (\S+),/gm)];
  const guides = "openapi/guides/1-begin.md:3";
  expect(found.map(([, place, href]) => `${place ?? ""} ${href ?? ""}`)).toEqual([
    `${guides}:48 /v1/rooms/#none`,
    `${guides}:78 /v9/`,
    "openapi/v1/openapi.yaml:8:92 terms.md",
    "openapi/v1/openapi.yaml:24:30 #operation/none",
    "openapi/v1/openapi.yaml:24:52 b.png",
  ]);
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
