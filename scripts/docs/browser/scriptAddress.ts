// Browsers tell it only while the script first runs.
const { currentScript } = document;
const base = currentScript instanceof HTMLScriptElement ? currentScript.src : location.href;

/** The path of this site, which other sites on its host don't have. */
export const sitePath = new URL("..", base).pathname;

/** The address of a file, given relative to this script. */
export function addressBeside(path: string): string {
  return new URL(path, base).href;
}
