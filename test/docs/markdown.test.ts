import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Marked, marked } from "marked";
import { describe, expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readFolder, type TextFile } from "../../scripts/command/files.ts";
import { readGeneration, type Generation } from "../../scripts/contract/generation.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { readGenerationModel } from "../../scripts/docs/model/generationModel.ts";
import { isNameOnly, readAddresses } from "../../scripts/docs/model/addresses.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import { watch } from "./browser.ts";
import { it } from "./it.ts";
import { oddContract } from "./oddContract.ts";
import { readPageText, type PageText } from "./pageText.ts";
import { large, siteUrl } from "./sharedDocs.ts";

let generations: readonly Generation[];
let folder: string;
let site: ReadonlyMap<string, string>;
let published: ReadonlyMap<string, string>;
/** The pages of operations and webhooks. */
let operationPages: readonly (Both & { readonly path: string })[];

it.beforeAll(async ({ docs, published: publishedFolder }) => {
  generations = await readBuiltGenerations();
  ({ folder } = docs);
  [site, published] = await Promise.all([readTexts(folder), readTexts(publishedFolder)]);
  operationPages = operationPaths().map((path) => ({ path, ...readBoth(path) }));
});

async function readTexts(path: string): Promise<ReadonlyMap<string, string>> {
  return textsByPath(await readFolder(path));
}

function textsByPath(files: readonly TextFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, content }) => [path, content]));
}

/** The text of a file, which has to be there. */
function textOf(path: string, files = site): string {
  const text = files.get(path);
  if (text === undefined) throw new Error(`there is no ${path}`);
  return text;
}

interface Both {
  readonly page: PageText;
  readonly markdown: PageText;
}

function readBoth(path: string, files = site): Both {
  const rendered = marked.parse(textOf(`${path}index.md`, files), { async: false });
  return {
    page: readPageText(textOf(`${path}index.html`, files)),
    markdown: readPageText(`<main>${rendered}</main>`),
  };
}

/** The folders of operations and webhooks. */
function operationPaths(some = generations): readonly string[] {
  return some.flatMap((generation) => [...readAddresses(generation).operations.values()]);
}

/** What the HTML page says and the Markdown does not, with the fields in the same order. */
function missing({ page, markdown }: Both): readonly string[] {
  const said = markdown.phrases.join("\n");
  const lost = page.phrases.filter((phrase) => !said.includes(phrase));
  let from = 0;
  const misplaced = page.fields.filter((field) => {
    const index = markdown.fields.findIndex((line, position) => position >= from && line.startsWith(field));
    from = index + 1;
    return index === -1;
  });
  return [...lost, ...misplaced.map((field) => `field: ${field}`)];
}

/** The headings and the paragraphs of sentences that a page has more than once; labels are there once for each example. */
function repeated({ headings, paragraphs }: PageText): readonly string[] {
  const sentences = paragraphs.filter((text) => text.endsWith(".") && text !== "The response is the one above.");
  return [headings, sentences].flatMap((texts) => texts.filter((text, index) => texts.indexOf(text) !== index));
}

describe("the Markdown of a page", () => {
  it("says all that the HTML of an operation says, with its fields in their order", () => {
    expect(operationPages.length).toBe(operationPaths().length);
    expect(operationPages.filter(({ page }) => page.phrases.length < 10)).toEqual([]);
    expect(operationPages.some(({ page }) => page.fields.length > 10)).toBe(true);
    expect(operationPages.flatMap((both) => missing(both).map((text) => `${both.path}: ${text}`))).toEqual([]);
  });

  it("has the request of an example once, in curl", () => {
    const paths = generations.flatMap((generation) =>
      generation.operations.map((operation) => readAddresses(generation).operations.get(operation) ?? ""),
    );
    for (const path of paths) {
      const languages: readonly string[] = textOf(`${path}index.md`).match(/(?<=^```)\w+/gm) ?? [];
      const others = languages.filter((language) => !["bash", "json"].includes(language));
      expect([path, languages.includes("bash"), others]).toEqual([path, true, []]);
    }
  });

  it("says everything once", () => {
    for (const { path, markdown } of operationPages) {
      expect([path, repeated(markdown)]).toEqual([path, []]);
      // The method and path of an operation, or the method and name of a webhook.
      const endpoint = /^`([A-Z]+ [^`]*)`/m.exec(textOf(`${path}index.md`))?.[1] ?? "no endpoint";
      expect([path, markdown.phrases.filter((phrase) => phrase.includes(endpoint))]).toEqual([path, [endpoint]]);
    }
  });

  it("says once that examples are invented, and once what the contract says about one", () => {
    const paths = [...operationPaths(), "guides/reschedule-booking/", "guides/first-call/", ""];
    for (const path of paths) {
      expect([path, textOf(`${path}index.md`).match(/\binvented\b/g)]).toEqual([path, ["invented"]]);
    }
    const described = generations.flatMap(({ operations }) =>
      operations.flatMap(({ responses }) =>
        responses.flatMap(({ content }) => content.flatMap(({ examples }) => examples)),
      ),
    );
    const texts = new Set(described.map(({ description }) => description).filter((text) => text !== ""));
    expect(texts.size).toBeGreaterThan(0);
    const full = textOf("llms-full.txt");
    expect([...texts].filter((text) => full.split(text.trim()).length !== 2)).toEqual([]);
  });

  it("says where responses begin that their fields may be absent, if the contract says so", async () => {
    const sentence = "which ones are always present isn't specified.";
    const [path = ""] = operationPaths();
    expect(textOf(`${path}index.md`)).toMatch(new RegExp(`## Responses\n\n.*${sentence}`));
    const files = textsByPath(
      await Array.fromAsync(renderSite({ generations: [readGeneration("v1", everything)], packageName: "package" })),
    );
    expect(textOf("v1/things/change-thing/index.md", files)).not.toContain(sentence);
  });

  it("supports everything that descriptions can contain", async () => {
    const generation = readGeneration("v1", everything);
    const files = textsByPath(await Array.fromAsync(renderSite({ generations: [generation], packageName: "package" })));
    const paths = operationPaths([generation]);
    expect(paths).toEqual(["v1/things/change-thing/", "v1/webhooks/thing-changed/"]);
    expect(paths.flatMap((path) => missing(readBoth(path, files)))).toEqual([]);
    const markdown = textOf("v1/things/change-thing/index.md", files);
    for (const text of [
      "# Change a \\<b>thing\\</b> \\* \\_now\\_ *deprecated*\n\n",
      "\n\n[v1](../../../v1/index.md) / [Things](../../../v1/things/index.md)\n\n",
      "\n\n`PUT /things/{id}`\n\n- Credentials: ",
      "- Credentials: [`key`](../../../authentication/index.md) with [`session`](../../../authentication/index.md), or [`token`](../../../authentication/index.md) · lifetime not specified (optional)",
      "at most 2^53 of H_2O^(n + 1).",
      "\n\n## Details\n\n```sh\n# no heading\n```",
      "1. first\n2. second",
      "\n\n`text/plain` or `text/markdown` string",
      "- `count` integer · optional · *deprecated* · at least 1 · default `3` · One of: `1` `3`. How many.\n\n  - a\n  - b",
      "- `crumb` string · optional\n\n  | a | b |\n  | --- | --- |\n  | c | d \\| e |",
      "- `code` string · required · matches ``^`[a-z]*_\\d$``",
      "- `at` string, date-time · optional · UTC\n",
      "- `zone` string · optional · matches `(Z|\\+00:00)$`\n",
      "- `Set-Cookie` string · may be absent. Keeps the session.",
      "## Examples\n\n### Request: A \\_small\\_ one\n\n",
      "\n\nRequests go to ",
      "- `shape` object or [Node](../../../v1/schemas/node/index.md)\n\n  **Round:** object\n\n  - `radius` number",
      "\n\n| a < b |\n| --- |\n",
      "[Node](../../../v1/schemas/node/index.md)",
      "Contains itself.\n\n    For its contents, see the page of its schema.",
    ]) {
      expect(markdown).toContain(text);
    }
    expect(textOf("v1/webhooks/thing-changed/index.md", files)).toContain("`POST thingChanged`");
  });

  it("has nothing of the page's buttons, navigation and markup, and no link without text", () => {
    const texts = [...site].filter(([path]) => path.endsWith(".md"));
    expect(texts.length).toBeGreaterThan(operationPages.length);
    const debris = /\[\]\(|\]\(\)|Copy as Markdown|Try it|Skip to|Fields of|\u0001/;
    expect(texts.filter(([, text]) => debris.test(text)).map(([path]) => path)).toEqual([]);
    const tags = (text: string) =>
      text.replaceAll(/^ *```[^]*?^ *```$|(`+)[^]*?\1/gm, "").match(/(?<!\\)<\/?\w+/g) ?? [];
    expect(texts.flatMap(([path, text]) => tags(text).map((tag) => `${path}: ${tag}`))).toEqual([]);
  });

  it("says how each kind of credential is sent, where its tokens come from, and with which scopes", async () => {
    const generation = readGeneration("odd", oddContract);
    const files = textsByPath(await Array.fromAsync(renderSite({ generations: [generation], packageName: "package" })));
    const markdown = textOf("authentication/index.md", files);
    expect(markdown).toContain("OAuth 2.0 flow `clientCredentials`, tokenUrl `https://tokens.example/`\n");
    expect(markdown).toContain("- `read`: To read.");
    expect(markdown).toContain("`Cookie: sid=<session>`");
  });

  it("links only to existing pages, in Markdown if possible", () => {
    const links = [...site].flatMap(([path, text]) =>
      /\.(?:md|txt)$/.test(path) && path !== "robots.txt" ? linksOf(text).map((link) => [path, link] as const) : [],
    );
    expect(links.length).toBeGreaterThan(operationPages.length);
    const broken = links.filter(([path, link]) => {
      // Guides lead to other sites too.
      if (URL.canParse(link)) return false;
      const target = new URL(link, new URL(path, "https://site.example/")).pathname.slice(1);
      return link.endsWith("/") || !site.has(target) || target.endsWith(".html");
    });
    expect(broken).toEqual([]);
  });

  it("has absolute links if it is known where the site will be", () => {
    for (const path of ["index.md", "llms.txt", "llms-full.txt", `${operationPaths()[0] ?? ""}index.md`]) {
      const links = linksOf(textOf(path, published));
      expect(links.length).toBeGreaterThan(0);
      const own = links.filter((link) => !URL.canParse(link) || link.startsWith(siteUrl));
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter((link) => !published.has(link.replace(siteUrl, "")))).toEqual([]);
    }
  });
});

/** The targets of the links of a Markdown text. */
function linksOf(markdown: string): readonly string[] {
  const links: string[] = [];
  const parser = new Marked({
    walkTokens: (token) => {
      if (token.type === "link") links.push(String(token["href"]));
    },
  });
  parser.parse(markdown, { async: false });
  return links;
}

describe("llms.txt", () => {
  it("lists every operation with its title, method and path, and a sentence", () => {
    const lines = textOf("llms.txt").split("\n");
    for (const generation of generations) {
      for (const [operation, path] of readAddresses(generation).operations) {
        const line = lines.find((one) => one.includes(`](./${path}index.md)`)) ?? "";
        expect(line).toContain(`- [${operation.title}](`);
        expect(line).toMatch(/: `[A-Z]+ \S+`(?: · deprecated)?\. \S.*[.!?]$/);
        expect(line).toContain(`\`${operation.name}\``);
      }
    }
  });

  it("begins with the operations, and has groups without any in one line", () => {
    const lines = textOf("llms.txt").split("\n");
    const firstOf = (kind: RegExp) => lines.findIndex((line) => kind.test(line));
    const last = lines.findLastIndex((line) => /: `[A-Z]+ \/\S+`/.test(line));
    const namesOf = ({ groups }: Generation) => groups.filter(isNameOnly).map(({ title }) => title);
    expect(firstOf(/\]\(\.\/guides\//)).toBeGreaterThan(last);
    expect(firstOf(/\/schemas\//)).toBeGreaterThan(last);
    for (const generation of generations) {
      const names = namesOf(generation);
      const holding = lines.filter((line) => names.length > 0 && line.endsWith(`: ${names.join(", ")}`));
      const same = generations.filter((other) => namesOf(other).join(", ") === names.join(", "));
      expect([generation.name, holding.length]).toEqual([generation.name, names.length === 0 ? 0 : same.length]);
    }
  });

  it("lists every page", () => {
    const listed = new Set(linksOf(textOf("llms.txt")).map((link) => link.replace("./", "")));
    const pages = [...site.keys()].filter((path) => path.endsWith("index.md"));
    expect(pages.filter((path) => !listed.has(path))).toEqual([]);
    expect(
      [...site.keys()].filter((path) => /(?:llms-full\.txt|openapi\.yaml)$/.test(path) && !listed.has(path)),
    ).toEqual([]);
  });

  it("leads to every operation by the page of its group before it is too long to be read", async ({ largeDocs }) => {
    const files = await readTexts(largeDocs);
    const list = textOf("llms.txt", files);
    expect(list.length).toBeLessThan(50_000);
    expect(operationPaths([large]).filter((path) => list.includes(path))).toEqual([]);
    const reached = linksOf(list).flatMap((link) => {
      const path = link.slice("./".length);
      const inner = path.endsWith("index.md") ? linksOf(textOf(path, files)) : [];
      return inner.map((one) => new URL(one, `https://site.example/${path}`).pathname.slice(1));
    });
    expect(operationPaths([large]).filter((path) => !reached.includes(`${path}index.md`))).toEqual([]);
  });
});

it("the list of pages says of a schema without a description which fields it has", () => {
  const lines = textOf("llms.txt").split("\n");
  const undescribed = generations.flatMap((generation) =>
    [...readAddresses(generation).schemas].flatMap(([name, path]) => {
      const { description, properties = {} } = readGenerationModel(generation).schemas.get(name)?.schema ?? {};
      const [field] = Object.keys(properties);
      return description === undefined && field !== undefined ? [{ path, field }] : [];
    }),
  );
  expect(undescribed.length).toBeGreaterThan(10);
  for (const { path, field } of undescribed) {
    const line = lines.find((text) => text.includes(`(./${path}index.md)`)) ?? "";
    expect([path, line.replaceAll("\\", "")]).toEqual([path, expect.stringContaining(`Fields: ${field}`)]);
  }
});

describe("llms-full.txt", () => {
  it("says of each operation all that its page says, once, under headings that fit together", () => {
    const full = textOf("llms-full.txt");
    const lines = full.split("\n");
    for (const { name, title } of generations.flatMap(({ operations }) => operations)) {
      // Steps of guides have the same lines under headings of their own.
      const places = lines.filter(
        (line, index) =>
          line === `\`${name}\`` &&
          lines
            .slice(0, index)
            .findLast((one) => one.startsWith("#"))
            ?.replace(" *deprecated*", "") === `# ${title}`,
      );
      expect([name, places.length]).toEqual([name, 1]);
    }
    const said = readPageText(`<main>${marked.parse(full, { async: false })}</main>`).phrases.join("\n");
    for (const { path, markdown } of operationPages) {
      const { phrases } = markdown;
      // Links to all pages, and to what the page is part of.
      const shown = phrases.filter((phrase) => !/llms\.txt|^v\d \/ /.test(phrase));
      const lost = shown.filter((phrase) => !said.includes(phrase));
      expect([path, lost]).toEqual([path, []]);
    }
    const levels = marked.lexer(full).flatMap((token) => (token.type === "heading" ? [Number(token["depth"])] : []));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });
});

describe("the buttons for Markdown", () => {
  it("copy the page's Markdown where the docs are served, and open it", async ({ browser, docs }) => {
    const [path = ""] = operationPaths();
    await using watched = await watch(browser, docs.url, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = watched;
    await page.goto(`${docs.url}/${path}`);
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(textOf(`${path}index.md`));
    await page.getByRole("button", { name: "Copy as Markdown" }).waitFor();
    await page.getByRole("link", { name: "View as Markdown" }).click();
    await page.waitForURL(`${docs.url}/${path}index.md`);
    expect((await page.textContent("body"))?.trim()).toBe(textOf(`${path}index.md`).trim());
  });

  it("say on a page from disk that it can't be copied, and open the Markdown file", async ({ browser }) => {
    const [path = ""] = operationPaths();
    await using watched = await watch(browser, "file://");
    const { page } = watched;
    await page.goto(pathToFileURL(join(folder, path, "index.html")).href);
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByRole("button", { name: "Not possible here: open “Markdown”" }).waitFor();
    await page.getByRole("link", { name: "View as Markdown" }).click();
    await page.waitForURL(pathToFileURL(join(folder, path, "index.md")).href);
    expect((await page.textContent("body"))?.trim()).toBe(
      (await readFile(join(folder, path, "index.md"), "utf8")).trim(),
    );
  });
});

/** Its type has no room for extensions in every place. */
function unspecified(...phrases: readonly string[]): object {
  return { "x-unspecified": phrases };
}

/** What the project's own contract lacks. */
const everything: OpenApiDocument = {
  openapi: "3.1.1",
  info: { title: "Everything", version: "1", description: "All that there can be.", ...unspecified("limits") },
  tags: [{ name: "Things", description: "What there is." }],
  paths: {
    "/things/{id}": {
      put: {
        operationId: "changeThing",
        tags: ["Things"],
        summary: "Change a <b>thing</b> * _now_",
        ...{ "x-codeSamples": [{ lang: "Go", source: "things.Change(1)" }] },
        deprecated: true,
        description:
          "Changes a thing, with at most 2<sup>53</sup> of H<sub>2</sub>O<sup>n + 1</sup>.\n\nDetails\n=======\n\n```sh\n# no heading\n```\n\n1. first\n2. second",
        security: [{}, { key: [], session: [] }, { token: [] }],
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" }, example: "1" },
          {
            name: "count",
            in: "query",
            deprecated: true,
            description: "How many.\n\n- a\n- b",
            schema: { type: "integer", minimum: 1, default: 3, enum: [1, 3] },
          },
          {
            name: "crumb",
            in: "cookie",
            schema: { type: "string", description: "| a | b |\n|---|---|\n| c | d \\| e |" },
          },
        ],
        requestBody: {
          description: "# What to send\n\nThe whole thing.",
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Node" },
              examples: { small: { summary: "A _small_ one", value: { code: "`a_1", text: "```" } } },
            },
            "text/plain": { schema: { type: "string", maxLength: 10 } },
            "text/markdown": { schema: { type: "string", maxLength: 10 } },
          },
        },
        responses: {
          "200": {
            description: "It has changed.",
            headers: { "Set-Cookie": { description: "Keeps the session.", schema: { type: "string" } } },
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["shape"],
                  properties: {
                    shape: {
                      oneOf: [
                        { title: "Round", type: "object", properties: { radius: { type: "number" } } },
                        { $ref: "#/components/schemas/Node" },
                      ],
                    },
                    free: { type: "object", additionalProperties: { type: "array", items: { type: "integer" } } },
                  },
                },
                examples: { small: { summary: "Changed", value: { shape: { radius: 1 } } } },
              },
            },
          },
          "204": { description: "Nothing has changed:\n\n<table><tr><td>a &lt; b</td></tr></table>" },
        },
      },
    },
  },
  webhooks: {
    thingChanged: {
      post: {
        operationId: "thingChanged",
        summary: "A thing has changed",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Node" },
              examples: { one: { summary: "One thing", value: { code: "`a_1" } } },
            },
          },
        },
        responses: { "2XX": { description: "Received." } },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "query", name: "key" },
      session: { type: "apiKey", in: "cookie", name: "session" },
      token: { type: "http", scheme: "bearer", "x-unspecified": ["lifetime"] },
    },
    schemas: {
      Node: {
        type: "object",
        description: "Contains itself.",
        required: ["code"],
        properties: {
          code: { type: "string", pattern: "^`[a-z]*_\\d$" },
          text: { type: "string", ...unspecified("unit") },
          at: { type: "string", format: "date-time", pattern: "(Z|\\+00:00)$" },
          zone: { type: "string", pattern: "(Z|\\+00:00)$" },
          inner: { type: "array", items: { $ref: "#/components/schemas/Node" } },
        },
      },
    },
  },
};
