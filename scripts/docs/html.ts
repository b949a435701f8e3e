/** Text that is HTML already. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | undefined | Html | readonly Value[];

/** A piece of HTML: in the template, text is escaped, HTML and lists of it are not, and `undefined` is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: String.raw({ raw: strings }, ...values.map(markupOf)) };
}

/** Text that is HTML already, which is not escaped. */
export function trusted(markup: string): Html {
  return { markup };
}

function markupOf(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return "markup" in value ? value.markup : value.map(markupOf).join("");
}

const entities = new Map(Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }));

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities.get(character) ?? character);
}
