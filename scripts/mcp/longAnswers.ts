import { UserError } from "../contract/failures.ts";

/** In characters: some 5,000 tokens. */
const longest = 20_000;

/** Of so many answers, the rest is kept. */
const mostKept = 20;

const namePrefix = "rest/";

/** Cuts long answers, and keeps the rest of each for a while: an agent reads it by the name that the answer ends with. */
export function createCutter() {
  const kept = new Map<string, string>();
  let count = 0;
  const cut = (text: string): string => {
    if (text.length <= longest) return text;
    const start = text.slice(0, longest);
    const end = Math.max(start.lastIndexOf("\n"), longest / 2);
    count += 1;
    const name = namePrefix + count;
    kept.set(name, text.slice(end));
    kept.delete(namePrefix + (count - mostKept));
    const told = `[Cut after ${end} of ${text.length} characters. To get the rest, call read_docs with page "${name}".]`;
    return `${text.slice(0, end)}\n\n${told}`;
  };
  return {
    cut,
    /** The rest that has a name; `undefined` for the name of a page. Throws {@link UserError} if it isn't kept any more. */
    rest: (name: string): string | undefined => {
      if (!name.startsWith(namePrefix)) return undefined;
      const text = kept.get(name);
      if (text !== undefined) return text;
      throw new UserError(`There is no ${name}: the rest of the last ${mostKept} long answers is kept.`);
    },
  };
}
