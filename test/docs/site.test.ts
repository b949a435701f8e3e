import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { hash } from "node:crypto";
import { describe, expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { gapsByOperation, listGaps } from "../../scripts/contract/gaps.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { singleValuedHeaders } from "../../scripts/contract/singleValuedHeaders.ts";
import { membersOf, valueAt } from "../../scripts/values/json.ts";
import { countOf } from "../../scripts/values/text.ts";
import { addressesOf } from "./addresses.ts";
import { readPages, readRedirects, readSite, runDocs } from "./docsSite.ts";
import { brokenLinks } from "./links.ts";
import { saysGap, type HtmlPage, type PageElement } from "./htmlPage.ts";
import { it } from "./it.ts";
import { siteUrl } from "./sharedDocs.ts";

let folder: string;
let published: string;
let generations: readonly Generation[];
let files: ReadonlyMap<string, string>;
let pages: ReadonlyMap<string, HtmlPage>;

it.beforeAll(async ({ published: publishedFolder }) => {
  published = publishedFolder;
  folder = await mkdtemp(join(tmpdir(), "docs-"));
  generations = await readBuiltGenerations();
  files = await readSite(published);
  pages = readPages(files);
  return () => rm(folder, { recursive: true });
});

function pageAt(path: string): HtmlPage {
  const page = pages.get(path);
  if (page === undefined) throw new Error(`there is no page at ${path}`);
  return page;
}

/** The address of the page that a link leads to, and the element that it leads to: by default, the page's `main`. */
function follow(from: string, { attributes: { href = "" } }: PageElement): { path: string; target: PageElement } {
  const url = new URL(href, siteUrl + from);
  const path = url.href.replace(url.hash, "").slice(siteUrl.length);
  const page = pageAt(path);
  const target = url.hash === "" ? page.main : page.byId.get(decodeURIComponent(url.hash.slice(1)));
  if (target === undefined) throw new Error(`nothing at ${href}`);
  return { path, target };
}

describe("the site", () => {
  it("has a page for every generation, group, operation, webhook and schema, and a few others", () => {
    const all = generations.flatMap((generation) => Object.values(addressesOf(generation)).flat());
    const expected = all.filter((path) => !path.includes("#"));
    const others = ["", "404.html", "authentication/", "changelog/", "downloads/", "errors/", "unspecified/"];
    const written = /^(?:about|guides|testing|typescript)\//;
    expect([...pages.keys()].filter((path) => !written.test(path)).sort()).toEqual([...expected, ...others].sort());
  });

  it("has only links, also to places in pages, that lead somewhere", () => {
    const broken = brokenLinks(files, pages, siteUrl);
    expect(broken.filter((link) => !link.endsWith("/: index.md"))).toEqual([]);
  });

  it("loads nothing from another host, and has no style or handler in its elements", () => {
    // Collected, because there are tens of thousands of elements: to expect something of each takes seconds.
    const found = [...pages].flatMap(([path, { elements }]) =>
      elements.flatMap(({ tag, attributes }) => {
        const { src, href, rel = "" } = attributes;
        const loaded = tag === "link" && !rel.includes("canonical") ? href : src;
        const isLoaded = loaded !== undefined && /^(?:https?:)?\/\//.test(loaded);
        const handlers = Object.keys(attributes).filter((name) => name === "style" || name.startsWith("on"));
        return isLoaded || handlers.length > 0 ? [[path, tag, loaded, ...handlers]] : [];
      }),
    );
    expect(found).toEqual([]);
  });

  it("has in each page's policy the digests of the scripts and styles in it, and allows no others", () => {
    for (const [path, { elements }] of pages) {
      const meta = elements.find(({ attributes }) => attributes["http-equiv"] === "content-security-policy");
      const policy = (meta?.attributes["content"] ?? "").split("; ").map((directive) => directive.split(" "));
      const text = files.get(path === "" || path.endsWith("/") ? `${path}index.html` : path) ?? "";
      for (const tag of ["script", "style"]) {
        const written = [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(([, own = ""]) => own);
        const unloaded = elements.filter((element) => element.tag === tag && element.attributes["src"] === undefined);
        expect([path, tag, unloaded.length]).toEqual([path, tag, written.length]);
        const digests = new Set(written.map((own) => `'sha256-${hash("sha256", own, "base64")}'`));
        const [, ...sources] = policy.find(([name]) => name === `${tag}-src`) ?? [];
        expect([path, tag, sources]).toEqual([path, tag, ["'self'", ...digests]]);
      }
    }
  });

  it("has a unique title, a description, a canonical address and preview data on every page", () => {
    const titles = [...pages.values()].map(({ elements }) => elements.find(({ tag }) => tag === "title")?.text);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    for (const [path, { elements }] of pages) {
      const meta = new Map(
        elements.map(({ attributes: { name, property, content } }) => [name ?? property, content] as const),
      );
      expect([path, meta.get("description")]).toEqual([path, expect.stringMatching(/.{10,}/)]);
      expect(meta.get("og:title")).toBeTruthy();
      expect(meta.get("og:url")).toBe(siteUrl + path);
      const policy = elements.find(({ attributes }) => attributes["http-equiv"] === "content-security-policy");
      expect(policy?.attributes["content"]).toContain("default-src 'none'");
      const canonical = elements.find(({ attributes: { rel } }) => rel === "canonical");
      expect(canonical?.attributes["href"]).toBe(siteUrl + path);
    }
  });

  it("has a feed of the releases, which lead to their places on the page", () => {
    const feed = files.get("changelog/feed.xml") ?? "";
    const links = [...feed.matchAll(/<id>([^<]+)<\/id>\n {4}<title>([^<]+)</g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, link = "", version = ""] of links) {
      expect(link).toBe(`${siteUrl}changelog/#release-${version}`);
      expect(files.get("changelog/index.html")).toContain(`id="release-${version}"`);
    }
  });

  it("has every page in the sitemap, except for the one for unknown addresses", () => {
    const listed = [...(files.get("sitemap.xml") ?? "").matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url);
    const expected = [...pages.keys()].filter((path) => path !== "404.html");
    expect(listed.sort()).toEqual(expected.map((path) => siteUrl + path).sort());
    expect(files.get("robots.txt")).toContain(`Sitemap: ${siteUrl}sitemap.xml`);
  });

  it("has one first heading on each page, and no heading that leaves out a level", () => {
    for (const [path, { main }] of pages) {
      const levels = main.elements.flatMap(({ tag }) => (/^h[1-6]$/.test(tag) ? [Number(tag.slice(1))] : []));
      expect([path, levels.filter((level) => level === 1).length, levels[0]]).toEqual([path, 1, 1]);
      const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1);
      expect([path, jumps]).toEqual([path, []]);
    }
  });

  it("says nothing twice in a page's title, and does not repeat the site's title in the headings of generations", () => {
    const siteTitle = pageAt("").elements.find(({ tag }) => tag === "title")?.text ?? "no title";
    for (const [path, { elements, main }] of pages) {
      const parts = elements.find(({ tag }) => tag === "title")?.text.split(" – ") ?? [];
      expect([path, parts.length]).toEqual([path, new Set(parts).size]);
      const repeated = main.elements.filter(({ tag, text }) => tag === "h2" && text.includes(siteTitle));
      expect([path, repeated.map(({ text }) => text)]).toEqual([path, []]);
    }
    expect(pageAt("downloads/").byId.get("v2")?.text).toBe("v2");
  });

  it("offers to fold fields only where all are open, and else to open them", () => {
    const labels = [...pages].flatMap(([path, { main }]) =>
      main.elements.flatMap(({ tag, elements }) => {
        // The button is in the section itself, before those inside it.
        const button = elements.find(({ attributes }) => attributes["class"] === "fold");
        if (tag !== "section" || button === undefined) return [];
        const folds = elements.filter(({ attributes }) => attributes["class"] === "nested");
        const isAllOpen = folds.every(({ attributes }) => "open" in attributes);
        expect([path, button.text]).toEqual([path, isAllOpen ? "Collapse all" : "Expand all"]);
        return [button.text];
      }),
    );
    expect(new Set(labels).size).toBe(2);
  });

  it("has the bundles unchanged, and says how large they are", () => {
    const downloads = pageAt("downloads/").main.text;
    for (const { name, document } of generations) {
      const text = files.get(`${name}/openapi.json`) ?? "";
      expect(JSON.parse(text)).toEqual(document);
      expect(downloads).toContain(`${String(Math.round(Buffer.byteLength(text) / 1000))} kB`);
    }
  });

  it("describes the mock's effect for each operation that changes a resource or has x-resource", () => {
    const noteOf = (name: string, operationId: string) => {
      const notes = generations
        .filter((generation) => generation.name === name)
        .flatMap((generation) => {
          const index = generation.operations.findIndex((operation) => operation.operationId === operationId);
          const { main } = pageAt(addressesOf(generation).operations[index] ?? "unknown operation");
          return main.elements.filter(({ attributes }) => attributes["class"] === "nested note");
        });
      return notes.map(({ text }) => text).join();
    };
    expect(noteOf("v2", "rescheduleBooking")).toContain("end moves along with start");
    expect(noteOf("v1", "listBookingRecordings")).toContain("download_link");
    expect(noteOf("v2", "deleteTeam")).toContain("remembers the deletion");
    expect(noteOf("v2", "verifyOrganizationTeamEmail")).toContain("no effect");
    expect(noteOf("v2", "getOrganizationTeam")).toBe("");
  });
});

describe("the pages about the API", () => {
  const titlesIn = (path: string) =>
    new Set(pageAt(path).main.elements.flatMap(({ tag, text }) => (tag === "a" ? [text] : [])));
  const all = () => generations.flatMap(({ operations }) => operations);

  it("list paginated operations, and equivalent operations of the generations side by side", () => {
    const paged = all().filter(({ pagination }) => pagination !== undefined);
    expect(paged.length).toBeGreaterThan(0);
    for (const { title, pagination } of paged) {
      expect(titlesIn("about/paging/")).toContain(title);
      expect(pageAt("about/paging/").main.text).toContain(pagination?.limit);
    }
    const others = all().filter((operation) => !paged.includes(operation));
    expect(others.filter(({ title }) => titlesIn("about/paging/").has(title))).toEqual([]);
    for (const { title } of all()) expect(titlesIn("about/generations/")).toContain(title);
  });

  it("have each header with one value, each parameter of paths and each time", () => {
    const { text: versions } = pageAt("about/versioning/").main;
    const headers = all().flatMap((operation) =>
      singleValuedHeaders(operation).filter(([name]) => operation.parameters.some((one) => one.name === name)),
    );
    expect(headers.length).toBeGreaterThan(0);
    for (const [name, value] of headers)
      expect([versions.includes(name), versions.includes(value)]).toEqual([true, true]);
    const { text: identifiers } = pageAt("about/identifiers/").main;
    const names = all().flatMap(({ parameters }) =>
      parameters.filter((one) => one.in === "path").map(({ name }) => name),
    );
    expect(names.filter((name) => !identifiers.includes(name))).toEqual([]);
    const { text: times } = pageAt("about/times/").main;
    const fields = generations.flatMap(({ document }) =>
      membersOf(valueAt(document, ["components", "schemas"])).flatMap(([schema, component]) =>
        membersOf(valueAt(component, ["properties"])).flatMap(([name, property]) =>
          valueAt(property, ["format"]) === "date-time" ? [`${schema}.${name}`] : [],
        ),
      ),
    );
    expect(fields.length).toBeGreaterThan(5);
    expect(fields.filter((field) => !times.includes(field))).toEqual([]);
  });

  it("contain the sections of the descriptions, to which the old addresses lead", () => {
    const { main, byId } = pageAt("v2/");
    const headings = main.elements.filter(({ tag }) => tag === "h2").map(({ text }) => text);
    expect(headings[0]).toBe("Operations");
    expect(main.text).not.toContain("Rate limits, size limits");
    expect(pageAt("about/limits/").main.text).toContain("Rate limits, size limits");
    expect(pageAt("errors/").main.text).toContain("the shape of error bodies and error codes aren't specified");
    for (const name of ["paging", "errors", "versioning", "limits"]) expect(byId.has(`section/${name}`)).toBe(true);
  });

  it("are among the guides that operations lead to", () => {
    for (const generation of generations) {
      generation.operations.forEach(({ pagination, requestBody }, index) => {
        const path = addressesOf(generation).operations[index] ?? "";
        const paths = pageAt(path)
          .main.elements.filter(({ tag, attributes }) => tag === "a" && attributes["href"]?.startsWith("../"))
          .map((link) => follow(path, link).path);
        const has = (page: string) => paths.includes(page);
        const isPaged = pagination !== undefined;
        expect([path, has("about/paging/"), has("typescript/pagination/")]).toEqual([path, isPaged, isPaged]);
        expect([path, has("typescript/validation/")]).toEqual([path, requestBody !== undefined]);
        expect([path, has("typescript/errors/")]).toEqual([path, true]);
      });
    }
  });
});

describe("the way around", () => {
  it("leads from each guide to the next, and back", () => {
    const guides = pageAt("guides/").byId.get("menu")?.elements ?? [];
    const addresses = guides
      .filter(({ tag, attributes }) => tag === "a" && /^\.\.\/guides\/./.test(attributes["href"] ?? ""))
      .map((link) => follow("guides/", link).path);
    expect(addresses.length).toBeGreaterThan(0);
    const seen = [addresses[0] ?? ""];
    for (let path = seen[0] ?? ""; ;) {
      const links = pageAt(path).main.elements.filter(({ tag }) => tag === "a");
      const next = links.find(({ attributes }) => attributes["class"] === "Next");
      if (next === undefined) break;
      const before = path;
      ({ path } = follow(path, next));
      const back = pageAt(path).main.elements.find(({ attributes }) => attributes["class"] === "Previous");
      expect(back && follow(path, back).path).toBe(before);
      seen.push(path);
    }
    expect(seen).toEqual(addresses);
  });

  it("leads from each operation to the next, and back", () => {
    for (const generation of generations) {
      const addresses = [...readAddresses(generation).operations.values()];
      for (const [index, path] of addresses.entries()) {
        const links = pageAt(path).main.elements.filter(({ tag }) => tag === "a");
        const ways = ["Previous", "Next"].map((way) => links.find(({ attributes }) => attributes["class"] === way));
        expect([path, ...ways.map((link) => link && follow(path, link).path)]).toEqual([
          ...[path, addresses[index - 1], addresses[index + 1]],
        ]);
      }
    }
  });

  it("begins in the header of every page, goes on in the menu of the current place, and reaches every page", () => {
    const linksIn = (element: PageElement | undefined) => element?.elements.filter(({ tag }) => tag === "a") ?? [];
    const targetsIn = (path: string, element: PageElement | undefined) =>
      linksIn(element).map((link) =>
        link.attributes["href"]?.endsWith("llms.txt") === true ? path : follow(path, link).path,
      );
    const isInGeneration = (path: string) =>
      generations.some(({ name }) => path.startsWith(name) && path !== `${name}/`);
    for (const [path, { elements, byId }] of pages) {
      const links = linksIn(elements.find(({ attributes }) => attributes["class"] === "places"));
      expect([path, links.map(({ text }) => text)]).toEqual([
        path,
        ["Guides", "API", "TypeScript", "Testing", "Changelog"],
      ]);
      const [, first = ""] = /^(?:(guides|typescript|testing|changelog)\/|404\.html|$)/.exec(path) ?? [path, "api"];
      const current = links.filter(({ attributes }) => attributes["aria-current"] !== undefined);
      expect([path, current.map(({ text }) => text.toLowerCase())]).toEqual([path, first === "" ? [] : [first]]);
      const listed = targetsIn(path, byId.get("menu"));
      if (["guides", "typescript", "testing"].includes(first)) {
        const own = [...pages.keys()].filter((one) => one.startsWith(`${first}/`));
        expect([path, own.filter((one) => !listed.includes(one))]).toEqual([path, []]);
        expect([path, listed.filter(isInGeneration)]).toEqual([path, []]);
      } else {
        const general = ["about/", "authentication/", "errors/", "unspecified/", "downloads/"];
        const expected = [...general, ...generations.map(({ name }) => `${name}/`)];
        expect([path, listed]).toEqual([path, expect.arrayContaining(expected)]);
        // Other pages list the newest generation.
        const own = generations.find(({ name }) => path.startsWith(`${name}/`)) ?? generations.at(-1);
        const shown = listed.filter(isInGeneration).map((one) => one.split("/")[0]);
        expect([path, ...new Set(shown)]).toEqual([path, own?.name]);
      }
    }
  });

  it("lists the sections of long pages, and has the newest generation first", () => {
    for (const path of ["guides/authentication/", "authentication/", "unspecified/", "v2/"]) {
      const sections = pageAt(path).elements.find(({ attributes }) => attributes["class"] === "sections");
      const headings = pageAt(path).main.elements.filter(({ tag, attributes }) => tag === "h2" && attributes["id"]);
      expect([path, sections?.elements.filter(({ tag }) => tag === "a").map(({ text }) => text)]).toEqual([
        path,
        headings.map(({ text }) => text),
      ]);
    }
    const names = generations.map(({ name }) => name).toReversed();
    const ids = pageAt("authentication/").main.elements.map(({ attributes }) => attributes["id"] ?? "");
    expect(ids.filter((id) => names.includes(id))).toEqual(names);
  });

  it("comes before the content in the order of the keyboard", () => {
    for (const [path, { elements, byId, main }] of pages) {
      const menu = byId.get("menu");
      expect([path, menu && elements.indexOf(menu) < elements.indexOf(main)]).toEqual([path, true]);
    }
  });
});

describe("the pages of", () => {
  it("generations are tables by section, with the method, path and group of each operation", () => {
    for (const { name, sections } of generations) {
      const tables = pageAt(`${name}/`).main.elements.filter(
        ({ attributes }) => attributes["class"] === "directory stacked",
      );
      const filled = sections.map(({ groups }) =>
        groups.flatMap((group) => [...group.operations, ...group.webhooks].map((one) => ({ group, one }))),
      );
      const rowsOf = ({ elements }: PageElement) =>
        elements
          .filter(({ tag }) => tag === "tr")
          .slice(1)
          .map(({ text }) => text);
      expect(tables.map(rowsOf)).toEqual(
        filled
          .filter((own) => own.length > 0)
          .map((own) =>
            own.map(({ group, one }) => {
              const title = one.lifecycle.isDeprecated ? `${one.title} deprecated` : one.title;
              return `${one.method.toUpperCase()} ${title} ${one.path} ${group.title}`;
            }),
          ),
      );
    }
  });

  it("authentication begins with what to copy", () => {
    const sectionOf = (name: string) =>
      pageAt("authentication/").main.elements.find(
        ({ tag, attributes }) => tag === "section" && attributes["aria-labelledby"] === name,
      );
    const [v2, v1] = ["v2", "v1"].map(sectionOf);
    expect(v2?.elements.find(({ tag }) => tag === "pre")?.text).toBe("Authorization: Bearer svc_example_key");
    expect(v1?.elements.find(({ tag }) => tag === "pre")?.text).toBe("apiKey=example-api-key");
    // One page is about what is sent, the other about what to choose.
    const titles = ["authentication/", "guides/authentication/"].map(
      (path) => pageAt(path).elements.find(({ tag }) => tag === "h1")?.text,
    );
    expect(titles).toEqual(["Authentication", "Choose your credentials"]);
  });

  it("workflows say what each step is for, have criteria in words, and name the mock once", () => {
    const paths = [...pages.keys()].filter((path) =>
      pageAt(path).main.elements.some(({ attributes }) => attributes["class"] === "steps"),
    );
    expect(paths.length).toBeGreaterThan(0);
    const operations = new Set(generations.flatMap((generation) => generation.operations.map(({ title }) => title)));
    for (const path of paths) {
      const { elements, text } = pageAt(path).main;
      const headings = elements
        .filter(({ tag }) => tag === "h1" || tag === "h2")
        .map((one) => one.text.replace(/^\d+\. /, ""));
      expect([path, headings.filter((heading) => operations.has(heading))]).toEqual([path, []]);
      expect([path, headings.length]).toEqual([path, new Set(headings).size]);
      const folded = elements
        .filter(({ tag }) => tag === "details")
        .map((one) => one.text.replace(/JSONPath \$\S+/, ""));
      expect([path, folded.filter((one) => /\$(?:statusCode|response|inputs|steps)/.test(one))]).toEqual([path, []]);
      expect([path, text.split("mock at http").length, text.split("A mock in this page").length]).toEqual([path, 2, 2]);
    }
    const criteria = pageAt("guides/cancel-booking-v1/").main.text;
    expect(criteria).toContain("The status code is at least 200 and is below 300 booking.id is bookingId of step 1");
    expect(pageAt("guides/reschedule-booking/").main.text).toContain("data.start is the input secondStart");
  });
});

it("pages, styles and the font are small", async () => {
  const sizeOf = (text: string) => gzipSync(text, { level: 9 }).byteLength;
  const styles = [...files].find(([path]) => path.endsWith(".css"));
  expect(sizeOf(styles?.[1] ?? "")).toBeLessThan(8192);
  const font = [...files.keys()].find((path) => path.endsWith(".woff2")) ?? "";
  expect((await stat(join(published, font))).size).toBeLessThan(15_000);
  // It has the letters of all pages, except those in code.
  const without = [...pages].filter(
    ([, { elements }]) => elements[0]?.attributes["data-font"]?.endsWith(font) !== true,
  );
  expect(without.map(([path]) => path)).toEqual([]);
  const large = [...files].filter(([path, text]) => /^v\d\/.*html$/.test(path) && sizeOf(text) > 20_000);
  expect(large.map(([path]) => path)).toEqual([]);
});

describe("the start page", () => {
  it("has a first call that only reads", () => {
    const [call] = pageAt("").main.elements.filter(({ tag }) => tag === "pre");
    expect(call?.text).toContain(`curl 'http://127.0.0.1:4010/${generations.at(-1)?.name ?? ""}/`);
    expect(call?.text.split("\n").length).toBeLessThanOrEqual(3);
  });

  it("leads to each generation, and to its first groups with operations", () => {
    const links = pageAt("").main.elements.map(({ attributes }) => attributes["href"]);
    expect(links).toEqual(expect.arrayContaining(generations.map(({ name }) => `./${name}/`)));
    for (const generation of generations) {
      const addresses = addressesOf(generation).groups;
      const filled = addresses.filter((_, index) => (generation.groups[index]?.operations.length ?? 0) > 0);
      expect(links).toEqual(expect.arrayContaining(filled.slice(0, 3).map((address) => `./${address}`)));
    }
  });

  it("has commands that install the client and run the mock", () => {
    const codes = pageAt("").main.elements.flatMap(({ tag, text }) => (tag === "pre" ? [text] : []));
    expect(codes).toContain("npm install scheduling-service-api");
    expect(codes).toContain("npx scheduling-service-api mock");
  });
});

it("a page describes its operation's effect in the mock on resources of another generation", () => {
  const created = pageAt("v1/event-types/create-event-type/").main.text;
  expect(created).toContain("In the mock The mock remembers the new resource.");
});

describe("the addresses of places on a page", () => {
  it("are links of each heading and field; those of fields are no tab stops", () => {
    for (const [path, { main }] of pages) {
      for (const { tag, attributes, elements } of main.elements) {
        const { id } = attributes;
        const isField = tag === "li" && elements.some((one) => one.attributes["class"] === "field");
        if (id === undefined || attributes["class"] === "hidden" || !(isField || /^h[2-6]$/.test(tag))) continue;
        const links = elements.filter((one) => one.tag === "a");
        // A heading may lead elsewhere instead, and that of something folded opens it.
        const own = links.find((link) => link.attributes["href"] === `#${id}`);
        if (isField) expect([path, id, own?.attributes["tabindex"]]).toEqual([path, id, "-1"]);
        else if (id !== "json-schema") expect([path, id, links.length > 0]).toEqual([path, id, true]);
      }
    }
  });
});

describe("the page about errors", () => {
  it("has the failures of each operation, and leads there and back", () => {
    const linked = pageAt("errors/").main.elements.filter(({ attributes: { href = "" } }) => href.includes("#"));
    const targets = linked.map((link) => follow("errors/", link).path);
    // Behind them are the webhooks, whose failures are the readers' own.
    const paths = generations.flatMap((one) => addressesOf(one).operations.slice(0, one.operations.length));
    for (const path of paths) {
      expect([path, targets.includes(path)]).toEqual([path, true]);
      const back = pageAt(path).main.elements.some(({ attributes: { href } }) => href?.endsWith("../errors/"));
      expect([path, back]).toEqual([path, true]);
    }
    const { text } = pageAt("errors/").main;
    for (const words of ["failure status codes, response body not specified", "ApiError", "ContractError", "422"]) {
      expect(text).toContain(words);
    }
    expect(files.get("llms.txt")).toContain("errors/index.md");
  });
});

it("the table of credentials lists each operation and its alternatives", () => {
  const tables = pageAt("authentication/").main.elements.filter(
    ({ tag, attributes }) => tag === "table" && attributes["class"]?.includes("comparison"),
  );
  const rows = tables
    .flatMap(({ elements }) => elements)
    .filter(({ tag, text }) => tag === "tr" && !/^Operation/.test(text));
  const expected = generations.toReversed().flatMap(({ operations }) =>
    operations.map((operation) => {
      const accepted = operation.security.filter((schemes) => schemes.length > 0);
      if (accepted.length === 0) return [operation.title, 0, undefined];
      if (operation.unspecified.includes("authentication")) return [operation.title, accepted.length, "not specified"];
      const isOptional = accepted.length < operation.security.length;
      const among = accepted.length === 1 ? [] : [`one of ${accepted.length}`];
      const [gap] = operation.unspecified.filter((one) => one.startsWith("credentials"));
      if (gap !== undefined)
        return [operation.title, accepted.length, `${among[0] ?? "accepted"} · ${gap} not specified`];
      const need = isOptional ? ["optional"] : among.length > 0 ? [] : ["needed"];
      return [operation.title, accepted.length, [...among, ...need].join(" ")];
    }),
  );
  const shown = rows.map(({ elements }) => {
    const cells = elements.filter(({ tag, text }) => tag === "td" && text !== "–").map(({ text }) => text);
    // The scopes that an operation needs stand behind it.
    return [elements.find(({ tag }) => tag === "a")?.text, cells.length, cells[0]?.replace(/ \(scopes? .*\)$/, "")];
  });
  expect(shown).toEqual(expected);
});

it("groups without operations are one list, to which their old addresses and one entry of the menu lead", () => {
  const redirects = readRedirects(files);
  const empty = generations.flatMap((generation) =>
    generation.groups.filter(({ operations }) => operations.length === 0).map((group) => ({ generation, group })),
  );
  expect(empty.length).toBeGreaterThan(10);
  expect(redirects.size).toBe(empty.length);
  for (const [path, target] of redirects) {
    const { pathname, hash } = new URL(target, siteUrl + path);
    const [, name = ""] = /^\/some\/path\/(\w+)\/index\.html$/.exec(pathname) ?? [];
    expect([path, pageAt(`${name}/`).byId.has(hash.slice(1))]).toEqual([path, true]);
    expect([files.get("llms.txt"), files.get("sitemap.xml")].join("")).not.toContain(path.replace("index.html", ""));
  }
  for (const { generation, group } of empty) {
    const path = `${generation.name}/`;
    expect(pageAt(path).main.text).toContain(group.title);
    const names = empty.filter((one) => one.generation === generation);
    const entry = pageAt(path)
      .byId.get("menu")
      ?.elements.find(({ text }) => text === countOf(names.length, "more group"));
    expect(entry && follow(path, entry).path).toBe(path);
  }
});

describe("the list of gaps", () => {
  interface Row {
    readonly generation: string;
    readonly place: string;
    readonly gap: string;
    readonly links: readonly PageElement[];
  }

  const readRows = (): readonly Row[] =>
    pageAt("unspecified/")
      .main.elements.filter(({ tag, attributes }) => tag === "tr" && attributes["data-kind"] !== undefined)
      .map(({ attributes, elements }) => ({
        generation: attributes["data-generation"] ?? "",
        place: elements.find(({ tag }) => tag === "th")?.text ?? "",
        gap: elements.find(({ tag }) => tag === "td")?.text ?? "",
        links: elements.filter(({ tag }) => tag === "a"),
      }));

  /** The wording of every mark, before "not specified". */
  const wordingOf = (phrase: string) => (phrase === "required" ? "whether required" : phrase);

  it("is all on one page, each thing once", () => {
    const rows = readRows();
    for (const { name, document } of generations) {
      const gaps = listGaps(document).flatMap(({ gaps }) => gaps.map(wordingOf));
      const own = rows.filter(({ generation }) => generation === name);
      expect(own.length).toBe(gaps.length);
      for (const phrase of new Set(gaps)) {
        const expected = gaps.filter((gap) => gap === phrase).length;
        const marks = pageAt("unspecified/").main.elements.filter(
          ({ tag, attributes }) => tag === "tr" && attributes["data-generation"] === name,
        );
        const shown = marks.filter(({ elements }) => elements.some(({ tag, text }) => tag === "td" && text === phrase));
        expect([phrase, shown.length]).toEqual([phrase, expected]);
      }
    }
  });

  it("is named there without repeating that it isn't specified", () => {
    const { text, elements } = pageAt("unspecified/").main;
    // The page's title, and that of a column of each table.
    const tables = elements.filter(({ tag }) => tag === "table");
    expect(text.match(/not specified/gi)?.length).toBe(tables.length + 1);
  });

  it("is one mark at each place, however much it is", () => {
    const marksIn = ({ elements }: PageElement) =>
      elements.filter(({ attributes }) => attributes["class"] === "unspecified").map(({ text }) => text);
    const path = "v2/orgs-schedules/list-organization-schedules/";
    expect(marksIn(pageAt(path).byId.get("query-take") ?? pageAt(path).main)).toEqual([
      "default, maximum not specified",
    ]);
    const facts = pageAt("v2/bookings/reschedule-booking/").byId.get("credentials");
    expect(facts && marksIn(facts)).toEqual(["if needed: authentication not specified"]);
    for (const generation of generations) {
      for (const page of addressesOf(generation).operations) {
        for (const line of pageAt(page).main.elements.filter(({ attributes }) => attributes["class"] === "field")) {
          expect([page, line.text, marksIn(line).length <= 1]).toEqual([page, line.text, true]);
        }
      }
    }
  });

  it("is said at the place that each link on that page leads to", () => {
    for (const { gap, links } of readRows()) {
      expect([gap, links.length > 0]).toEqual([gap, true]);
      for (const link of links) {
        const { path, target } = follow("unspecified/", link);
        // A heading leads to the section below it.
        const isOf = (one: PageElement) => one.attributes["aria-labelledby"] === (target.attributes["id"] ?? "none");
        const place = pageAt(path).main.elements.find(isOf) ?? target;
        expect([gap, link.attributes["href"], saysGap(place, gap)]).toEqual([gap, link.attributes["href"], true]);
      }
    }
  });

  it("is said on the page of each operation, at the field that it concerns", () => {
    const rows = readRows();
    let count = 0;
    for (const generation of generations) {
      const addresses = addressesOf(generation);
      for (const [operation, gaps] of gapsByOperation(generation)) {
        const path = addresses.operations[generation.operations.indexOf(operation)] ?? "";
        for (const { place, gaps: phrases } of gaps) {
          for (const phrase of phrases) {
            const wording = wordingOf(phrase);
            const targets = rows
              .filter(
                (row) =>
                  row.generation === generation.name &&
                  row.place === (place === "" ? operation.name : place) &&
                  row.gap === wording,
              )
              .flatMap(({ links }) => links.map((link) => follow("unspecified/", link)))
              .filter((target) => target.path === path);
            expect([operation.name, place, phrase, targets.length > 0]).toEqual([operation.name, place, phrase, true]);
            const name = /(?:\.|^parameter )([\w-]+)$/.exec(place)?.[1];
            for (const { target } of targets) {
              // The mark is in the line of the field itself, not of one inside it.
              const line =
                name === undefined ? target : target.elements.find(({ attributes }) => attributes["class"] === "field");
              const isSaid = line !== undefined && saysGap(line, wording);
              expect([operation.name, place, wording, isSaid]).toEqual([operation.name, place, wording, true]);
              if (name !== undefined) expect(line?.text.startsWith(name)).toBe(true);
              count += 1;
            }
          }
        }
      }
    }
    expect(count).toBeGreaterThan(0);
  });

  it("is said at the top of each operation, with links that lead to its place", () => {
    for (const generation of generations) {
      const addresses = addressesOf(generation);
      for (const [operation, gaps] of gapsByOperation(generation)) {
        const path = addresses.operations[generation.operations.indexOf(operation)] ?? "";
        const summary = pageAt(path).main.elements.find(({ attributes }) => attributes["class"] === "unspecified-list");
        const links = summary?.elements.filter(({ tag }) => tag === "a") ?? [];
        for (const phrase of gaps.flatMap(({ gaps }) => gaps.map(wordingOf))) {
          const link = links.find((one) => saysGap(one, phrase));
          const isSaid = link !== undefined && saysGap(follow(path, link).target, phrase);
          expect([operation.name, phrase, isSaid]).toEqual([operation.name, phrase, true]);
        }
      }
    }
  });
});

describe("npm run docs", () => {
  it("makes the same files from the same bundles, in the place of an earlier site", async () => {
    const out = join(folder, "site");
    await cp(published, out, { recursive: true });
    await writeFile(join(out, "left-over.html"), "");
    expect(await runDocs(["--out", out, "--site-url", siteUrl.replace(/\/$/, "")])).toMatchObject({ code: 0 });
    expect(await readSite(out)).toEqual(files);
  });

  it("lets samples and forms send requests to the servers that are given", async () => {
    const out = join(folder, "addressed");
    const servers = ["--server", "https://api.example", "--server", "v1=https://old.example/api/"];
    expect(await runDocs(["--out", out, ...servers])).toMatchObject({ code: 0 });
    const site = await readSite(out);
    const addressed = (path: string) =>
      new Set(site.get(path)?.match(/https?:[^\s"'<&]+example[^\s"'<&/]*(?:\/api)?/g));
    const page = /^(v\d)\/.+\/index\.html$/;
    const wrong = [...site].flatMap(([path, text]) => {
      const [, name] = page.exec(path) ?? [];
      return name !== undefined && text.includes('class="operation"') && text.includes("127.0.0.1") ? [path] : [];
    });
    expect(wrong).toEqual([]);
    expect(addressed("v2/bookings/reschedule-booking/index.html")).toContain("https://api.example");
    // Guides to the mock are about nothing else.
    const elsewhere = [...site].flatMap(([path, text]) =>
      path.endsWith(".md") && !path.startsWith("testing/") && text.includes("127.0.0.1") ? [path] : [],
    );
    expect(elsewhere).toEqual([]);
    expect(site.get("guides/first-call/index.md")).toContain("on this page go to `https://api.example`.");
    const both = "on this page go to `https://old.example/api` and `https://api.example`.";
    expect(site.get("typescript/credentials/index.md")).toContain(both);
    expect(site.get("guides/first-call/index.md")).not.toContain("mock");
    expect([...site].filter(([path, text]) => /^v\d.*\.md$/.test(path) && text.includes("In the mock"))).toEqual([]);
    expect(addressed("v1/attendees/list-attendees/index.html")).toContain("https://old.example/api");
    expect((await runDocs(["--out", out, "--server", "api.example"])).output).toContain("--server must be an http");
  });

  it("leaves a folder with other files alone", async () => {
    const out = join(folder, "mine");
    await mkdir(out);
    await writeFile(join(out, "letter.txt"), "mine");
    const { code, output } = await runDocs(["--out", out]);
    expect([code, output]).toEqual([1, expect.stringContaining("contains other files: choose a new or empty")]);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
    expect(await readdir(out)).toEqual(["letter.txt"]);
  });

  it.each([
    "docs.example",
    "ftp://docs.example/",
    "https://docs.example/?x=1",
    "https://docs.example/?#",
    "https://u:secret@docs.example/",
  ])("refuses %s as an address", async (url) => {
    const { code, output } = await runDocs(["--out", join(folder, "none"), "--site-url", url]);
    expect([code, output]).toEqual([1, expect.stringContaining("--site-url must be a URL")]);
    expect(output).not.toContain("secret");
  });
});
