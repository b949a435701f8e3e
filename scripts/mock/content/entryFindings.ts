import type { RequestEntry } from "../mockTypes.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";

/** A violation or a doubt in the entry of a request. Its texts are safe to show: they contain no secrets. */
export type EntryFinding = NonNullable<RequestEntry["findings"]>[number];

/** The violations in a request as findings. */
export function requestFindings(violations: readonly FoundViolation[]): readonly EntryFinding[] {
  return violations.map(({ place: _place, ...violation }) => ({
    ...{ kind: "violation", direction: "request" },
    ...violation,
  }));
}

/** The violations among some findings, in words. */
export function violationTexts(findings: readonly EntryFinding[] = []): readonly string[] {
  return findings
    .filter(({ kind }) => kind === "violation")
    .map(({ direction, message }) => `${direction}: ${message}`);
}

/** The doubts among some findings, in words. They are about responses. */
export function doubtTexts(findings: readonly EntryFinding[] = []): readonly string[] {
  return findings.filter(({ kind }) => kind === "doubt").map(({ message }) => message);
}

/** The fields of an entry that have findings: as objects, and in words. */
export function findingFields(
  findings: readonly EntryFinding[] = [],
): Pick<RequestEntry, "doubts" | "findings" | "violations"> {
  const [violations, doubts] = [violationTexts(findings), doubtTexts(findings)];
  return {
    ...(findings.length > 0 && { findings }),
    ...(violations.length > 0 && { violations }),
    ...(doubts.length > 0 && { doubts }),
  };
}
