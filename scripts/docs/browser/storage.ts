/** What a reader has chosen, kept for other pages and visits. Storage may be forbidden; then nothing is kept. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(`docs.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`docs.${name}`, value);
  } catch {
    // The choice holds for this page.
  }
}
