import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import { html, trusted, type Html } from "./html.ts";

const languages = { bash, javascript, json, python, typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(["sh", "shell", "curl"], { languageName: "bash" });
hljs.registerAliases(["ts"], { languageName: "typescript" });
hljs.registerAliases(["js"], { languageName: "javascript" });
hljs.registerAliases(["py"], { languageName: "python" });

/** Colours help to find one's way on a screen or two; for more, they make pages several times as large. */
const maximumLength = 20_000;

/** A block of code that can be scrolled by keyboard, with its parts marked for the stylesheet if its language is known. */
export function codeBlock(source: string, language: string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${highlight(source, language)}</code></pre>`;
}

function highlight(source: string, language: string): Html | string {
  if (source.length > maximumLength) return source;
  if (hljs.getLanguage(language) === undefined) return source;
  return trusted(hljs.highlight(source, { language, ignoreIllegals: true }).value);
}
