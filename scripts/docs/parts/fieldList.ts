import type { Generation } from "../../contract/generation.ts";
import { isRounded } from "../../contract/constraints.ts";
import { countOf } from "../../values/text.ts";
import { toText } from "../../samples/parameterText.ts";
import { typeText, type TypeName } from "../../spec/typeNames.ts";
import { readAddresses } from "../model/addresses.ts";
import { ownAnchor, unspecifiedText, type Field, type FieldExample, type Presence } from "../model/fields.ts";
import {
  code,
  codes,
  exampleBlock,
  forScreen,
  hidden,
  hiddenDot,
  joined,
  list,
  nameLink,
  paragraph,
  span,
} from "./blocks.ts";
import { html } from "../../values/html.ts";
import {
  nodesIn,
  type AlternativeNode,
  type Alternatives,
  type BodyFields,
  type FieldList,
  type FieldNode,
  type Flow,
  type Fold,
  type ValueNode,
} from "./pageNodes.ts";
import { lifecycleMarks } from "./operationLinks.ts";
import { descriptionInText, readDescription } from "./readDescription.ts";

/** The number of levels that are initially open. */
const openDepth = 2;

/** A nested list of fields, with deep levels folded. Empty if there are no fields. */
export function fieldList(generation: Generation, fields: readonly Field[], depth = 0): readonly FieldList[] {
  if (fields.length === 0) return [];
  const nodes = fields.map((field): FieldNode => {
    return { kind: "field", name: field.name, ...valueNode(generation, field, depth + 1) };
  });
  return [{ kind: "fields", fields: nodes }];
}

/** A whole body: its type, its gaps and its fields. */
export function bodyFields(generation: Generation, field: Field, mediaTypes: readonly string[] = []): BodyFields {
  const type = wholeType(field);
  return { kind: "body", mediaTypes, ...valueNode(generation, { ...field, type }, 0), anchor: ownAnchor(field) };
}

/** The type of a whole body. If it has alternatives with their own types, only their number. */
function wholeType({ type, alternatives }: Field): TypeName {
  if (alternatives.length === 0 || type.length === 1) return type;
  const isNullable = type.some(({ text }) => text === "null");
  return [{ text: countOf(alternatives.length, "alternative") + (isNullable ? " or null" : "") }];
}

/** Adds a button that opens or closes all folds. Without fields, there is no button. */
export function withFoldButton(flow: Flow): Flow {
  const folds = nodesIn(flow).flatMap((node) => (node.kind === "field" ? (node.fold ?? []) : []));
  if (folds.length === 0) return flow;
  const label = folds.every(({ isOpen }) => isOpen) ? "Collapse all" : "Expand all";
  return [forScreen(html`<button type="button" class="fold" data-fold>${label}</button>`), ...flow];
}

/** The gaps of a place as one mark. Empty if there are none. */
export function unspecifiedMark(gaps: readonly string[]): Flow {
  return gaps.length === 0 ? [] : [...hiddenDot, span("unspecified", unspecifiedText(gaps))];
}

function alternativesFlow(generation: Generation, field: Field, depth: number): readonly Alternatives[] {
  const { anchor, alternatives } = field;
  if (alternatives.length === 0) return [];
  const nodes = alternatives.map((one): AlternativeNode => {
    return { kind: "alternative", title: one.name, ...valueNode(generation, one, depth), fold: undefined };
  });
  return [{ kind: "alternatives", anchor, alternatives: nodes }];
}

function valueNode(generation: Generation, field: Field, depth: number): ValueNode {
  const { anchor, description, fields, isCut } = field;
  const inner = isCut
    ? [cutNote(field)]
    : [...fieldList(generation, fields, depth), ...alternativesFlow(generation, field, depth)];
  return {
    anchor,
    facts: typeFacts(generation, field),
    values: valueList(field),
    description: [
      ...readDescription(description, 4),
      ...describedValueList(field),
      ...foldedValues(field),
      ...longExamples(field),
    ],
    inner,
    fold: isCut || inner.length === 0 || depth === 0 ? undefined : foldOf(field, depth),
  };
}

function foldOf({ name, type, fields, alternatives }: Field, depth: number): Fold {
  const count = fields.length > 0 ? countOf(fields.length, "field") : countOf(alternatives.length, "alternative");
  return { label: [`${count} of `, code(name === "" ? typeText(type) : name)], isOpen: depth < openDepth };
}

function cutNote({ type }: Field) {
  const isNamed = type.some(({ schema }) => schema !== undefined);
  return paragraph([`For its contents, see ${isNamed ? "the page of its schema" : "the OpenAPI description"}.`], "cut");
}

/** The type of a value, and other short facts, as chips. */
function typeFacts(generation: Generation, field: Field): Flow {
  const { type, presence, lifecycle, isSecret, constraints, examples, unspecified } = field;
  const facts: Flow[] = [[span("type", ...typeLinks(generation, type))]];
  const presenceWords = presenceText[presence];
  if (presenceWords !== "") facts.push([span(`chip ${presence}`, presenceWords)]);
  facts.push(...lifecycleMarks(lifecycle));
  if (isSecret) facts.push([span("chip", "secret")]);
  for (const { words, code: value } of constraints) {
    facts.push([span("chip", words, ...(value === undefined ? [] : [" ", code(value)]))]);
  }
  for (const { value, summary } of examples.filter(isShort)) {
    const notes = [summary, isRounded(value) ? "may be rounded" : ""].filter((note) => note !== "");
    const words = notes.length > 0 ? `example (${notes.join(", ")})` : "example";
    facts.push([span("chip", words, " ", code(toText(value)))]);
  }
  return [...joined(facts, hiddenDot), ...unspecifiedMark(unspecified)];
}

/** The longest examples beside a value's type. */
const shortExample = 60;

function isShort({ value }: FieldExample): boolean {
  return toText(value).length <= shortExample;
}

function longExamples({ name, examples }: Field): Flow {
  const long = examples.filter((example) => !isShort(example));
  return long.map(({ value }) => exampleBlock(value, `Example of ${name}`));
}

/** A type name, with links to the schemas' pages. */
function typeLinks(generation: Generation, type: TypeName): Flow {
  const { schemas } = readAddresses(generation);
  return type.flatMap(({ text, format, schema = "" }): Flow => {
    const path = schemas.get(schema);
    if (format !== undefined) return [text, hidden(","), " ", span("format", format)];
    return path === undefined ? [text] : [{ ...nameLink({ title: text, path }), isSchema: true }];
  });
}

/** The presence of a field in words. Empty for fields that the contract lists for each response. */
const presenceText: Readonly<Record<Presence, string>> = {
  required: "required",
  optional: "optional",
  listed: "",
  maybe: "may be absent",
  unknown: "",
};

/** More values than these are folded, so that they don't hide what follows. */
const manyValues = 50;

function valueList(field: Field): Flow {
  const { knownValues, hasOtherValues, describedValues } = field;
  if (knownValues.length === 0 || knownValues.length > manyValues || describedValues.length > 0) return [];
  return [hasOtherValues ? "Known values: " : "One of: ", ...valueCodes(field)];
}

function valueCodes({ knownValues }: Field): Flow {
  return codes(knownValues.map(toText), " ");
}

/** A long list of values. Empty for others. */
function foldedValues(field: Field): Flow {
  const { knownValues, hasOtherValues, describedValues } = field;
  if (knownValues.length <= manyValues || describedValues.length > 0) return [];
  const summary = [
    hasOtherValues ? "" : "One of ",
    countOf(knownValues.length, hasOtherValues ? "known value" : "value"),
  ];
  return [{ kind: "folded", summary, children: [paragraph(valueCodes(field))] }];
}

/** The values of an enumeration that says something about each. Empty for others. */
function describedValueList({ describedValues }: Field): Flow {
  if (describedValues.length === 0) return [];
  const items = describedValues.map(({ value, title, description }): Flow => {
    const name = title === "" || title === value ? [] : [" ", title];
    return [code(toText(value)), ...name, ...descriptionInText(description, 4)];
  });
  return [paragraph(["One of:"]), ...list(items)];
}
