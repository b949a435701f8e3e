import { attempt } from "../../contract/failures.ts";

// Browsers may block storage.
const storage = attempt(() => sessionStorage);

/** A text that this tab keeps. Empty if there is none. */
export function readInTab(key: string): string {
  return storage?.getItem(key) ?? "";
}

/** Keeps a text until the tab is closed, or no longer if it is empty. Returns whether the browser's storage takes it. */
export function keepInTab(key: string, text: string): boolean {
  const isKept = attempt(() => {
    if (text === "") storage?.removeItem(key);
    else storage?.setItem(key, text);
    return storage !== undefined;
  });
  return isKept ?? false;
}
