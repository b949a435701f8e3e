import { listedViolations } from "../../../exchange/refusal.ts";
import { countOf } from "../../../values/text.ts";
import { button, element, hint, type Child } from "../elements.ts";
import { bodyRemarks } from "./bodyRemarks.ts";
import { jsonBlock } from "./jsonLines.ts";
import { codeBlock, members, span } from "./pageParts.ts";
import { requestActions, type ActionSurroundings } from "./requestActions.ts";
import { hasBody } from "./requestCopies.ts";
import {
  countViolations,
  hasLeft,
  isViolation,
  listViolations,
  type Finding,
  type RequestEntry,
} from "./requestFacts.ts";
import { durationText, statusMark } from "./requestMarks.ts";

/** What requests need to know of the page. */
export interface Surroundings extends ActionSurroundings {
  readonly isForAll: boolean;
  /** Returns whether the rule is there. */
  readonly showRule: (kind: string, id: string) => boolean;
}

export function describeRequest(entry: RequestEntry, surroundings: Surroundings): readonly Child[] {
  const { exception } = entry;
  return [
    requestActions(entry, surroundings),
    ...remarksOn(entry),
    exception !== undefined && codeBlock(exception),
    element("div", { class: "exchange" }, requestPart(entry, surroundings), responsePart(entry, surroundings)),
  ];
}

function remarksOn(entry: RequestEntry): readonly Child[] {
  const { violations, reason, note, findings = [] } = entry;
  const doubts = findings.filter((one) => !isViolation(one));
  // The list has the reason, too.
  const cause = violations === undefined ? reason && element("p", { class: "reason" }, reason) : violationList(entry);
  return [cause, doubts.length > 0 && doubtList(doubts), note && element("p", { class: "note" }, note)];
}

function violationList(entry: RequestEntry): HTMLElement {
  const all = listViolations(entry);
  const count = countViolations(entry);
  // Only a proxy finds some in responses.
  const isMixed = new Set(all.map(({ direction }) => direction)).size > 1;
  const where = !isMixed && all[0]?.direction === "response" ? " in the response" : "";
  const texts = all.map(({ direction, message }) => (isMixed ? `${direction}: ${message}` : message));
  const least = count < listedViolations ? "" : "At least ";
  return textList("violations", `${least}${countOf(count, "violation")} of the contract${where}`, texts);
}

function doubtList(doubts: readonly Finding[]): HTMLElement {
  const title = "The contract doesn't specify which properties of the response are always present";
  const texts = doubts.map(({ pointer = "", lacks = [] }) => {
    const place = pointer === "" ? "The body" : `${pointer} in the body`;
    return `${place} lacks ${lacks.join(", ")}`;
  });
  return textList("violations open", title, texts);
}

function textList(className: string, title: string, texts: readonly string[]): HTMLElement {
  const items = texts.map((text) => element("li", {}, text));
  return element("div", { class: className }, element("p", {}, title), element("ul", {}, ...items));
}

function requestPart(entry: RequestEntry, { isForAll }: Surroundings): HTMLElement {
  const { method, target, path = {}, query = {}, headers, time } = entry;
  const received = new Date(time).toLocaleString();
  const session = isForAll ? sessionLink(entry, entry.session ?? "(none)") : entry.session;
  return element(
    "section",
    {},
    element("h3", {}, "Request"),
    element("code", { class: "line-of-request" }, `${method} ${target}`),
    requestBody(entry),
    members({ ...path, ...query, session, received }),
    headers && headerList(headers),
  );
}

function requestBody(entry: RequestEntry): HTMLElement {
  const { headers, body } = entry;
  if (body !== undefined) return jsonBlock(body, bodyRemarks("request", entry));
  if (headers === undefined) return hint("Its headers and body aren't kept.");
  return hint(hasBody(entry) ? "Its body isn't kept: it wasn't read, or isn't valid JSON." : "It has no body.");
}

function headerList(headers: Readonly<Record<string, string>>): HTMLElement {
  const summary = element("summary", {}, `Headers ${Object.keys(headers).length}`);
  return element("details", { class: "headers" }, summary, members(headers));
}

function responsePart(entry: RequestEntry, surroundings: Surroundings): HTMLElement {
  const { status, milliseconds, responseBody, fault } = entry;
  const broken = deliveries[fault?.delivery ?? (hasLeft(entry) ? "left" : "")];
  return element(
    "section",
    {},
    element("h3", {}, "Response ", statusMark(entry), span("took", durationText(milliseconds))),
    broken && hint(`${broken} The mock handled the request as usual, with the status ${status}.`),
    appliedRules(entry, surroundings),
    responseBody === undefined
      ? broken === undefined && hint("Its body is empty, or isn't kept.")
      : jsonBlock(responseBody, bodyRemarks("response", entry)),
  );
}

/** The rules that applied, with links to them. Those of one session are on the page. */
function appliedRules(entry: RequestEntry, { showRule, isForAll }: Surroundings): Child {
  const { override, fault } = entry;
  const rules = Object.entries({ override, fault: fault?.rule }).flatMap(([kind, id]) =>
    id === undefined ? [] : [{ kind, id }],
  );
  const links = rules.map(({ kind, id }) => {
    const name = `${kind} ${id}`;
    if (isForAll) return sessionLink(entry, name, { rule: name });
    const click = () => {
      if (!showRule(kind, id)) shown.replaceWith(`${name} (removed since)`);
    };
    const shown = button(name, { click });
    return shown;
  });
  const title = `Rule${links.length > 1 ? "s" : ""} applied: `;
  return links.length > 0 && element("p", { class: "applied" }, title, ...links);
}

/** A link to this page with the session of a request, and with one of its rules open. */
function sessionLink({ session }: RequestEntry, text: string, rule: { readonly rule?: string } = {}): HTMLElement {
  const query = new URLSearchParams({ ...(session !== undefined && { session }), ...rule });
  return element("a", { href: `?${query}` }, text);
}

const deliveries: Readonly<Record<string, string>> = {
  reset: "The connection was reset, so the client got no response.",
  truncated: "The connection was closed halfway through the response.",
  left: "The client left before the response.",
  none: "The client got no response, and the connection stayed open.",
};
