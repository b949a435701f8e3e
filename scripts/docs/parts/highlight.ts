import { escapeXml } from "../../values/text.ts";
import { html, trusted, type Html } from "../../values/html.ts";

/** Colors help with a screen or two of code. For more code, they make pages several times as large. */
const maximumLength = 20_000;

const number = /\b(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;

/** Reserved words. Most belong to several languages, and few have another meaning elsewhere. */
const keywords = [
  ..."and as assert async await break case catch class const continue def default del delete do".split(" "),
  ..."done elif else except export extends False false fi finally for from function global if".split(" "),
  ..."import in instanceof interface is lambda let new None not null of or pass raise return".split(" "),
  ..."satisfies switch then throw True true try type typeof undefined using while with yield".split(" "),
];
const keyword = new RegExp(String.raw`(?<![\w$.-])(?:${keywords.join("|")})(?![\w$-])`);

/**
 * Matches the colored parts of a language, each in a separate group: strings, and quiet parts such as
 * comments and property names. A complete grammar would distinguish more than the stylesheet does, and take
 * longer than the rest of a page.
 */
function patternOf(quiet: RegExp, string: RegExp): RegExp {
  const parts = Object.entries({ quiet, string, keyword, number }).map(([kind, { source }]) => `(?<${kind}>${source})`);
  return new RegExp(parts.join("|"), "gm");
}

const languages: readonly (readonly [names: readonly string[], pattern: RegExp])[] = [
  [["json", "jsonc"], patternOf(/"(?:[^"\\\n]|\\.)*"(?=\s*:)/, quoted)],
  [
    ["javascript", "typescript", "mjs", "js", "jsx", "ts", "tsx"],
    patternOf(
      /\/\/.*|\/\*[^]*?\*\/|(?<![\w$])[A-Za-z_$][\w$]*(?=\??: )|(?<=\.)[A-Za-z_$][\w$]*\b(?!\()/,
      new RegExp(`${quoted.source}|\`(?:[^\`\\\\]|\\\\[^])*\``),
    ),
  ],
  [
    ["py", "python"],
    patternOf(/#.*/, new RegExp(`(?<!\\w)[bfruBFRU]{0,2}(?:"""[^]*?"""|'''[^]*?'''|${quoted.source})`)),
  ],
  [["bash", "curl", "shell", "sh", "zsh"], patternOf(/(?<=^|\s)#.*/, /"(?:[^"\\]|\\[^])*"|'[^']*'/)],
];

/**
 * A block of code that can be scrolled by keyboard. If the language is known, its parts are marked for the
 * stylesheet. With a label, it is a region for screen readers. What precedes the character `first` is folded. The
 * stylesheet writes the words of the fold, so that they aren't copied.
 */
export function codeBlock(source: string, language: string, label?: string, first = 0): Html {
  const region = label === undefined ? undefined : html` role="region" aria-label="${label}"`;
  const name = language === "" ? undefined : html` class="language-${language}"`;
  const marked = (part: string) => highlight(part, language, breakable);
  const before = first > 0 && [setupStart, marked(source.slice(0, first)), setupEnd];
  return html`<pre tabindex="0" ${region}><code${name}>${before}${marked(source.slice(first))}</code></pre>`;
}

/** Without whitespace, which would be part of the code */
const setupStart = trusted('<details class="setup"><summary aria-label="Import and client"></summary>');
const setupEnd = trusted("</details>");

/** Copies the code of the surrounding figure. */
export const copyButton = html`<button type="button" class="copy" data-copy-code>Copy</button>`;

/** A URL or a path that may wrap before its parts. Other text stays unchanged. */
function breakable(text: string): string {
  if (!/^["']?(?:https?:\/)?\//.test(text)) return escapeXml(text);
  return text
    .split(/(?<=[\w}])(?=[/?&])/)
    .map(escapeXml)
    .join("<wbr>");
}

/** Code with its parts marked, each written as HTML. */
export function highlight(source: string, language: string, write: (part: string) => string = escapeXml): Html {
  const [, pattern] = languages.find(([names]) => names.includes(language.toLowerCase())) ?? [];
  if (pattern === undefined || source.length > maximumLength) return html`${source}`;
  let markup = "";
  let end = 0;
  for (const { index, 0: text, groups = {} } of source.matchAll(pattern)) {
    const kind = Object.keys(groups).find((key) => groups[key] !== undefined);
    markup += `${escapeXml(source.slice(end, index))}<span class="code-${String(kind)}">${write(text)}</span>`;
    end = index + text.length;
  }
  return trusted(markup + escapeXml(source.slice(end)));
}
