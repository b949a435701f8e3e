/** A heading of a Markdown text, with what is below it until the next heading of any level. */
export interface MarkdownSection {
  readonly level: number;
  readonly title: string;
  /** With its heading. */
  readonly lines: readonly string[];
}

/** Divides a Markdown text at its headings. What is before the first one is left out. */
export function splitSections(markdown: string): readonly MarkdownSection[] {
  const sections: { level: number; title: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.trimStart().startsWith("```")) isCode = !isCode;
    // A comment in code may look like a heading.
    const [marks = ""] = (!isCode && /^#+(?= )/.exec(line)) || [];
    if (marks !== "") sections.push({ level: marks.length, title: line.slice(marks.length + 1), lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** The section of a Markdown text that `isMeant` finds, with its subsections. Without any, the whole text. */
export function linesBelow(markdown: string, isMeant: (title: string) => boolean): string {
  const sections = splitSections(markdown);
  const start = sections.findIndex(({ title }) => isMeant(title));
  const { level = 0 } = sections[start] ?? {};
  const end = sections.findIndex((section, at) => at > start && section.level <= level);
  const own = sections.slice(start, end === -1 ? undefined : end);
  return start === -1 ? markdown : own.flatMap(({ lines }) => lines).join("\n");
}
