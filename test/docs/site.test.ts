import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { isObject } from "../../scripts/contract/openapi.ts";

const siteUrl = "https://docs.example/scheduling/";

let folder: string;
let generations: readonly Generation[];
/** The text of each file of the site, by path. */
let files: ReadonlyMap<string, string>;

/** Runs `npm run docs`, and resolves to what it says: its exit code and its output. */
async function runDocs(...args: readonly string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["scripts/docs.ts", ...args]);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    return { code: 1, output: isObject(error) ? String(error["stderr"]) : String(error) };
  }
}

async function readFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(paths.map(async (path) => [relative(root, path), await readFile(path, "utf8")] as const)),
  );
}

function pages(): [path: string, text: string][] {
  return [...files].filter(([path]) => path.endsWith(".html"));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docs-"));
  generations = await readBuiltGenerations();
  expect(await runDocs("--out", join(folder, "site"), "--site-url", siteUrl)).toMatchObject({ code: 0 });
  files = await readFiles(join(folder, "site"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("the site", () => {
  it("has a reference page for each generation, sharing one copy of the renderer", () => {
    expect(
      pages()
        .map(([path]) => path)
        .sort(),
    ).toEqual(
      ["404.html", "coverage/index.html", "index.html", ...generations.map(({ name }) => `${name}/index.html`)].sort(),
    );
    expect([...files.keys()].filter((path) => /^assets\/redoc-.*\.js$/.test(path))).toHaveLength(1);
  });

  it("has only links that lead to a file of the site", () => {
    const broken = [...files].flatMap(([path, text]) => {
      const pattern = path.endsWith(".html") ? /(?:href|src)="([^"]*)"/g : /\]\(([^)]+)\)/g;
      if (!/\.(html|md|txt)$/.test(path)) return [];
      return [...text.matchAll(pattern)].flatMap(([, link = ""]) => {
        // Of other hosts, only that of the renderer's makers is linked to, and nothing is loaded from it.
        if (link.startsWith("#") || link.startsWith("https://redocly.com/")) return [];
        const target = link.startsWith(siteUrl) ? link.slice(siteUrl.length) : join(dirname(path), link);
        const [file = ""] = target.split("#");
        return files.has(file) || files.has(join(file, "index.html")) ? [] : [`${path}: ${link}`];
      });
    });
    expect(broken).toEqual([]);
  });

  it("loads nothing from another host", () => {
    for (const [path, text] of pages()) {
      const loaded = [...text.matchAll(/<(?:script|img|link rel="(?:stylesheet|icon)")[^>]*(?:src|href)="([^"]+)"/g)];
      expect(loaded.length).toBeGreaterThan(0);
      expect(
        loaded.map(([, url = ""]) => url).filter((url) => /^(https?:)?\/\//.test(url.replace(siteUrl, ""))),
      ).toEqual([]);
      expect([path, text.includes("default-src &#39;none&#39;")]).toEqual([path, true]);
    }
  });

  it("has a title, a description and a canonical address on every page", () => {
    const titles = pages().map(([, text]) => /<title>([^<]+)<\/title>/.exec(text)?.[1]);
    expect(new Set(titles).size).toBe(pages().length);
    for (const [path, text] of pages()) {
      expect(text).toMatch(/<meta name="description" content="[^"]{10,}"/);
      expect(text).toContain(`<link rel="canonical" href="${siteUrl}${path.replace(/index\.html$/, "")}"`);
    }
    expect(files.get("sitemap.xml")).toContain(`<loc>${siteUrl}${generations[0]?.name ?? ""}/</loc>`);
  });

  it("lists everything that is not specified", () => {
    const coverage = files.get("coverage/index.html") ?? "";
    const text = coverage.replaceAll("&#39;", "'").replaceAll("&quot;", '"');
    for (const { document } of generations) {
      const phrases = new Set(phrasesIn({ ...document, tags: [] }));
      expect(phrases.size).toBeGreaterThan(0);
      for (const phrase of phrases) expect(text).toContain(phrase);
      for (const { name } of document.tags ?? []) expect(text).toContain(`>${name}</a>`);
    }
  });

  it("says where it matters what is not specified, what was seen so far and what is secret", () => {
    for (const { name, document } of generations) {
      const script = files.get(`${name}/reference.js`) ?? "";
      const source = JSON.stringify(document);
      expect(script.includes("**Not specified:**")).toBe(source.includes('"x-unspecified"'));
      expect(script.includes("**Known values:**")).toBe(source.includes('"x-extensible-enum"'));
      expect(script.includes('"name":"Secret"')).toBe(source.includes('"format":"password"'));
      const isOptional = source.includes('"x-security-optional":true');
      expect(script.includes("**Credentials are optional.**")).toBe(isOptional);
    }
  });

  it("says of each operation that changes a resource, and of what x-resource says, what the mock does", () => {
    const notes = generations.flatMap(({ name, operations }) =>
      operations.map(({ operationId = "", path, method }) => {
        const page = [...files].find(
          ([file, text]) =>
            file.startsWith(`${name}/`) &&
            /(?<!index)\.md$/.test(file) &&
            text.includes(`\`${method.toUpperCase()} ${path}\``),
        );
        const section = page?.[1].split(`\`${method.toUpperCase()} ${path}\``)[1]?.split("\n## ")[0] ?? "";
        return [`${name} ${operationId}`, /\*\*In the mock:\*\* (.*)/.exec(section)?.[1] ?? ""] as const;
      }),
    );
    const noteOf = new Map(notes);
    expect(noteOf.get("v2 rescheduleBooking")).toContain("`end` moves along with `start`");
    expect(noteOf.get("v1 listBookingRecordings")).toContain("`download_link`");
    expect(noteOf.get("v2 deleteTeam")).toContain("deletes the resource");
    expect(noteOf.get("v2 verifyOrganizationTeamEmail")).toContain("no effect");
    expect(noteOf.get("v2 getOrganizationTeam")).toBe("");
  });

  it("has the bundles unchanged, and a Markdown page for each group with operations", () => {
    for (const { name, document, operations } of generations) {
      expect(JSON.parse(files.get(`${name}/openapi.json`) ?? "")).toEqual(document);
      const markdown = [...files].filter(([path]) => path.startsWith(`${name}/`) && path.endsWith(".md"));
      for (const operation of operations) {
        const place = `\`${operation.name}\``;
        expect(markdown.filter(([, text]) => text.includes(place))).toHaveLength(2);
      }
    }
  });
});

describe("redocly build-docs", () => {
  it("still makes a page that loads its script from another host (@redocly/cli 2.77)", async () => {
    const cli = join(dirname(fileURLToPath(import.meta.resolve("@redocly/cli/package.json"))), "bin", "cli.js");
    const page = join(folder, "stock.html");
    const bundle = resolve(`generated/${generations[0]?.name ?? ""}/openapi.json`);
    await promisify(execFile)(process.execPath, [cli, "build-docs", bundle, "--output", page], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    });
    // Where this fails, scripts/docs/redoc.ts may have become needless.
    expect(await readFile(page, "utf8")).toMatch(/from "https:\/\/[^"]+\/redoc\.standalone\.js"/);
  });
});

describe("npm run docs", () => {
  it("makes the same files from the same bundles, in the place of an earlier site", async () => {
    const out = join(folder, "site");
    await writeFile(join(out, "left-over.html"), "");
    expect(await runDocs("--out", out, "--site-url", siteUrl.replace(/\/$/, ""))).toMatchObject({ code: 0 });
    expect(await readFiles(out)).toEqual(files);
  });

  it("leaves a folder alone that holds something else", async () => {
    const out = join(folder, "mine");
    await mkdir(out);
    await writeFile(join(out, "letter.txt"), "mine");
    const { code, output } = await runDocs("--out", out);
    expect([code, output]).toEqual([1, expect.stringContaining("contains other files")]);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
    expect(await readdir(out)).toEqual(["letter.txt"]);
  });

  it.each(["docs.example", "ftp://docs.example/", "https://docs.example/?x=1"])(
    "refuses %s as an address",
    async (url) => {
      const { code, output } = await runDocs("--out", join(folder, "none"), "--site-url", url);
      expect([code, output]).toEqual([1, expect.stringContaining("--site-url must be a URL")]);
    },
  );
});

function phrasesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(phrasesIn);
  if (!isObject(value)) return [];
  const own = value["x-unspecified"];
  return [...(Array.isArray(own) ? own.map(String) : []), ...Object.values(value).flatMap(phrasesIn)];
}
