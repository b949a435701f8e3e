import { attributeOf, innerText, type TreeElement, type TreeNode } from "./elementTree.ts";

/** Links to what has pages of its own, and the lines of those pages that their data has too, by the class of the element. */
const repeated = new Set("columns comparison crumbs endpoint facts languages links operations target tasks".split(" "));

const blockTags = new Set(["dl", "dt", "li", "ol", "pre", "table", "tr", "ul"]);

/**
 * Takes a page apart into its sections, and finds the names in it, of fields with their ids, and of schemas. A section has
 * the titles of the headings around it and its own, the id of that, which is empty for the page's title, and blocks:
 * paragraphs, fields, rows and code, each on one line.
 */
export function readSections(tree: TreeElement) {
  const sections: { titles: readonly string[]; id: string; blocks: string[] }[] = [];
  const titles: string[] = [];
  const names = new Map<string, string>();
  let text = "";
  const endBlock = () => {
    const line = plainText(text);
    if (line !== "") sections.at(-1)?.blocks.push(line);
    text = "";
  };
  const visit = (node: TreeNode, item?: string) => {
    if (typeof node === "string") {
      text += node;
      return;
    }
    const { name, children } = node;
    const className = attributeOf(node, "class") ?? "";
    const [, level] = /^h(\d)$/.exec(name) ?? [];
    const id = level === "1" ? "" : attributeOf(node, "id");
    // Samples, which have labels, repeat what the reference says.
    if (repeated.has(className) || name === "figcaption" || attributeOf(node, "aria-label") !== undefined) return;
    if (level !== undefined && id !== undefined) {
      endBlock();
      titles.splice(Number(level) - 1, Infinity, plainText(innerText(node)).split(" · ")[0] ?? "");
      sections.push({ titles: titles.filter(Boolean), id, blocks: [] });
      return;
    }
    const isSchema = attributeOf(node, "href")?.includes("/schemas/") === true;
    const isName = isSchema || (name === "code" && className === "name");
    if (isName && !names.has(innerText(node))) names.set(innerText(node), isSchema ? "" : (item ?? ""));
    // In an item of a list, paragraphs are on one line.
    const isBlock = blockTags.has(name) || level !== undefined || (item === undefined && /^(?:div|p)$/.test(name));
    if (isBlock) endBlock();
    for (const child of children) visit(child, name === "li" ? (id ?? "") : item);
    if (isBlock) endBlock();
    else if (/^(?:br|dd|div|p|td|th)$/.test(name)) text += " ";
  };
  visit(tree);
  endBlock();
  return { sections, names: [...names].filter(([name]) => /^[^[<]*[\p{L}\p{N}]/u.test(name)) };
}

function plainText(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
