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

/** Text that may be broken into lines at the places that a pattern matches, besides its spaces. */
export function breakAt(text: string, places: RegExp): Html {
  return html`${text.split(places).map((part, index) => (index === 0 ? part : html`<wbr />${part}`))}`;
}

/** A name that may be broken at its slashes and dots and between its words: `Booking.eventTypeId`. */
export function nameText(name: string): Html {
  return breakAt(name, /(?<=.)(?=\/)|(?<=[a-z\d.])(?=[A-Z])/);
}

/** Stands before the path of a link within the site until the page is rendered, which knows how it leads to the root. */
export const rootMark = "\u0001";

/** A list of the items that there are, of a kind that the stylesheet may know; nothing if there are none. */
export function htmlList(items: readonly (string | Html | undefined)[], kind?: string): Html | undefined {
  const shown = items.filter((item) => item !== undefined);
  if (shown.length === 0) return undefined;
  return html`<ul${kind && html` class="${kind}"`}>${shown.map((item) => html`<li>${item}</li> `)}</ul>`;
}

/** Marks an element that is for who sees the page. Its Markdown goes without, and who compares the two has to know. */
export const screenOnly = "data-screen-only";
