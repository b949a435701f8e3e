// @ts-check

/** @import { RequestEntry } from "../../mockTypes.ts" */
/**
 * What to say about a value of a body. `isOpen` is true if the contract doesn't specify what is missed there.
 *
 * @typedef {{ readonly text: string, readonly isOpen: boolean }} Remark
 */
/**
 * Finds the remark on a value. `pointer` is its JSON Pointer. In `pattern`, `*` stands for the items of lists.
 *
 * @typedef {(pointer: string, pattern: string, value: unknown) => Remark | undefined} FindRemark
 */
/**
 * A violation or doubt, read from its text. `received` is absent if the text doesn't show a value.
 *
 * @typedef {{
 *   readonly pointer: string,
 *   readonly rule: string,
 *   readonly received: string | undefined,
 *   readonly lacks: readonly string[],
 *   readonly isOpen: boolean,
 * }} Finding
 */

/** The last violation of a body that has more than the mock lists. */
const rest = /The body (?:has at least (\d+)|may have) more problems/;

const without = "an object without ";

/**
 * How many violations a text stands for.
 *
 * @param {string} violation
 */
export function weightOf(violation) {
  const [isRest, count = 0] = rest.exec(violation) ?? [];
  return isRest === undefined ? 1 : Number(count);
}

/** @param {string} doubt */
export function describeDoubt(doubt) {
  const { pointer, lacks } = readFinding(doubt, true);
  return `${pointer === "" ? "The body" : `${pointer} in the body`} lacks ${lacks.join(", ")}`;
}

/**
 * Creates a function that finds what violations and doubts say about the values of a body.
 *
 * @param {"request" | "response"} side
 * @param {RequestEntry} entry
 * @returns {FindRemark}
 */
export function bodyRemarks(side, entry) {
  const { pointers = [], violations = [] } = entry;
  const texts = violations
    .filter((text) => text.startsWith(`${side}: `) && !rest.test(text))
    .map((text) => text.slice(side.length + 2));
  const findings = texts.map((text) => readFinding(text, false));
  if (side === "request")
    return (pointer) => {
      const rule = findings.find((one) => one.pointer === pointer)?.rule ?? "";
      const isMarked = rule !== "" || (pointer !== "" && pointers.includes(pointer));
      return isMarked ? { text: rule, isOpen: false } : undefined;
    };
  const doubts = (entry.doubts ?? []).map((text) => readFinding(text, true));
  // Among the objects without some properties, those that lack the most are told first.
  doubts.sort((a, b) => b.lacks.length - a.lacks.length);
  return (_, pattern, value) => {
    const found = [...findings, ...doubts].find((one) => one.pointer === pattern && isAbout(one, value));
    return found && { text: found.rule, isOpen: found.isOpen };
  };
}

/**
 * Reads a text such as `/name in the body must be a string; received 5`.
 *
 * @param {string} text
 * @param {boolean} isOpen
 * @returns {Finding}
 */
function readFinding(text, isOpen) {
  const [place = "", rest = ""] = text.startsWith("The body ")
    ? ["", text.slice("The body ".length)]
    : text.split(" in the body ", 2);
  const [rule = "", received] = rest.split("; received ");
  const isLack = received?.startsWith(without) ?? false;
  const lacks = isLack ? (received ?? "").slice(without.length).split(", ") : [];
  const lack = `lacks ${lacks.join(", ")}${isOpen ? " (presence isn't specified)" : ""}`;
  return { pointer: place, rule: isLack ? lack : rule, received, lacks, isOpen };
}

/**
 * Checks whether a finding is about a value. In a list, only the received value tells which items are meant.
 *
 * @param {Finding} finding
 * @param {unknown} value
 */
function isAbout({ pointer, received, lacks }, value) {
  if (received === undefined) return !pointer.includes("*");
  if (lacks.length > 0) {
    // A long list of names is cut off.
    const names = lacks.filter((name) => !name.endsWith("…"));
    return typeof value === "object" && value !== null && names.every((name) => !Object.hasOwn(value, name));
  }
  const [start = "", ...rest] = received.split("…");
  return rest.length === 0 ? shortOf(value) === received : shortOf(value).startsWith(start);
}

/**
 * A value as violations name it: a scalar as JSON, and others by their type.
 *
 * @param {unknown} value
 */
function shortOf(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? "an array" : "an object";
}
