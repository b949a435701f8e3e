// Known only while the script runs for the first time.
const { currentScript } = document;
const base = currentScript instanceof HTMLScriptElement ? currentScript.src : location.href;

/** The address of a file, given relative to the script that runs. */
export function addressBeside(path: string): string {
  return new URL(path, base).href;
}
