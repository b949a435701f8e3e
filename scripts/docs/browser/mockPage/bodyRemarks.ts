import type { Finding, RequestEntry } from "./requestFacts.ts";

/** What to say about a value of a body. */
export interface Remark {
  readonly text: string;
  /** True if the contract doesn't specify what is missed there. */
  readonly isOpen: boolean;
}

/** Finds the remark on a value. `pointer` is its JSON Pointer. In `pattern`, `*` stands for the items of lists. */
export type FindRemark = (pointer: string, pattern: string, value: unknown) => Remark | undefined;

/** Creates a function that finds what violations and doubts say about the values of a body. */
export function bodyRemarks(side: "request" | "response", { findings: all = [] }: RequestEntry): FindRemark {
  const findings = all.filter((one) => one.direction === side && one.pointer !== undefined && one.more === undefined);
  if (side === "request")
    return (at) => {
      const found = findings.find(({ pointer, rule }) => pointer === at && (at !== "" || rule !== undefined));
      return found && { text: found.rule ?? "", isOpen: false };
    };
  // Doubts come last. Among the objects without some properties, those that lack the most are told first.
  findings.sort((a, b) => weightOf(a) - weightOf(b));
  return (_, pattern, value) => {
    const found = findings.find((one) => one.pointer === pattern && isAbout(one, value));
    return found && { text: ruleOf(found), isOpen: found.kind === "doubt" };
  };
}

function weightOf({ kind, lacks = [] }: Finding): number {
  return kind === "doubt" ? -1 / lacks.length : -2;
}

function ruleOf({ kind, rule = "", lacks }: Finding): string {
  return lacks ? `lacks ${lacks.join(", ")}${kind === "doubt" ? " (presence isn't specified)" : ""}` : rule;
}

/** Checks whether a finding is about a value. In a list, only the received value tells which items are meant. */
function isAbout({ pointer = "", received, lacks }: Finding, value: unknown): boolean {
  if (lacks) return typeof value === "object" && value !== null && lacks.every((name) => !Object.hasOwn(value, name));
  if (received === undefined) return !pointer.includes("*");
  // A long text is cut off.
  const [start = "", ...rest] = received.split("…");
  return rest.length === 0 ? shortOf(value) === received : shortOf(value).startsWith(start);
}

/** A value as violations name it: a scalar as JSON, and others by their type. */
function shortOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? "an array" : "an object";
}
