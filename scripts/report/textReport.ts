import { escapeControls, uncapitalize } from "../values/text.ts";
import { wrapText, type Emphasis, type TextStyle } from "../values/textStyle.ts";
import { phraseText, plainText } from "./phrase.ts";
import {
  commandBelow,
  reportedPlace,
  sameElsewhere,
  type CommandReport,
  type ReportedFinding,
  type ReportGroup,
  type ReportSection,
} from "./report.ts";

/** Writes a report for a terminal, in blocks with an empty line between them. */
export function textReport({ causes, sections, next, notes = [], verdict }: CommandReport, style: TextStyle): string {
  const { title = "", texts = [] } = causes ?? {};
  const reasons = texts.flatMap((text) => wrapParagraph(text, style, "  "));
  const end = notes.flatMap((note) => wrapParagraph(note, style));
  if (verdict !== undefined) {
    const { outcome, rest, emphasis } = verdict;
    end.push(...paintStart(wrapParagraph(outcome + rest, style), outcome, emphasis, style));
  }
  const blocks = [
    reasons.length === 0 ? [] : [title, ...reasons],
    ...sections.flatMap((section) => sectionBlocks(section, style)),
    next === undefined ? [] : [next],
    end,
  ];
  return blocks.flatMap((lines) => (lines.length === 0 ? [] : [lines.join("\n")])).join("\n\n");
}

/** A text as the lines of a paragraph, which nothing in it controls. The arguments are those of {@link wrapText}. */
export function wrapParagraph(text: string, style: TextStyle, first = "", others = `${first}  `): readonly string[] {
  return wrapText(escapeControls(text), style, first, others);
}

/** Paints the beginning of the first line, or as much of it as is there. */
function paintStart([first = "", ...others]: readonly string[], start: string, emphasis: Emphasis, style: TextStyle) {
  return [style.paint(emphasis, first.slice(0, start.length)) + first.slice(start.length), ...others];
}

function sectionBlocks({ title, emphasis = "bold", layout, groups }: ReportSection, style: TextStyle) {
  const indentation = title === undefined ? "" : "  ";
  const blocks = groups.map((group) => groupLines(group, layout, indentation, style));
  return title === undefined ? blocks : [[style.paint(emphasis, title)], ...blocks];
}

function groupLines(group: ReportGroup, layout: ReportSection["layout"], indentation: string, style: TextStyle) {
  const { kind, title, label = "", names = [], isBrief = false, findings } = group;
  const inner = title === undefined ? indentation : "    ";
  const start = kind === undefined ? indentation : `${kind.name}  `;
  const head = title === undefined ? [] : wrapParagraph(plainText(title), style, start, `${indentation}  `);
  const width = Math.max(...findings.map(({ place }) => String(place.line ?? "").length));
  return [
    ...(kind === undefined ? head : paintStart(head, kind.name, kind.emphasis, style)),
    ...(isBrief ? [] : names.flatMap((name) => wrapParagraph(label + name, style, inner))),
    ...findings.flatMap((one, index) => {
      if (layout === "names") return [];
      if (layout === "places") return placedLines(one, style);
      if (layout === "lines") return numberedLines(one, width, style);
      const command = commandBelow(group, index).map((line) => inner + line);
      const end = command.length === 0 || index === findings.length - 1 ? [] : [""];
      return [...explainedLines(one, layout === "table", inner, style), ...command, ...end];
    }),
  ];
}

/** A finding below its place, as compilers write it. */
function placedLines(finding: ReportedFinding, style: TextStyle): readonly string[] {
  const { place, severity, title, sentence, advice = [], frame = "", others = [], consequences = [] } = finding;
  const kind = severity === "error" ? style.paint("red", "error") : style.paint("yellow", "warning");
  const pathOf = (one: typeof place) => style.paint("cyan", reportedPlace(one));
  const lines = [`${pathOf(place)}: ${kind} (${title})`];
  for (const text of [phraseText(sentence), ...advice.map((one) => one.text)])
    lines.push(...wrapParagraph(text, style, "  ", "  "));
  if (frame !== "") lines.push("", ...frameLines(frame, style));
  if (others.length > 0) lines.push("", `  ${sameElsewhere(others)}:`, ...others.map((one) => `  ${pathOf(one)}`));
  const consequent = consequences.flatMap((text) => wrapParagraph(text, style, "  "));
  if (consequent.length > 0)
    lines.push("", "  Possible consequences:", ...consequent.map((line) => style.paint("dim", line)));
  return lines;
}

/** The surrounding lines. Those that don't fit are cut, unless that would cut the marked part. */
function frameLines(frame: string, { columns, paint }: TextStyle): readonly string[] {
  return frame.split("\n").map((line) => {
    const text = `  ${escapeControls(line)}`;
    // Other lines begin with their number.
    if (line.trimStart().startsWith("|")) return paint("red", text.slice(0, Math.max(columns, text.indexOf("^") + 1)));
    return text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
  });
}

/** A finding with everything that is known about it. `isStrong`: its sentence is a title. */
function explainedLines(finding: ReportedFinding, isStrong: boolean, indentation: string, style: TextStyle) {
  const { generation, sentence, operations = [], place, advice = [], proposal } = finding;
  const text = phraseText(sentence);
  const title = wrapParagraph(generation === undefined ? text : `${generation} ${text}`, style, indentation);
  const details = [
    ...(operations.length === 0 ? [] : [`operations: ${operations.join(", ")}`]),
    `${place.file === undefined || isStrong ? "place" : "source"}: ${reportedPlace(place)}`,
    ...advice.map(({ audience = "", text: what }) => `${uncapitalize(audience)}: ${what}`),
    ...(proposal === undefined ? [] : [`write ${proposal.where}:`]),
  ];
  return [
    ...(isStrong ? title.map((line) => style.paint("bold", line)) : title),
    ...details.flatMap((one) => wrapParagraph(one, style, `${indentation}  `)),
    ...(proposal?.lines ?? []).map((line) => `${indentation}    ${line}`),
  ];
}

/** A finding on a line, after the number of its line. `width`: that of the number. */
function numberedLines({ place, sentence }: ReportedFinding, width: number, style: TextStyle): readonly string[] {
  const number = String(place.line ?? "").padStart(width);
  const start = `    ${number}${width === 0 ? "" : "  "}`;
  const lines = wrapParagraph(phraseText(sentence), style, start, " ".repeat(start.length));
  return paintStart(lines, `    ${number}`, "cyan", style);
}
