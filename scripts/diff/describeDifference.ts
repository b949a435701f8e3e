import { placeName } from "../contract/gaps.ts";
import { elementsOf, isObject } from "../spec/json.ts";
import { pointerKeys } from "../spec/jsonPointer.ts";
import { lifecycleOf } from "../spec/lifecycle.ts";
import type { Change } from "./changes.ts";
import type { Spot } from "./fields.ts";

/** Two words for what a list has now that it had not, and the other way round. */
const listWords: Readonly<Record<string, readonly [gained: string, lost: string]>> = {
  required: ["Required now", "No longer required"],
  enum: ["Allowed now", "No longer allowed"],
  "x-extensible-enum": ["Known now", "No longer known"],
  "x-unspecified": ["Is no longer specified", "Is specified now"],
};

const nouns: Readonly<Record<string, string>> = {
  ...{ requestBody: "request body", parameters: "parameter", responses: "response", properties: "field" },
  ...{ content: "media type", headers: "header", callbacks: "callback", servers: "server", flows: "flow" },
  ...{ anyOf: "alternative", oneOf: "alternative", allOf: "part", prefixItems: "item", tags: "tag" },
};

/** Another value of a field in words; `name` is the operation's, if the field is its own. */
export function describeField(
  field: string,
  before: unknown,
  after: unknown,
  { document, pointer, value }: Spot,
  name = "",
) {
  const place = placeName(document, pointerKeys(pointer));
  const [noun, subject] = /^(?:parameter|response) /.test(place)
    ? [`The ${place.replace(/ .*/, "")} `, place.replace(/^\w+ /, "")]
    : ["", place || name];
  const gone = lifecycleText(field, before, isObject(value) ? value : {});
  if (gone !== undefined) return `${noun}\`${subject}\` ${gone}`;
  return withPlace(place, describeValues(field, before, after));
}

/** An object that came, went or has another name. */
export function describeMember(
  field: string,
  name: string,
  kind: "added" | "removed",
  { document, pointer }: Spot,
): string {
  const place = placeName(document, pointerKeys(pointer));
  const noun =
    nouns[field] ??
    (/^[a-z]+$/.test(field) && pointer.startsWith("/paths") && pointerKeys(pointer).length === 3
      ? "operation"
      : undefined);
  const isNamed = name !== "" && /^(?:content|headers|callbacks|flows)$/.test(field);
  return withPlace(
    place,
    `${noun === undefined ? `\`${field}\`` : `The ${noun}${isNamed ? ` \`${name}\`` : ""}`} was ${kind}.`,
  );
}

/** A sentence with the place that it is about, unless that is an operation. */
export function withPlace(place: string, sentence: string): string {
  return place === "" || place.includes(" /") ? sentence : `${place}: ${sentence}`;
}

/** The gaps that another value of `x-unspecified` closes and opens. */
export function compareGaps(before: unknown, after: unknown): NonNullable<Change["gaps"]> {
  const [closed, opened] = [without(before, after), without(after, before)];
  return { closed: closed.map(String), opened: opened.map(String) };
}

function lifecycleText(field: string, before: unknown, object: object): string | undefined {
  const { isDeprecated, deprecatedOn, sunset } = lifecycleOf(object);
  if (field === "x-sunset") {
    if (sunset === undefined) return "is no longer due to be removed.";
    if (typeof before !== "string") return `will be removed on ${sunset}.`;
    return `will be removed ${sunset < before ? "earlier" : "later"}: on ${sunset} instead of ${before}.`;
  }
  if (field !== "deprecated" && field !== "x-deprecated-on") return undefined;
  if (!isDeprecated) return "is no longer deprecated.";
  const end = sunset === undefined ? "" : `, and will be removed on ${sunset}`;
  return `is deprecated${deprecatedOn === undefined ? "" : ` as of ${deprecatedOn}`}${end}.`;
}

function describeValues(field: string, before: unknown, after: unknown): string {
  const verb = before === undefined ? "was added" : after === undefined ? "was removed" : "changed";
  if (/^(?:description|examples?)$/.test(field)) return `The ${field} ${verb}.`;
  const words = listWords[field];
  const isList = [before, after].every(
    (value) => Array.isArray(value) || (value === undefined && /required|unsp/.test(field)),
  );
  if (words !== undefined && isList) {
    const lists = [[words[1], without(before, after)] as const, [words[0], without(after, before)] as const];
    const plain = field === "x-unspecified" || field === "required";
    return lists
      .flatMap(([word, all]) =>
        all.length === 0
          ? []
          : [`${word}: ${all.map((one) => (field === "x-unspecified" ? String(one) : quote(one, plain))).join(", ")}.`],
      )
      .join(" ");
  }
  if (isObject(before ?? after) || verb === "was removed") return `\`${field}\` ${verb}.`;
  if (verb === "was added") return `\`${field}\` was set to ${quote(after, true)}.`;
  const [from, to] = [before, after].map((value) => quote(value, typeof before === typeof after));
  return `\`${field}\` changed${from === to ? "" : ` from ${from} to ${to}`}.`;
}

function without(all: unknown, others: unknown): readonly unknown[] {
  const known = new Set(elementsOf(others).map((value) => JSON.stringify(value)));
  return elementsOf(all).filter((value) => !known.has(JSON.stringify(value)));
}

/** A value as code in Markdown, whatever backticks it has. */
function quote(value: unknown, isPlain: boolean): string {
  const text = (typeof value === "string" && isPlain ? value : JSON.stringify(value)).replaceAll(/\s+/g, " ");
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const longest = Math.max(0, ...(short.match(/`+/g) ?? []).map(({ length }) => length));
  const [fence, space] = ["`".repeat(longest + 1), longest === 0 ? "" : " "];
  return fence + space + short + space + fence;
}
