// @ts-check
/* Small helpers. Everything becomes text rather than markup, since requests may contain anything. */

/** What an element can have in it. Absent parts are left out. @typedef {Node | string | false | undefined} Child */

/**
 * @param {string} tag
 * @param {string} className
 * @param {readonly Child[]} children
 */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/**
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {string} selector
 * @returns {Type}
 */
export function find(selector) {
  /** @type {Type | null} */
  const found = document.querySelector(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}

/**
 * @param {string} text
 * @param {() => void} act
 */
export function button(text, act) {
  const made = element("button", "", text);
  made.setAttribute("type", "button");
  made.addEventListener("click", act);
  return made;
}

/**
 * @param {string} text
 * @param {string} href
 */
export function link(text, href) {
  const made = element("a", "", text);
  made.setAttribute("href", href);
  return made;
}

/**
 * A row that opens to its details, which are created when they are first shown.
 *
 * @param {string} kind
 * @param {readonly Child[]} summary
 * @param {() => readonly Child[]} describe
 */
export function expandable(kind, summary, describe) {
  const details = element("details", kind, element("summary", "", ...summary));
  const fill = () => {
    details.append(element("div", "about", ...describe()));
  };
  details.addEventListener("toggle", fill, { once: true });
  return element("li", "", details);
}

/**
 * Names and values, which can be elements. Absent values are left out.
 *
 * @param {Readonly<Record<string, unknown>>} values
 */
export function members(values) {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  if (present.length === 0) return undefined;
  const list = element("dl", "");
  for (const [name, value] of present) {
    const shown = typeof value === "string" || value instanceof Node ? value : JSON.stringify(value);
    list.append(element("dt", "", name), element("dd", "", shown));
  }
  return list;
}

/** @param {readonly (Node | string)[]} children */
export function code(...children) {
  const block = element("pre", "", ...children);
  block.tabIndex = 0;
  return block;
}

/**
 * The beginning of some values, in a line.
 *
 * @param {Readonly<Record<string, unknown>>} values
 */
export function preview(values) {
  const texts = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return texts.join(", ").slice(0, 300);
}

/**
 * @param {number} count
 * @param {string} what
 */
export function countOf(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
