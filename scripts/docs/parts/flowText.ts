import { onOneLine } from "../../values/text.ts";
import type { Flow, FlowNode, MarkTag } from "./pageNodes.ts";

/** The text of a flow on one line, without the parts that the search leaves out. */
export function flowText(flow: Flow): string {
  return onOneLine(flow.map(nodeText).join("")).trim();
}

const signs: Partial<Readonly<Record<MarkTag, string>>> = { sup: "^", sub: "_" };

/** The text of a mark where there is only text: `2^53` for `2<sup>53</sup>`, which without a sign would be another number. */
export function raised(tag: MarkTag, text: string): string {
  const sign = signs[tag];
  const words = text.trim();
  if (sign === undefined || words === "") return text;
  return text.replace(words, () => sign + (/\s/.test(words) ? `(${words})` : words));
}

function nodeText(node: FlowNode): string {
  if (typeof node === "string") return node;
  switch (node.kind) {
    case "code":
    case "name":
      return node.text;
    case "screen":
      return node.text ?? "";
    case "method":
      return node.method.toUpperCase();
    case "endpoint":
      return `${node.method.toUpperCase()} ${node.path}`;
    case "mark":
      return raised(node.tag, node.children.map(nodeText).join(""));
    case "link":
    case "span":
      return node.children.map(nodeText).join("");
    case "break":
      return " ";
    case "paragraph":
    case "folded":
      return node.isRepeated === true ? "" : ` ${flowText(node.children)} `;
    case "list":
      return node.isRepeated === true ? "" : node.items.map(({ children }) => ` ${flowText(children)} `).join("");
    default:
      return "children" in node ? ` ${flowText(node.children)} ` : " ";
  }
}
