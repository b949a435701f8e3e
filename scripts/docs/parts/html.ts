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

/** Marks an element as being for who sees the page: its Markdown goes without. */
export const screenOnly = "data-screen-only";
