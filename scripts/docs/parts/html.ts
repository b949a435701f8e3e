import { html as template, raw } from "hono/html";

export type Html = ReturnType<typeof raw>;

type Value = string | number | false | undefined | Html | readonly Value[];

/** A piece of HTML: in the template, text is escaped, HTML and lists of it are not, and `undefined` and `false` are nothing. */
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

/** Pieces with text between them, such as {@link hiddenDot}. */
export function joined(pieces: readonly (Html | string | undefined)[], separator: string | Html): Html {
  const shown = pieces.filter((piece) => piece !== undefined);
  return html`${shown.map((piece, index) => (index === 0 ? piece : html`${separator}${piece}`))}`;
}

/** Text that may be broken into lines at the places that a pattern matches, besides its spaces. */
export function breakAt(text: string, places: RegExp): Html {
  return joined(text.split(places), html`<wbr />`);
}

/** A name that may be broken at its slashes and dots and between its words: `Booking.eventTypeId`. */
export function nameText(name: string): Html {
  return breakAt(name, /(?<=.)(?=\/)|(?<=[a-z\d.])(?=[A-Z])/);
}

/** Stands before the path of a link within the site until the page is rendered, which knows how it leads to the root. */
export const rootMark = "\u0001";

/** Keeps apart in the text of a page what stands apart without a sign for those who see it. */
export const hiddenDot = trusted(' <span class="hidden">·</span> ');

/** The text that the HTML of this site's templates and descriptions stands for: no other references are in it. */
export function unescapeText(markup: string): string {
  if (!markup.includes("&")) return markup;
  const quoted = markup.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
  return quoted.replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Marks an element as being for who sees the page: its Markdown goes without. */
export const screenOnly = "data-screen-only";
