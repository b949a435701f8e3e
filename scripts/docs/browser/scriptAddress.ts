// Browsers tell it only while the script first runs.
const { currentScript } = document;
const base = currentScript instanceof HTMLScriptElement ? currentScript.src : location.href;

/** The address of a file, given relative to this script. */
export function addressBeside(path: string): string {
  return new URL(path, base).href;
}
