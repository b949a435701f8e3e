import { listedViolations } from "../../../exchange/refusal.ts";
import { capitalize, countOf } from "../../../values/text.ts";
import { element } from "../elements.ts";
import { expandable, span } from "./pageParts.ts";
import { durationText, statusMark } from "./requestMarks.ts";
import { describeRequest, type Surroundings } from "./requestDetails.ts";
import { countViolations, isViolation, type RequestEntry } from "./requestFacts.ts";

/** A row has the operation in a column of its own, and below it what there is to say about the request. */
export function requestRow(entry: RequestEntry, surroundings: Surroundings): HTMLElement {
  const { time, method, target, operation = "", milliseconds } = entry;
  const remarks = remarksOn(entry, surroundings).flatMap((remark, index) => (index === 0 ? [remark] : [" · ", remark]));
  const summary = [
    span(`method ${method.toLowerCase()}`, method),
    statusMark(entry),
    targetText(target),
    span("about", span("operation", operation), span("remark", ...remarks)),
    span("took", durationText(milliseconds)),
    element("time", { class: "time" }, new Date(time).toTimeString().slice(0, 8)),
  ];
  return expandable("request", summary, () => describeRequest(entry, surroundings));
}

function targetText(target: string): HTMLElement {
  const at = target.indexOf("?");
  const end = at < 0 ? target.length : at;
  return element("code", { class: "target" }, target.slice(0, end), span("query", target.slice(end)));
}

/** What went wrong with a request, and notes. */
function remarksOn(entry: RequestEntry, { isForAll }: Surroundings): readonly Node[] {
  const { session, reason = "", refusal, note = "", override, fault, findings = [] } = entry;
  const count = countViolations(entry);
  const cause = refusal?.text ?? (fault?.rule === undefined ? reason : "");
  const first = findings.find(isViolation);
  const violation = first && `${first.direction === "request" ? "" : "response: "}${first.message}`;
  const all = [
    { kind: "session", text: isForAll ? session && `session ${session}` : undefined },
    {
      kind: "wrong",
      text: count > 0 ? countOf(count < listedViolations ? count : `${count}+`, "violation") : undefined,
    },
    { kind: "wrong", text: cause || violation },
    { kind: "note", text: override && `override ${override}` },
    { kind: "note", text: fault && `fault ${fault.rule ?? ""}` },
    // The name of the override says it.
    { kind: "note", text: override === undefined ? capitalize(note) : undefined },
  ];
  return all.flatMap(({ kind, text = "" }) => (text === "" ? [] : span(kind, text.trim())));
}
