import { span } from "./pageParts.ts";
import { hasLeft, isProblem, type RequestEntry } from "./requestFacts.ts";

export function statusMark(entry: RequestEntry): HTMLElement {
  const { status, fault, violations } = entry;
  const broken = fault?.delivery === "truncated" ? "cut" : (fault?.delivery ?? (hasLeft(entry) ? "left" : undefined));
  const isAskedFor = (fault !== undefined || hasLeft(entry)) && violations === undefined;
  const kind = isAskedFor ? "fault" : isProblem(entry) ? "s4" : `s${String(status).charAt(0)}`;
  return span(`status ${kind}`, broken ?? String(status));
}

export function durationText(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1_000).toFixed(0)} s`;
  return milliseconds >= 10 ? `${milliseconds.toFixed(0)} ms` : `${milliseconds.toFixed(1)} ms`;
}
