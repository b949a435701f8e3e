import { html as template, raw } from "hono/html";

/** Text that is HTML already. */
export type Html = ReturnType<typeof raw>;

type Value = string | number | undefined | Html | readonly Value[];

/** A piece of HTML: in the template, text is escaped, HTML and lists of it are not, and `undefined` is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const result = template(strings, ...values);
  // Only a promise among the values, which their type excludes, makes the result one.
  if (result instanceof Promise) throw new Error("a template cannot wait");
  return result;
}

/** Text that is HTML already, which is not escaped. */
export function trusted(markup: string): Html {
  return raw(markup);
}

/** Pieces with text between them. */
export function joined(pieces: readonly Html[], separator: string | Html): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : html`${separator}${piece}`))}`;
}

/** Keeps apart in the text of a page what stands apart without a sign for those who see it. */
export const hiddenDot = trusted(' <span class="hidden">·</span> ');

/** Text as it is written in an element. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The text that the HTML of this site's templates and descriptions stands for: no other references are in it. */
export function unescapeText(markup: string): string {
  if (!markup.includes("&")) return markup;
  const quoted = markup.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
  return quoted.replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Marks an element as being for who sees the page: its Markdown goes without. */
export const screenOnly = "data-screen-only";
