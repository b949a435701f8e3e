import type { TreeNode } from "./elementTree.ts";

/** Links to what has pages of its own, and the lines of those pages that their data has too, by the class of the element. */
const repeated = new Set("columns comparison crumbs endpoint facts languages links operations target tasks".split(" "));

const blockTags = new Set(["dl", "dt", "li", "ol", "pre", "table", "tr", "ul"]);

/**
 * Takes a page apart into its sections, and finds the names in it, of fields and schemas. A section has the titles of the
 * headings around it and its own, the id of that, which is empty for the page's title, and blocks: paragraphs, fields, rows
 * and code, each on one line.
 */
export function readSections(tree: TreeNode) {
  const sections: { titles: readonly string[]; id: string; blocks: string[] }[] = [];
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
    const id = level === "1" ? "" : node.getAttribute("id");
    // Samples, which have labels, repeat what the reference says.
    if (repeated.has(className) || localName === "figcaption" || node.getAttribute("aria-label") !== null) return;
    if (level !== undefined && id !== null) {
      endBlock();
      titles.splice(Number(level) - 1, Infinity, plainText(node.textContent).split(" · ")[0] ?? "");
      sections.push({ titles: titles.filter(Boolean), id, blocks: [] });
      return;
    }
    const isSchema = node.getAttribute("href")?.includes("/schemas/") === true;
    if (isSchema || (localName === "code" && className === "name")) names.add(node.textContent);
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
