// @ts-check
import { button, code, countOf, element, expandable, link, members, messageOf } from "./dom.js";
import { jsonBlock } from "./jsonLines.js";
import { curlOf, hasBody, missingPart, overrideLike, sendAgain, whyNotAgain } from "./requestCopies.js";

/** @import { RequestEntry } from "../../mockTypes.ts" */
/**
 * What rows need to know of the page.
 *
 * @typedef {{
 *   readonly hasDocs: boolean,
 *   readonly hasUpstream: boolean,
 *   readonly isForAll: () => boolean,
 *   readonly showRule: (kind: string, id: string) => void,
 *   readonly edit: (title: string, text: string, send?: (text: string) => Promise<unknown>) => void,
 *   readonly addOverride: (rule: string, session: string) => Promise<unknown>,
 * }} Surroundings
 */

/**
 * Whether someone should look at a request: it failed, breaks the contract, or met a fault.
 *
 * @param {RequestEntry} entry
 */
export function isProblem({ status, violations, fault }) {
  return status >= 400 || violations !== undefined || fault !== undefined;
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
export function requestRow(entry, surroundings) {
  const { time, method, target, milliseconds } = entry;
  const shownMethod = element("span", "method", method);
  shownMethod.dataset["method"] = method;
  return expandable(
    "request",
    [
      shownMethod,
      statusMark(entry),
      targetText(target),
      element("span", "remark", ...marks(entry, surroundings), element("span", "text", remarkOn(entry))),
      element("span", "took", durationOf(milliseconds)),
      element("time", "time", new Date(time).toTimeString().slice(0, 8)),
    ],
    () => describe(entry, surroundings),
  );
}

/**
 * The path is cut at its start and the query at its end, where they differ least.
 *
 * @param {string} target
 */
function targetText(target) {
  const at = target.indexOf("?");
  const end = at < 0 ? target.length : at;
  const path = element("bdi", "", target.slice(0, end));
  path.dir = "ltr";
  return element("code", "target", element("span", "path", path), element("span", "query", target.slice(end)));
}

/** @param {RequestEntry} entry */
function remarkOn({ reason, note, override, violations: [violation] = [], operation = "" }) {
  // The mark of the override says it.
  const rest = override === undefined ? note : undefined;
  return [reason ?? violation, rest].filter((text) => text !== undefined).join(" ") || operation;
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function marks({ session, violations = [], override, fault }, { isForAll }) {
  const count = [
    String(violations.length),
    element("span", "unit", violations.length === 1 ? " violation" : " violations"),
  ];
  return [
    ...(session !== undefined && isForAll() ? [element("span", "chip", session)] : []),
    ...(violations.length > 0 ? [element("span", "chip wrong", ...count)] : []),
    ...(override === undefined ? [] : [element("span", "chip", `override ${override}`)]),
    ...(fault === undefined ? [] : [element("span", "chip fault", `fault ${fault.rule ?? ""}`.trim())]),
  ];
}

/** @param {RequestEntry} entry */
function statusMark(entry) {
  const { status, fault } = entry;
  const broken = fault?.delivery === "truncated" ? "cut" : fault?.delivery;
  const shown = element("span", "status", broken ?? String(status));
  shown.dataset["class"] = isProblem(entry) && status < 400 ? "wrong" : `${status}`.slice(0, 1);
  if (fault !== undefined) shown.dataset["class"] = "fault";
  return shown;
}

/** @param {number} milliseconds */
function durationOf(milliseconds) {
  if (milliseconds >= 10_000) return `${(milliseconds / 1_000).toFixed(0)} s`;
  return milliseconds >= 10 ? `${milliseconds.toFixed(0)} ms` : `${milliseconds.toFixed(1)} ms`;
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function describe(entry, surroundings) {
  const { violations = [], reason, note, exception } = entry;
  // Only those of a proxy can be in either.
  const isOfBoth = violations.some((text) => text.startsWith("response: "));
  const texts = violations.map((text) => (isOfBoth ? text : text.replace("request: ", "")));
  const listed = element("ul", "", ...texts.map((text) => element("li", "", text)));
  const count = element("p", "", `${countOf(violations.length, "violation")} of the contract`);
  return [
    actions(entry, surroundings),
    ...(violations.length > 0 ? [element("div", "violations", count, listed)] : []),
    // The list has the reason already.
    ...(reason !== undefined && violations.length === 0 ? [element("p", "reason", reason)] : []),
    ...(note === undefined ? [] : [element("p", "note", note)]),
    ...(exception === undefined ? [] : [code(exception)]),
    element("div", "exchange", requestPart(entry), responsePart(entry, surroundings)),
  ];
}

/** @param {RequestEntry} entry */
function requestPart(entry) {
  const { method, target, path = {}, query = {}, headers, time, session, body } = entry;
  const reason = hasBody(entry) ? "Its body isn't kept: it wasn't read, or isn't valid JSON." : "It has no body.";
  return element(
    "section",
    "",
    element("h3", "", "Request"),
    element("code", "line-of-request", `${method} ${target}`),
    body === undefined
      ? element("p", "hint", headers === undefined ? "The mock keeps no more of it." : reason)
      : jsonBlock(body, remarksOn("request", entry)),
    ...members({ ...path, ...query, session, received: new Date(time).toLocaleString() }),
    ...(headers === undefined ? [] : [headerList(headers)]),
  );
}

/** @param {Readonly<Record<string, string>>} headers */
function headerList(headers) {
  const summary = element("summary", "", `Headers ${Object.keys(headers).length}`);
  return element("details", "headers", summary, ...members(headers));
}

/**
 * What the violations in a request or response say about values of its body, by JSON Pointer.
 *
 * @param {"request" | "response"} side
 * @param {RequestEntry} entry
 */
function remarksOn(side, { pointers = [], violations = [] }) {
  /** @type {Map<string, string>} */
  const remarks = new Map(side === "request" ? pointers.map((pointer) => [pointer, ""]) : []);
  for (const text of violations) {
    const [, pointer, remark = ""] = new RegExp(`^${side}: (/.*?) in the body (.*)`).exec(text) ?? [];
    // The line shows what was received.
    const [rule = ""] = remark.split("; received");
    if (pointer !== undefined) remarks.set(pointer, rule);
  }
  return remarks;
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function responsePart(entry, { showRule, isForAll }) {
  const { status, milliseconds, responseBody, override, fault } = entry;
  const broken = fault?.delivery === undefined ? undefined : deliveries[fault.delivery];
  const rules = [
    ...(override === undefined ? [] : [{ kind: "override", id: override }]),
    ...(fault?.rule === undefined ? [] : [{ kind: "fault", id: fault.rule }]),
  ];
  const made = rules.map(({ kind, id }) => {
    const name = `${kind} ${id}`;
    return isForAll()
      ? element("span", "", name)
      : button(name, () => {
          showRule(kind, id);
        });
  });
  return element(
    "section",
    "",
    element("h3", "", "Response ", statusMark(entry), element("span", "took", durationOf(milliseconds))),
    ...(broken === undefined ? [] : [element("p", "hint", `${broken} Without the fault, the status is ${status}.`)]),
    ...(made.length === 0 ? [] : [element("p", "made", "Made by ", ...made)]),
    responseBody === undefined
      ? element("p", "hint", "Its body is empty, or isn't kept.")
      : jsonBlock(responseBody, remarksOn("response", entry)),
  );
}

/** @satisfies {Readonly<Record<string, string>>} */
const deliveries = {
  reset: "The connection was reset, so the client got no response.",
  truncated: "The connection was closed halfway through the response.",
  none: "The client got no response, and the connection stayed open.",
};

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function actions(entry, surroundings) {
  const { operation, generation, session = "" } = entry;
  const { hasDocs, hasUpstream, edit, addOverride } = surroundings;
  const outcome = element("span", "outcome");
  outcome.setAttribute("role", "status");
  const rule = overrideLike(entry);
  const noCopy = missingPart(entry);
  const notAgain = hasUpstream ? "this mock forwards requests, and could change real data" : whyNotAgain(entry);
  const [about] = [...new Set([notAgain, noCopy])].filter((why) => why !== undefined);
  if (about !== undefined)
    outcome.textContent = `Can't be ${noCopy === undefined ? "" : "copied or "}sent again: ${about}.`;
  /** @param {string} text */
  const say = (text) => {
    outcome.textContent = text;
  };
  return element(
    "div",
    "actions",
    ...(noCopy === undefined
      ? [
          button("Copy as curl", () => {
            copyCurl(entry, say, edit);
          }),
        ]
      : []),
    ...(notAgain === undefined
      ? [
          button("Send again", () => {
            void again(entry, say);
          }),
        ]
      : []),
    ...(rule === undefined
      ? []
      : [
          button("Answer like this next time", () => {
            edit("Answer like this next time", JSON.stringify(rule, null, 2), (text) => addOverride(text, session));
          }),
        ]),
    outcome,
    ...(operation === undefined ? [] : [operationName(operation, generation ?? "", hasDocs)]),
  );
}

/**
 * @param {string} operation
 * @param {string} generation
 * @param {boolean} hasDocs
 */
function operationName(operation, generation, hasDocs) {
  const name = `${operation} of ${generation}`;
  if (!hasDocs) return element("span", "operation", name);
  const shown = link(name, `docs?${new URLSearchParams({ generation, operation })}`);
  shown.className = "operation";
  shown.title = "Open its page in the docs";
  return shown;
}

/**
 * @param {RequestEntry} entry
 * @param {(text: string) => void} say
 * @param {Surroundings["edit"]} edit
 */
function copyCurl(entry, say, edit) {
  const { command, variables } = curlOf(entry);
  const names = variables.join(" and ");
  const advice = names === "" ? "" : ` Set ${names} first: the mock keeps no secrets.`;
  // Browsers have no clipboard for pages of other hosts without TLS.
  const copied = "clipboard" in navigator ? navigator.clipboard.writeText(command) : Promise.reject(new Error());
  copied.then(
    () => {
      say(`Copied.${advice}`);
    },
    () => {
      edit("Copy as curl", command);
    },
  );
}

/**
 * @param {RequestEntry} entry
 * @param {(text: string) => void} say
 */
async function again(entry, say) {
  say("Sending …");
  await sendAgain(entry).then(
    ({ status }) => {
      say(`Sent again: ${status}.`);
    },
    (/** @type {unknown} */ error) => {
      say(`No response: ${messageOf(error)}.`);
    },
  );
}
