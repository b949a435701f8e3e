/**
 * What the messages of Redocly (2.64) and js-yaml say, which have no codes. No other module reads them. Each part is
 * compared as they write it, so a message that changes loses its suggestion, and its consequences stand alone.
 */
import type { YamlParseError } from "@redocly/openapi-core";
import { sep } from "node:path";
import { methods } from "../spec/openapi.ts";

/** What a message of Redocly is about: `lack` is something missing, and `type` a value of another type. */
type MessageTopic =
  | "lack"
  | "type"
  | "unchecked example"
  | "unknown field"
  | "unknown name"
  | "unknown type"
  | "unresolved";

/** What is known from a message of Redocly. */
export interface MessageFacts {
  /** `undefined` if no other problem depends on what it says. */
  readonly topic: MessageTopic | undefined;
  /** The property or the path that it names. */
  readonly named: string | undefined;
  /** The similar name that Redocly suggests. */
  readonly similar: string | undefined;
}

const unresolved = "Can't resolve $ref";

/** The facts in a message of Redocly. `similar` are the names that it suggests. */
export function readMessage(rule: string, message: string, [similar]: readonly string[]): MessageFacts {
  return { topic: topicOf(message), named: nameIn(rule, message), similar };
}

function topicOf(message: string): MessageTopic | undefined {
  if (message.startsWith(unresolved)) return "unresolved";
  if (message.endsWith(unexpected)) return "unknown field";
  return known.find(([part, , topic]) => topic !== undefined && message.includes(part))?.[2];
}

/** The property that an example lacks or that a schema requires, or the path that an operation is for. */
function nameIn(rule: string, message: string): string | undefined {
  if (rule === "path-parameters-defined") return message.split("`").at(-2);
  return message.toLowerCase().includes("required property '") ? message.split("'")[1] : undefined;
}

/** Returns whether Redocly gives a reason why it can't resolve a reference. */
export function hasReason(message: string): boolean {
  return message !== unresolved;
}

/** A message of Redocly on one line, with its list, if it has one, as a sentence. Paths are as seen from here. */
export function shownMessage(message: string): string {
  return withoutFolder(message).replace(":\n- ", ": ").replaceAll("\n- ", ", ");
}

/** A message with paths as seen from the current folder. */
export function withoutFolder(message: string): string {
  return message.replaceAll(process.cwd() + sep, "");
}

const unexpected = "is not expected here.";

/** What to do about messages that describe a problem without its solution, and what those that others depend on are about. */
const known: readonly (readonly [part: string, advice: string | undefined, topic?: MessageTopic])[] = [
  ["Property `nullable` is not expected here because", "It is read, but put the reference into `allOf`."],
  ["is defined alongside `$ref`", "OpenAPI 3.0 ignores it. Put the reference into `allOf`."],
  ['"nullable" cannot be used without "type"', "This example isn't checked. It is if `type` is beside `nullable`."],
  ["Property `nullable` is not", 'OpenAPI 3.1 has `null` among the types: `type: [string, "null"]`.'],
  ["Property `$ref` is not", "Write the reference in quotes: without them, `#` begins a comment."],
  ["Example validation errored", "Correct the schema: no example can be checked against it.", "unchecked example"],
  ["must be present on this level", "Add it here, or correct its name if it is misspelled.", "lack"],
  ["is not allowed here", "Remove it, or change the part that it contradicts, such as a `type` beside it.", "lack"],
  ["Must contain at least", "Add one of them: if nothing is known about the value, write `schema: {}`.", "lack"],
  ["Expected type `array`", "Write a list: each item on a separate line after `- `. An empty list is `[]`.", "type"],
  [
    "Expected type `number` but got `boolean`",
    "Write a number. From OpenAPI 3.1 on, `exclusiveMinimum` is the limit.",
    "type",
  ],
  ["but got `null`", "Add its value below it, or remove the key.", "type"],
  ["Expected type", "Write a value of this type, or remove the key.", "type"],
  ["`type` can be one of", undefined, "unknown type"],
  ["is not used in the path", "Correct `name`, or the path in the index.", "unknown name"],
  [
    "security scheme defined",
    "Name a scheme of `components.securitySchemes` in the index, or add this one there.",
    "unknown name",
  ],
];

/** Suggestions for unexpected keys, by the key of the surrounding object. */
const onKeysOf: Readonly<Record<string, string>> = {
  responses: 'The keys here are statuses in quotes, such as "200", ranges such as 2XX, and `default`.',
  paths: "The keys here are paths, which begin with `/`.",
};

/** Returns whether a message lists the values that are possible. The value itself isn't in it. */
export function listsValues(message: string): boolean {
  return message.includes("can be one of the following only");
}

/** The suggestion for a specific message. `keys` lead to the place of the problem in its file. */
export function adviceOnMessage(message: string, keys: readonly string[] = []): string | undefined {
  const method = methods.find((name) => message.toLowerCase() === `property \`${name}\` ${unexpected}`);
  if (method !== undefined) return `Did you mean: ${method}?`;
  if (message === "Operation tags should be defined") return "Name the group of the operation under `tags`.";
  const around = message.endsWith(unexpected) ? onKeysOf[keys.at(-2) ?? ""] : undefined;
  return around ?? known.find(([part]) => message.includes(part))?.[1];
}

/** What js-yaml says about a file, without its place, and what to do. */
export function readYamlMessage({ message }: Pick<YamlParseError, "message">) {
  const [, advice = "Check the indentation, quotes and brackets of this line and the previous one."] =
    onYaml.find(([part]) => message.includes(part)) ?? [];
  return {
    text: message.replace(/ in "[^"]*"| \(\d+:\d+\)$/g, ""),
    advice,
    /** True if a quote isn't closed, mostly on an earlier line. */
    isInQuote: message.includes("deficient indentation") || message.includes("quoted scalar"),
  };
}

const onYaml: readonly (readonly [part: string, advice: string])[] = [
  ["duplicated mapping key", "Keep one of the two, or rename it."],
  [
    "bad indentation of a mapping entry",
    "Check the indentation of this line and the previous one, and quote text that contains `: `.",
  ],
];
