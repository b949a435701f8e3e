/** A program in a README, and what its comments say that it prints. */
export interface Program {
  readonly code: string;
  readonly prints: readonly string[];
}

/** The TypeScript blocks of a section (`## …`) of a README, and of the sections below it. */
export function readPrograms(markdown: string, section: string): readonly Program[] {
  const text = markdown.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => ({
    code,
    // A comment behind `console.log(…);` is what that prints.
    prints: [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line = ""]) => line),
  }));
}
