/** Browsers may be told to store nothing. */
export function storageOf(name: "localStorage" | "sessionStorage"): Storage | undefined {
  try {
    return window[name];
  } catch {
    return undefined;
  }
}
