import { html as template, raw } from "hono/html";

export type Html = ReturnType<typeof raw>;

type Value = string | number | false | undefined | Html | readonly Value[];

/** A piece of HTML. The template escapes text, but not HTML or lists of it. `undefined` and `false` are empty. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const result = template(strings, ...values);
  // The type excludes promises. Only a promise among the values makes the result one.
  if (result instanceof Promise) throw new Error("a template cannot wait");
  return result;
}

/** Text that is HTML already, so it isn't escaped. */
export function trusted(markup: string): Html {
  return raw(markup);
}

/** Text that may wrap at its spaces and where a pattern matches. */
export function breakAt(text: string, places: RegExp): Html {
  return html`${text.split(places).map((part, index) => (index === 0 ? part : html`<wbr />${part}`))}`;
}

/** A name that may wrap at its slashes and dots and between its words: `Booking.eventTypeId`. */
export function nameText(name: string): Html {
  return breakAt(name, /(?<=.)(?=\/)|(?<=[a-z\d.])(?=[A-Z])/);
}

/** A list of the items that exist, with an optional class. Empty if there are none. */
export function htmlList(items: readonly (string | Html | undefined)[], kind?: string): Html | undefined {
  const shown = items.filter((item) => item !== undefined);
  if (shown.length === 0) return undefined;
  return html`<ul${kind && html` class="${kind}"`}>${shown.map((item) => html`<li>${item}</li> `)}</ul>`;
}

/** Returns whether a link to an address opens a page or writes a mail. Other schemes, such as `javascript:`, could run something. */
export function isOpenable(address: string): boolean {
  return ["http:", "https:", "mailto:"].includes(URL.parse(address)?.protocol ?? "");
}
