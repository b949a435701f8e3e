import { allOperations, type Generation } from "../contract/generation.ts";
import { slugOf, withoutEnd } from "../values/text.ts";
import { withoutLinks } from "../values/markdown.ts";
import type { SearchEntry } from "../docs/browser/findPages.ts";
import { readAddresses } from "../docs/model/addresses.ts";
import { firstLevel, guideSections } from "../docs/model/site.ts";
import { splitSections, type MarkdownSection } from "./markdownSections.ts";

/** What an entry says of its page, beside the page's text. */
type PageFacts = Pick<SearchEntry, "kind" | "generation" | "group" | "endpoint" | "operationId">;

/**
 * Makes the search entries of the docs' Markdown files, which `files` has by their paths: the pages, and then the
 * sections of guides. Each schema has an entry, too.
 */
export function indexDocs(
  files: ReadonlyMap<string, string>,
  generations: readonly Generation[],
): readonly SearchEntry[] {
  const facts = new Map(generations.flatMap(factsOf));
  const said = new Set<string>();
  const pages = [...files.keys()].filter((file) => file.endsWith(".md")).map((file) => withoutEnd(file, "index.md"));
  // Text about a schema's fields is found with the schema, and not with each operation.
  const isSchemas = (path: string) => facts.get(path)?.kind === "schema";
  const ordered = [...pages.filter(isSchemas), ...pages.filter((path) => !isSchemas(path))];
  const entries = ordered.flatMap((path) => {
    const sections = splitSections(files.get(`${path}index.md`) ?? "");
    return readEntries(path, sections, facts.get(path) ?? guideFacts(path), said);
  });
  return [...entries.filter(({ within }) => within === undefined), ...entries.filter(({ within }) => within)];
}

/** The facts about the pages of a generation, by their paths. */
function factsOf(generation: Generation): readonly (readonly [path: string, facts: PageFacts])[] {
  const addresses = readAddresses(generation);
  const own = { generation: generation.name };
  const groupOf = new Map(
    generation.groups.flatMap(({ title, operations }) => operations.map((one) => [one, title] as const)),
  );
  const operations = allOperations(generation).map((operation) => {
    const kind = generation.webhooks.includes(operation) ? ("webhook" as const) : ("operation" as const);
    const { name: endpoint, operationId } = operation;
    const path = addresses.operations.get(operation) ?? "";
    return [path, { ...own, kind, group: groupOf.get(operation), endpoint, operationId }] as const;
  });
  return [
    [addresses.generation, { ...own, kind: "generation" }],
    [addresses.schemaList, { ...own, kind: "schema" }],
    ...[...addresses.groups].map(
      ([{ title }, path]) => [path, { ...own, kind: "group" as const, group: title }] as const,
    ),
    ...operations,
  ];
}

function guideFacts(path: string): PageFacts {
  const [name] = Object.keys(guideSections).filter((one) => path.startsWith(`${one}/`) && path !== `${one}/`);
  const section = Object.entries(firstLevel).find(([one]) => one === name)?.[1];
  if (section === undefined) return { kind: "page" };
  return section === firstLevel.guides ? { kind: "guide" } : { kind: "guide", group: section.title };
}

/** The entries of a page. Text that an earlier page of the generation has is left out. */
function readEntries(
  path: string,
  sections: readonly MarkdownSection[],
  facts: PageFacts,
  said: Set<string>,
): readonly SearchEntry[] {
  const [{ title } = { title: "" }] = sections;
  const hasCode = facts.generation === undefined;
  const blocksOf = (own: readonly MarkdownSection[]) =>
    own
      .flatMap(({ lines }, at) => readLines(lines.slice(at === 0 ? 1 : 0), hasCode))
      .filter((line) => said.size < said.add(`${facts.generation ?? ""} ${line}`).size);
  const entryOf = (own: readonly MarkdownSection[], address: string) => ({
    ...{ ...facts, title: withoutMarks(own[0]?.title ?? ""), path: address, blocks: blocksOf(own) },
    names: [...new Set(own.flatMap(({ lines }) => lines.flatMap(namesIn)))].join("\n"),
  });
  if (facts.kind === "schema") {
    return sections.map((section, at) =>
      entryOf([section], at === 0 ? path : `${path}#${section.title.toLowerCase()}`),
    );
  }
  // People ask for an operation or a group as a whole.
  if (facts.generation !== undefined) return [entryOf(sections, path)];
  const titles: string[] = [];
  return sections.flatMap((section, at) => {
    if (at === 0) return [entryOf([section], path)];
    titles.length = section.level;
    titles[section.level - 1] = withoutMarks(section.title);
    const entry = entryOf([section], `${path}#section/${slugOf(withoutMarks(section.title))}`);
    const within = [withoutMarks(title), ...titles.slice(1, -1)].filter(Boolean).join(" / ");
    return entry.blocks.length === 0 ? [] : [{ ...entry, names: "", within }];
  });
}

/**
 * The text of some lines, each without its marks. Code is part of a guide, but not data, the expressions of a workflow
 * and links that only lead around.
 */
function readLines(lines: readonly string[], hasCode: boolean): readonly string[] {
  let language: string | undefined;
  return lines.flatMap((line) => {
    const text = line.trim();
    if (text.startsWith("```")) {
      language = language === undefined ? text.slice("```".length) : undefined;
      return [];
    }
    if (language !== undefined) return hasCode && language !== "json" && text !== "" ? [text] : [];
    return isNavigation(text) || text.startsWith("- `$") || withoutMarks(text) === "" ? [] : [withoutMarks(text)];
  });
}

/** The list of all pages, and the pages that contain this one. */
function isNavigation(line: string): boolean {
  return line.includes("llms.txt)") || /^(?:\[[^\]]*\]\([^)]*\)(?: \/ )?)+$/.test(line);
}

/** Text without the marks of Markdown, on one line. */
function withoutMarks(line: string): string {
  return withoutLinks(line.replace(/^\s*(?:[-#>]+|\d+\.)\s+/, ""))
    .replaceAll(/[`*\\]/g, "")
    .trim();
}

/** The field that a line of a list describes, and the schemas that it links to. */
function namesIn(line: string): readonly string[] {
  const [, field] = /^\s*- `([\w-]+)`/.exec(line) ?? [];
  const schemas = Array.from(line.matchAll(/\[(\w+)\]\([^)]*\/schemas\//g), ([, name = ""]) => name);
  return field === undefined ? schemas : [field, ...schemas];
}
