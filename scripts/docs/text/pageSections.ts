import type { TreeNode } from "./elementTree.ts";

/** A part of a page below a heading that has an address. The first one is below the page's title. */
export interface PageSection {
  /** The titles of the headings around it, and its own at the end. */
  readonly titles: readonly string[];
  /** The anchor of its heading; empty for the first one. */
  readonly id: string;
  /** Paragraphs, fields, rows and blocks of code, each on one line. */
  readonly blocks: string[];
}

/** Links to what has pages of its own, and the lines of those pages that their data has too, by the class of the element. */
const repeated = new Set("columns comparison crumbs endpoint facts languages links operations target tasks".split(" "));

const blockTags = new Set(["dl", "dt", "li", "ol", "pre", "table", "tr", "ul"]);

/** Takes what is said on a page apart into its sections, and finds the names in it, of fields and schemas. */
export function readSections(tree: TreeNode) {
  const sections: [PageSection, ...PageSection[]] = [{ titles: [], id: "", blocks: [] }];
  const titles: string[] = [];
  const names = new Set<string>();
  let text = "";
  const endBlock = () => {
    const line = plainText(text);
    if (line !== "") sections.at(-1)?.blocks.push(line);
    text = "";
  };
  const visit = (node: TreeNode, isInItem: boolean) => {
    const { localName, className, data, childNodes } = node;
    const [, level] = /^h(\d)$/.exec(localName) ?? [];
    const id = node.getAttribute("id") ?? "";
    // Samples, which have labels, repeat what the reference says.
    if (repeated.has(className) || localName === "figcaption" || node.getAttribute("aria-label") !== null) return;
    if (level === "1" || (level !== undefined && id !== "")) {
      endBlock();
      titles.splice(Number(level) - 1, Infinity, plainText(node.textContent).split(" · ")[0] ?? "");
      if (level === "1") sections[0] = { ...sections[0], titles: [...titles] };
      else sections.push({ titles: titles.filter(Boolean), id, blocks: [] });
      return;
    }
    if (localName === "code" && className === "name") names.add(node.textContent);
    if (localName === "a" && node.getAttribute("href")?.includes("/schemas/") === true) names.add(node.textContent);
    // In an item of a list, paragraphs are on one line.
    const isBlock = blockTags.has(localName) || level !== undefined || (!isInItem && /^(?:div|p)$/.test(localName));
    if (isBlock) endBlock();
    text += data;
    for (const child of childNodes) visit(child, isInItem || localName === "li");
    if (isBlock) endBlock();
    else if (/^(?:br|dd|div|p|td|th)$/.test(localName)) text += " ";
  };
  visit(tree, false);
  endBlock();
  return { sections, names: [...names].filter((name) => /^[^[<]*[\p{L}\p{N}]/u.test(name)) };
}

function plainText(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
