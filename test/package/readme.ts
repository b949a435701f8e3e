/** A code block in a Markdown text. */
export interface CodeBlock {
  /** As it is written behind the fence: `ts`. */
  readonly language: string;
  readonly code: string;
  /** What its comments say that it prints: one behind `console.log(…);` or, in Python, `print(…)`. */
  readonly prints: readonly string[];
}

/** The fenced code blocks of a Markdown text. */
export function readBlocks(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", code = ""]) => ({
    language,
    code,
    prints: [...code.matchAll(/(?:console\.log\(.*\); \/\/|^print\(.*\) {2}#) (.*)$/gm)].map(([, line = ""]) => line),
  }));
}
