import { Marked } from "marked";
import sanitizeHtml from "sanitize-html";
import { recall, slugOf } from "../../contract/text.ts";
import { percentDecode } from "../../spec/percentEncoding.ts";
import { codeBlock, copyButton } from "./highlight.ts";
import { trusted, type Html } from "./html.ts";

/**
 * HTML that descriptions may contain, as Markdown allows: nothing that styles, redirects, frames, submits or runs. What
 * else there is loses its tags, and keeps its text.
 */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...["p", "br", "hr", "blockquote", "pre", "code", "ul", "ol", "li", "dl", "dt", "dd", "details", "summary"],
    ...["h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "a", "img", "input"],
    ...["em", "strong", "b", "i", "s", "del", "ins", "u", "sub", "sup", "kbd", "samp", "var", "mark", "small", "abbr"],
    "span",
  ],
  allowedAttributes: {
    a: ["href", "title"],
    // What is wide scrolls, which must be possible by keyboard.
    pre: ["tabindex"],
    table: ["tabindex"],
    th: ["align"],
    td: ["align"],
    abbr: ["title"],
    ol: ["start"],
  },
  // The language of code, and its colours.
  allowedClasses: { code: ["language-*"], span: ["code-*"] },
  allowedSchemes: ["http", "https", "mailto"],
  // A picture would be a request to another host: its text leads there instead.
  transformTags: {
    img: (_, { src = "", alt = "" }) => ({ tagName: "a", attribs: { href: src }, text: alt === "" ? src : alt }),
    table: () => ({ tagName: "table", attribs: { tabindex: "0" } }),
    // Task lists have checkboxes that nobody can check.
    input: (_, { checked }) => ({ tagName: "span", attribs: {}, text: checked === undefined ? "☐" : "☑" }),
  },
};

/**
 * A description in CommonMark (OpenAPI 3.1.1, section 4.3) as HTML. Its headings become those of a section whose own
 * heading has the given level: the highest of them is one level below. If that is the page's, headings have ids.
 */
export function renderDescription(markdown: string, level = 2): Html {
  return recall(rendered, `${String(level)} ${markdown}`, () => {
    const markup = sanitizeHtml(parserFor(markdown, level).parse(markdown, { async: false }), allowed);
    const withCopies = markup.replaceAll(
      /<pre\b[^]*?<\/pre>/g,
      (block) => `<figure class="panel code">${block}${copyButton}</figure>`,
    );
    return trusted(level === 1 ? withHeadingIds(withCopies) : withCopies);
  });
}

/** Gives headings ids that no other part of a page has, and leads the fragments that name them there. */
function withHeadingIds(markup: string): string {
  const taken = new Set<string>();
  const withIds = markup.replaceAll(/<(h\d)>(.*?)<\/\1>/gs, (heading, tag: string, content: string) => {
    const anchor = headingAnchor(content.replaceAll(/<[^>]*>|&\w+;/g, " "));
    if (taken.has(anchor)) return heading;
    taken.add(anchor);
    return `<${tag} id="${anchor}">${content}</${tag}>`;
  });
  return withIds.replaceAll(/(?<=<a href="#)[^"]*/g, (fragment) => {
    const anchor = headingAnchor(percentDecode(fragment) ?? "");
    return taken.has(anchor) ? anchor : fragment;
  });
}

function headingAnchor(heading: string): string {
  return `section/${slugOf(heading)}`;
}

/** Many descriptions are repeated wherever a component is used. */
const rendered = new Map<string, Html>();

function parserFor(markdown: string, level: number): Marked {
  const levels = [...markdown.matchAll(/^(#{1,6})\s/gm)].map(([, marks = ""]) => marks.length);
  const shift = level + 1 - Math.min(...levels);
  return new Marked({
    walkTokens: (token) => {
      if (token.type === "heading") token["depth"] = Math.min(6, Math.max(2, Number(token["depth"]) + shift));
    },
    renderer: { code: ({ text, lang = "" }) => codeBlock(text, lang.split(" ")[0] ?? "").toString() },
  });
}
