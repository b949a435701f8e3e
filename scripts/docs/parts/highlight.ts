import { escapeText, html, trusted, type Html } from "./html.ts";

/** Colours help to find one's way on a screen or two; for more, they make pages several times as large. */
const maximumLength = 20_000;

/**
 * The parts of a language that have colours, each by the name of its class. At each place, the first that matches counts.
 * A whole grammar tells more apart than the stylesheet does, and takes longer than all the rest of a page.
 */
type Grammar = Readonly<Record<string, RegExp>>;

const number = /\b(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/;
const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;

const json: Grammar = {
  attr: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/,
  string,
  literal: /\b(?:true|false|null)\b/,
  number,
};

const javascript: Grammar = {
  comment: /\/\/.*|\/\*[^]*?\*\//,
  string: new RegExp(`${string.source}|\`(?:[^\`\\\\]|\\\\[^])*\``),
  attr: /(?<![\w$])[A-Za-z_$][\w$]*(?=\??: )/,
  literal: /\b(?:true|false|null|undefined)\b/,
  keyword:
    /\b(?:as|async|await|break|case|catch|class|const|continue|default|do|else|export|extends|finally|for|from|function|if|import|in|instanceof|interface|let|new|of|return|satisfies|switch|throw|try|type|typeof|using|while)\b/,
  title: /(?<![\w$])[A-Za-z_$][\w$]*(?=\()|\b[A-Z]\w*/,
  property: /(?<=\.)[A-Za-z_$][\w$]*/,
  number,
};

const python: Grammar = {
  comment: /#.*/,
  string: new RegExp(`(?<!\\w)[bfruBFRU]{0,2}(?:"""[^]*?"""|'''[^]*?'''|${string.source})`),
  literal: /\b(?:True|False|None)\b/,
  keyword:
    /\b(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|not|or|pass|raise|return|try|while|with|yield)\b/,
  built_in: /(?<!\.)\b(?:dict|int|len|list|open|print|range|str)\b(?=\()/,
  title: /(?<=\b(?:class|def) )\w+/,
  number,
};

const bash: Grammar = {
  comment: /(?<=^|\s)#.*/,
  string: /"(?:[^"\\]|\\[^])*"|'[^']*'/,
  keyword: /\b(?:case|do|done|elif|else|esac|fi|for|function|if|in|then|until|while)\b/,
  built_in: /(?<=^|[;|&(]\s*)(?:cd|echo|export|read|set|source|unset)\b/,
};

const languages: readonly (readonly [names: readonly string[], grammar: Grammar])[] = [
  [["json", "jsonc"], json],
  [["javascript", "js", "jsx", "mjs", "typescript", "ts", "tsx"], javascript],
  [["python", "py"], python],
  [["bash", "sh", "shell", "zsh", "curl"], bash],
];

/** Patterns that find the parts of a language, each in a group of its own, by the names that people use for the language. */
const patterns = new Map(
  languages.flatMap(([names, grammar]) => {
    const parts = Object.entries(grammar).map(([name, { source }]) => `(?<${name}>${source})`);
    const pattern = new RegExp(parts.join("|"), "gm");
    return names.map((name) => [name, pattern] as const);
  }),
);

/**
 * A block of code that can be scrolled by keyboard, with its parts marked for the stylesheet if its language is known. With
 * a label, it is a region of its own for screen readers.
 */
export function codeBlock(source: string, language: string, label?: string): Html {
  const region = label === undefined ? undefined : html` role="region" aria-label="${label}"`;
  const name = language === "" ? undefined : html` class="language-${language}"`;
  return html`<pre tabindex="0" ${region}><code${name}>${highlight(source, language)}</code></pre>`;
}

/** Copies the code of the figure that it is in. */
export const copyButton = html`<button type="button" class="copy" data-copy-code>Copy</button>`;

function highlight(source: string, language: string): Html | string {
  const pattern = patterns.get(language.toLowerCase());
  if (pattern === undefined || source.length > maximumLength) return source;
  let markup = "";
  let end = 0;
  for (const { index, 0: text, groups = {} } of source.matchAll(pattern)) {
    const name = Object.keys(groups).find((key) => groups[key] !== undefined);
    markup += `${escapeText(source.slice(end, index))}<span class="code-${String(name)}">${escapeText(text)}</span>`;
    end = index + text.length;
  }
  return trusted(markup + escapeText(source.slice(end)));
}
