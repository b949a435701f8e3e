import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { readBundles } from "../../scripts/contract/bundles.ts";
import { listGaps } from "../../scripts/contract/gaps.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { addressesOf } from "./addresses.ts";
import { readPages, readSite, renderDescription } from "./docsSite.ts";
import { saysGap, type HtmlPage, type PageElement } from "./htmlPage.ts";
import { it } from "./it.ts";
import { brokenLinks } from "./links.ts";
import { oddContract } from "./oddContract.ts";

/** Our own drawings, which no description has. */
/** Whether an element is neither an icon nor the script that has a part of the page laid out. */
function isForeign({ tag, attributes, text }: PageElement): boolean {
  if (tag === "script") return text !== "layOut()";
  return tag !== "svg" || attributes["class"]?.startsWith("icon ") !== true;
}

describe("the docs of a contract unlike ours", () => {
  let site: Awaited<ReturnType<typeof renderDescription>>;
  let pages: ReadonlyMap<string, HtmlPage>;

  beforeAll(async () => {
    site = await renderDescription("odd", oddContract);
    pages = readPages(site.files);
  });

  afterAll(() => site[Symbol.asyncDispose]());

  const mainOf = (path: string) => pages.get(path)?.main ?? { text: "", elements: [] };
  const linksOf = (path: string) =>
    mainOf(path).elements.flatMap(({ tag, attributes: { href = "" } }) => (tag === "a" ? [href] : []));

  it("are as many pages as it has parts", () => {
    const addresses = addressesOf(readGeneration("odd", oddContract));
    expect([...pages.keys()]).toEqual(expect.arrayContaining(Object.values(addresses).flat()));
    expect(addresses.groups).toContain("odd/schemas-2/");
    expect(addresses.operations).toContain("odd/webhooks/post-tree-grown/");
  });

  it("have only links that lead somewhere", () => {
    const broken = brokenLinks(site.files, pages);
    // Descriptions may name fragments that no page has.
    expect(broken.filter((link) => !/: #(?:long-lists|operation\/getTree)$/.test(link))).toEqual([]);
  });

  it("have nothing in them that styles, redirects, frames, submits, loads or runs", () => {
    for (const [path, { main, elements }] of pages) {
      const forbidden = /^(?:style|script|iframe|frame|form|meta|base|link|img|svg|object|embed|video|audio)$/;
      expect([path, main.elements.filter(({ tag }) => forbidden.test(tag)).filter(isForeign)]).toEqual([path, []]);
      for (const { attributes } of main.elements) {
        expect(Object.keys(attributes).filter((name) => name.startsWith("on") || name === "style")).toEqual([]);
        expect(attributes["href"] ?? "").not.toMatch(/^\s*(?:javascript|data|vbscript):/i);
      }
      const loaded = elements.flatMap(({ tag, attributes: { src, href } }) => (tag === "link" ? [href] : [src]));
      expect(loaded.filter((url) => url !== undefined && /^(?:[a-z]+:)?\/\//.test(url))).toEqual([]);
      expect(elements.filter(({ tag }) => tag === "main")).toHaveLength(1);
    }
  });

  it("show descriptions as Markdown allows, and text as it is", () => {
    const { elements, text } = mainOf("odd/");
    expect(elements.some(({ tag, text: cell }) => tag === "td" && cell === "2")).toBe(true);
    expect(elements.some(({ tag, text: bold }) => tag === "b" && bold === "Bold")).toBe(true);
    expect(linksOf("odd/")).toEqual(
      expect.arrayContaining(["https://kept.example/", "https://pictures.example/logo.png"]),
    );
    expect(text).toContain("Odd </title><script>alert(1)</script>");
    expect(text).toContain("what <b>all</b> of it is for");
    // What scripts and styles consist of is not for readers.
    expect(text).not.toMatch(/display: none|alert\(1\)(?!<)/);
    expect(mainOf("odd/trees/").text).toContain("Trees & <i>bushes</i>");
    expect(mainOf("odd/trees/get-tree/").text).toContain("</code></pre><script>alert(1)</script>");
  });

  it("lead fragments that name a heading of the same description there, and leave others as they are", () => {
    const targetOf = (path: string, name: string) =>
      mainOf(path).elements.find(({ tag, text }) => tag === "a" && text === name)?.attributes["href"];
    for (const path of ["odd/", "odd/trees/", "odd/trees/get-tree/"]) {
      expect(targetOf(path, "Heading")).toBe("#section/long-lists");
      expect(pages.get(path)?.byId.get("section/long-lists")?.text).toBe("Long lists");
      expect(targetOf(path, "Operation")).toBe("#operation/getTree");
    }
  });

  it("keep the letters of other scripts in addresses of pages and headings", () => {
    const { byId, main } = pages.get("odd/日程/") ?? { byId: new Map<string, PageElement>() };
    expect(byId.get("section/grosse-und-日程")?.text).toBe("Größe und 日程");
    // The font of the site lacks them, so words with them would be in two fonts.
    const fonts = [...pages.values()].map(({ elements: [html] }) => html?.attributes["data-font"]);
    expect(new Set(fonts)).toEqual(new Set([undefined]));
    const links = main?.elements.map(({ attributes }) => attributes["href"]);
    expect(links).toEqual(expect.arrayContaining(["#section/grosse-und-日程", "../../odd/trees/get-tree/"]));
  });

  it("mark deprecated entries in every list", () => {
    const lists = ["odd/", "odd/trees/", "odd/old/", "authentication/", "unspecified/", "odd/schemas/node/"];
    for (const path of lists) {
      const link = mainOf(path).elements.find(({ text }) => /^(?:GET )?Get a <u>tree<\/u> deprecated/.test(text));
      expect([path, link !== undefined]).toEqual([path, true]);
    }
    expect(mainOf("odd/").text).toContain("Grown deprecated");
    const menu = pages.get("odd/trees/")?.byId.get("menu");
    expect(menu?.text).toContain("Get a <u>tree</u> deprecated");
  });

  it("list each operation under every tag, and webhooks once", () => {
    expect(linksOf("odd/old/")).toContain("../../odd/trees/get-tree/");
    expect(linksOf("odd/").filter((href) => href.endsWith("webhooks/post-tree-grown/"))).toHaveLength(1);
    expect(pages.get("odd/trees/")?.byId.get("menu")?.text).toContain("Webhooks");
    expect(mainOf("odd/").text).toMatch(/Groups without operations of their own .*Empty/);
  });

  it("show a recursive schema with its examples and uses", () => {
    const { text, elements } = mainOf("odd/schemas/node/");
    expect(elements.filter(({ attributes }) => attributes["id"]?.endsWith(".children"))).toHaveLength(1);
    expect(text).toContain('"value": 2');
    expect(linksOf("odd/schemas/node/")).toContain("../../../odd/trees/get-tree/");
    expect(linksOf("odd/schemas/kind/")).toContain("../../../odd/schemas/node/");
  });

  it("name alternatives and types that have no name, and stop at a type that contains itself", () => {
    const { text } = mainOf("odd/schemas/readings/");
    for (const words of [
      ...["Alternative 1 object", "Alternative 2 object", "By node Node"],
      ...["Grown Grown", "closed object", "nested array of Nested (Nested)"],
    ]) {
      expect(text).toContain(words);
    }
  });

  it("give fields of the same name ids of their own", () => {
    const ids = [...(pages.get("odd/schemas/grown/")?.byId.keys() ?? [])];
    expect(ids).toEqual(expect.arrayContaining(["schema.left-over", "schema.left-over-2"]));
  });

  it("say how each kind of credential is sent", () => {
    const { text } = mainOf("authentication/");
    for (const words of ["Cookie: sid=<session>", "client certificate", "https://tokens.example/", "read: To read."]) {
      expect(text).toContain(words);
    }
    expect(text).toMatch(/GET Get a <u>tree<\/u> deprecated optional \(scope read\) POST .*, none needed –/);
  });

  it("say which scopes an operation needs, on its page and to the search", () => {
    expect(mainOf("odd/trees/get-tree/").text).toContain("oauth (scope read) (optional)");
    const index = [...site.files].find(([path, content]) => path.endsWith(".js") && content.includes("(scope read)"));
    expect(index?.[0]).toContain("search");
  });

  it("have webhooks in the group of their tag, without invented credentials", () => {
    expect(linksOf("odd/trees/")).toContain("../../odd/webhooks/tree-felled/");
    expect(pages.get("odd/trees/")?.byId.get("menu")?.text).toContain("A tree was felled");
    expect(linksOf("odd/").filter((href) => href.endsWith("webhooks/tree-felled/"))).toHaveLength(1);
    expect(mainOf("odd/webhooks/tree-felled/").text).toContain("Credentials session");
    expect(mainOf("odd/webhooks/post-tree-grown/").text).not.toContain("Credentials");
  });

  it("call a file a file, with the media types of its part", () => {
    const page = mainOf("odd/other/post-without-anything/").text;
    expect(page).toContain("photo file · optional · contains image/png");
    expect(page).toContain("application/zip file");
    expect(page).not.toContain("type not specified");
  });

  it("show every gap, also those of parts of schemas, of webhooks and of further media types", () => {
    const rows = mainOf("unspecified/").elements.filter(({ attributes }) => attributes["data-kind"] !== undefined);
    expect(rows).toHaveLength(listGaps(oddContract).flatMap(({ gaps }) => gaps).length);
    for (const { text, elements } of rows) {
      for (const { attributes } of elements.filter(({ tag }) => tag === "a")) {
        const url = new URL(attributes["href"] ?? "", "https://docs.example/unspecified/");
        const page = pages.get(url.pathname.slice(1));
        const target = url.hash === "" ? page?.main : page?.byId.get(decodeURIComponent(url.hash.slice(1)));
        const gap = elements.find(({ tag }) => tag === "td")?.text ?? "none";
        expect([text, target !== undefined && saysGap(target, gap)]).toEqual([text, true]);
      }
    }
  });
});

it("descriptions in which HTML and Markdown take turns have the same headings, links and text in both forms", async () => {
  const description = [
    ...["Text.", "", "```sh", "# no heading", "```", "", "## First `code`", "", "<h3>Second &amp; last</h3>", ""],
    ...[
      "<details><summary>More</summary>",
      "",
      "Folded **words** <b>that *begin*",
      "in HTML</b>.",
      "",
      "</details>",
      "",
    ],
    ...["<table><tr><td>a</td><td>b | c</td></tr></table>", "", "[Up](#second-last) <kbd>Enter</kbd><br>\tnext", ""],
    ...[
      "1. one",
      "   - inner",
      "2. two",
      "",
      "- [x] done",
      "- [ ] open",
      "",
      "> quoted",
      "> on",
      "",
      "<dl><div><dt>Term</dt><dd>Meaning</dd></div></dl>",
      "",
      "***",
    ],
  ].join("\n");
  const paths = { "/a": { get: { responses: {} } } };
  const document = { openapi: "3.1.1", info: { title: "Mixed", version: "1", description }, paths };
  await using site = await renderDescription("mixed", document);
  const main = readPages(site.files).get("mixed/")?.main;
  const headings = main?.elements.filter(({ tag }) => /^h[2-6]$/.test(tag)).map(({ tag, text }) => `${tag} ${text}`);
  expect(headings?.slice(-2)).toEqual(["h2 First code", "h3 Second & last"]);
  const tags = main?.elements.map(({ tag }) => tag);
  expect(tags).toEqual(expect.arrayContaining(["details", "summary", "strong", "b", "em", "kbd", "blockquote", "hr"]));
  expect(main?.elements.find(({ text }) => text === "Up")?.attributes["href"]).toBe("#section/second-last");
  const markdown = site.files.get("mixed/index.md") ?? "";
  expect(markdown).toContain("Text.\n\n```sh\n# no heading\n```\n\n## Operations\n");
  expect(markdown).toContain(
    [
      ...["## First `code`", "", "### Second & last", "", "More", ""],
      ...[
        "Folded **words** **that *begin* in HTML**.",
        "",
        "| a | b \\| c |",
        "| --- | --- |",
        "",
        "Up Enter  ",
        "next",
        "",
      ],
      ...[
        "1. one",
        "   - inner",
        "2. two",
        "",
        "- ☑ done",
        "- ☐ open",
        "",
        "> quoted on",
        "",
        "- Term: Meaning",
        "",
        "---",
        "",
      ],
    ].join("\n"),
  );
});

it("servers with invalid URLs, external examples, and deep schemas are rendered", async () => {
  const operation = {
    responses: { 200: { description: "Fine.", content: { "application/json": { examples: elsewhere } } } },
    requestBody: { content: { "application/json": { examples: elsewhere } } },
  };
  const content = { "application/json": { schema: deepSchema(240) } };
  const deep = { get: { responses: { 200: { description: "Deep.", content } } } };
  const paths = {
    "/a": { post: { ...operation, servers: [{ url: "https://" }] } },
    "/b": { post: operation },
    "/c": deep,
  };
  const document = { openapi: "3.1.1", info: { title: "Elsewhere", version: "1" }, paths };
  await using site = await renderDescription("elsewhere", document);
  expect([...site.files.keys()]).toEqual(
    expect.arrayContaining(["elsewhere/other/post-a/index.html", "elsewhere/other/post-b/index.md"]),
  );
  expect(site.files.get("elsewhere/other/get-c/index.html")).toContain("1 field of <code>inner</code>");
});

function deepSchema(levels: number): object {
  return levels === 0 ? { type: "string" } : { type: "object", properties: { inner: deepSchema(levels - 1) } };
}

function chainOf(length: number): object {
  const start = "#/paths/~1a/get/responses/200/content/application~1json/schema/$defs/";
  const $defs: Record<string, object> = {};
  for (let index = 0; index < length; index += 1) $defs[index] = { items: { $ref: start + ((index + 1) % length) } };
  return { $defs };
}

it.each([
  ["null for an example", { examples: { none: null } }, "/examples/none: null where a part of"],
  ["a reference to nothing", { schema: { $ref: "#/components/schemas/None" } }, "/schema: nothing in the bundle is at"],
  [
    "a reference to itself",
    { schema: { $ref: "#/paths/~1a/get/responses/200/content/application~1json/schema" } },
    "/schema: #/paths/~1a/get/responses/200/content/application~1json/schema refers to itself",
  ],
  ["a chain of 2,000 references", { schema: chainOf(2_000) }, "levels deep, counted through"],
  ["schemas 2,000 levels deep", { schema: deepSchema(2_000) }, "nested more than 500 levels deep"],
])("a bundle with %s is named with the place", async (_, media, message) => {
  const content = { "application/json": media };
  const paths = { "/a": { get: { responses: { 200: { description: "Fine.", content } } } } };
  const folder = await mkdtemp(join(tmpdir(), "bundles-"));
  await mkdir(join(folder, "broken"));
  await writeFile(join(folder, "broken/openapi.json"), JSON.stringify({ openapi: "3.1.1", paths }));
  const reading = readBundles(folder, ["broken"]);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toThrow(/openapi\.json cannot be used, at #\/paths\/.*: run npm run build again$/);
  await expect(reading).rejects.toMatchObject({ name: "UserError" });
  await rm(folder, { recursive: true });
});

const elsewhere = { far: { externalValue: "./far.json" } };

it("the docs of 400 operations have a menu that stays small", async ({ largeDocs }) => {
  const files = await readSite(largeDocs);
  const paths = [...files.keys()].filter((path) => path.endsWith(".html"));
  expect(paths.length).toBeGreaterThan(520);
  // Pages of one kind differ in little.
  const pages = readPages(new Map([...files].filter(([path]) => paths.indexOf(path) % 16 === 0)));
  expect(pages.size).toBeGreaterThan(30);
  const menus = [...pages.values()].map(({ byId }) => byId.get("menu")?.elements.length ?? 0);
  // 20 groups, and the 20 operations of one of them, each with its method.
  expect(Math.max(...menus)).toBeLessThan(160);
  expect(Buffer.byteLength(files.get("index.html") ?? "")).toBeLessThan(24_000);
});
