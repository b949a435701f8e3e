/** Compares made contracts with what the pages of their operations say. The judge is the contract as written. */
import { defaultTreeAdapter as tree, parse, type DefaultTreeAdapterTypes } from "parse5";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import { elementsOf, isObject, membersOf, stringsOf, valueAt } from "../../scripts/values/json.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import type { Comparison, Disagreement } from "./comparisons.ts";
import type { Json, MadeContract } from "./contracts.ts";

/** A value on a page: all that is said about itself, its fields, and its alternatives. */
interface Shown {
  readonly name: string;
  readonly text: string;
  readonly fields: readonly Shown[];
  readonly alternatives: readonly Shown[];
}

type Direction = "request" | "response";

/** Renders the pages of contracts as those of one site, which loads what all pages need once. */
export async function comparePages(contracts: readonly MadeContract[]): Promise<Comparison> {
  const generations = contracts.map(({ document }, index) => {
    if (!isDocument(document)) throw new Error("this is no description");
    return readGeneration(`made${String(index)}`, document);
  });
  const files = await Array.fromAsync(renderSite({ generations, mockUrl: "http://mock.example" }));
  const pages = new Map(files.map(({ path, content }) => [path, content]));
  const results = contracts.map((contract, index) => comparePage(contract, `made${String(index)}`, pages));
  return {
    compared: results.reduce((sum, { compared }) => sum + compared, 0),
    disagreements: results.flatMap(({ disagreements }) => disagreements),
  };
}

function comparePage(contract: MadeContract, name: string, pages: ReadonlyMap<string, string>): Comparison {
  const disagreements: Disagreement[] = [];
  let compared = 0;
  for (const { method, path, parameters, body, answer } of contract.operations) {
    const slug = `${method}-${path.replaceAll(/[/{}]+/g, "-").replaceAll(/^-|-$/g, "")}`;
    const html = pages.get(`${name}/other/${slug}/index.html`);
    if (html === undefined) throw new Error(`there is no page ${slug}`);
    const sections = readSections(html);
    const compare = (place: string, shown: Shown | undefined, kinds: readonly string[], value: ValueFacts) => {
      const missing = shown === undefined ? ["everything"] : missingWords(contract.document, shown, value);
      compared += 1;
      if (missing.length > 0) {
        const found = { place, missing, schemas: value.schemas, text: shown?.text };
        disagreements.push({ comparison: "the page", kinds, found });
      }
    };
    for (const { in: place, name: own, required, piece } of parameters) {
      const shown = sections.get(`${place}-parameters`)?.fields.find((field) => field.name === own);
      compare(place, shown, piece.kinds, { schemas: [piece.schema], required, direction: "request" });
    }
    if (body) {
      const facts = { schemas: [body.piece.schema], direction: "request" } as const;
      compare("body", sections.get("request-body"), body.piece.kinds, facts);
    }
    const response = sections.get(`response-${answer.status}`);
    for (const [own, piece] of Object.entries(answer.headers)) {
      const shown = response?.fields.find((field) => field.name === own);
      compare("header", shown, piece.kinds, { schemas: [piece.schema], direction: "response" });
    }
    if (answer.piece) {
      const facts = { schemas: [answer.piece.schema], direction: "response" } as const;
      compare("response", response?.alternatives[0], answer.piece.kinds, facts);
    }
  }
  return { compared, disagreements };
}

interface ValueFacts {
  readonly schemas: readonly unknown[];
  readonly direction: Direction;
  /** Undefined for what isn't a property or a parameter. */
  readonly required?: boolean;
}

/** The words for a limit. */
const limits: Readonly<Record<string, (value: string) => string>> = {
  ...{ minLength: (value) => `at least ${value} char`, maxLength: (value) => `at most ${value} char` },
  ...{ minItems: (value) => `at least ${value} item`, maxItems: (value) => `at most ${value} item` },
  ...{ minProperties: (value) => `at least ${value} field`, maxProperties: (value) => `at most ${value} field` },
  ...{ minimum: (value) => `at least ${value}`, maximum: (value) => `at most ${value}` },
  ...{ exclusiveMinimum: (value) => `more than ${value}`, exclusiveMaximum: (value) => `less than ${value}` },
  ...{ multipleOf: (value) => `a multiple of ${value}`, pattern: (value) => value, format: (value) => value },
};

/** What a page doesn't say about a value. */
function missingWords(document: Json, shown: Shown, facts: ValueFacts): readonly string[] {
  const { schemas, required, direction } = facts;
  const { parts, isNullable } = expand(document, schemas);
  const words: string[] = isNullable ? ["null"] : [];
  for (const part of parts) {
    const type = String(part["type"]);
    // The contents of a file are no text.
    if (part["format"] === "binary" || part["contentMediaType"] !== undefined) {
      words.push("file");
      continue;
    }
    if (["string", "integer", "number", "boolean"].includes(type) && !("const" in part)) words.push(type);
    for (const [keyword, write] of Object.entries(limits))
      if (keyword in part) words.push(write(String(part[keyword])));
    const values = [...elementsOf(part["enum"]), ...("const" in part ? [part["const"]] : [])];
    words.push(...values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))));
    if (part["uniqueItems"] === true) words.push("no item twice");
    if (part["additionalProperties"] === false) words.push("no other fields");
  }
  const missing = words.filter((word) => !shown.text.includes(word)).map((word) => `${shown.name}: ${word}`);
  const saysRequired = /\brequired\b/.test(shown.text);
  if (required !== undefined && direction === "request" && required !== saysRequired) {
    missing.push(`${shown.name}: ${required ? "required" : "optional"}`);
  }
  if (/For its contents, see/.test(shown.text)) return missing;
  return [...missing, ...missingInside(document, shown, { ...facts, schemas: parts })];
}

function missingInside(document: Json, shown: Shown, { schemas, direction }: ValueFacts): readonly string[] {
  const inside = (name: string, some: readonly unknown[], required?: boolean): readonly string[] => {
    const { parts } = expand(document, some);
    if (parts.some((part) => part[direction === "request" ? "readOnly" : "writeOnly"] === true)) return [];
    const field = shown.fields.find((one) => one.name === name);
    if (field === undefined) return [`${shown.name}: ${name}`];
    return missingWords(document, field, { schemas: some, direction, ...(required !== undefined && { required }) });
  };
  const required = schemas.flatMap((schema) => stringsOf(valueAt(schema, ["required"])));
  const names = new Set(schemas.flatMap((schema) => membersOf(valueAt(schema, ["properties"])).map(([name]) => name)));
  const properties = [...names].flatMap((name) => {
    const some = schemas.flatMap((schema) => valueAt(schema, ["properties", name]) ?? []);
    return inside(name, some, required.length > 0 ? required.includes(name) : undefined);
  });
  const others = schemas.map((schema) => valueAt(schema, ["additionalProperties"])).filter(isObject);
  const rest = others.some((one) => Object.keys(one).length > 0) ? inside("<key>", others) : [];
  const items = schemas.flatMap((schema) => valueAt(schema, ["items"]) ?? []);
  const item = shown.fields.find(({ name }) => name === "[]") ?? { ...shown, name: "[]" };
  const inItems = items.length > 0 ? missingWords(document, item, { schemas: items, direction }) : [];
  const choices = schemas.flatMap((schema) => choicesOf(document, schema, shown, direction));
  return [...properties, ...rest, ...inItems, ...choices];
}

/** What is missing in the alternatives of a discriminator, each of which is named with its value. */
function choicesOf(document: Json, schema: unknown, shown: Shown, direction: Direction): readonly string[] {
  const mapping = membersOf(valueAt(schema, ["discriminator", "mapping"]));
  return mapping.flatMap(([value, reference]) => {
    const one = shown.alternatives.find(({ text }) => text.includes(`kind is ${value}`));
    if (one === undefined) return [`${shown.name}: the alternative ${value}`];
    return missingWords(document, one, { schemas: [{ $ref: reference }], direction });
  });
}

/** All schemas that apply together, and whether `null` is allowed beside them. */
function expand(document: Json, schemas: readonly unknown[]) {
  const parts = new Set<unknown>(schemas);
  let isNullable = false;
  // A set also visits what is added meanwhile.
  for (const part of parts) {
    const reference = valueAt(part, ["$ref"]);
    if (typeof reference === "string") parts.add(valueAt(document, reference.split("/").slice(1)));
    elementsOf(valueAt(part, ["allOf"])).forEach((one) => parts.add(one));
    const alternatives = ["anyOf", "oneOf"].flatMap((keyword) => elementsOf(valueAt(part, [keyword])));
    const others = alternatives.filter((one) => valueAt(one, ["type"]) !== "null");
    if (others.length < alternatives.length) isNullable = true;
    if (others.length === 1) others.forEach((one) => parts.add(one));
    if (elementsOf(valueAt(part, ["type"])).includes("null")) isNullable = true;
  }
  return { parts: [...parts].filter(isObject), isNullable };
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** The sections of a page by the ids of their headings. A whole body is one of the alternatives of a response's section. */
function readSections(html: string): ReadonlyMap<string, Shown> {
  const sections = elementsIn(parse(html).childNodes).filter(({ tagName }) => tagName === "section");
  return new Map(
    sections.map((element) => {
      const id = attributeOf(element, "aria-labelledby");
      const whole = elementsIn(element.childNodes).find((one) => attributeOf(one, "class") === "body");
      const body = whole && readShown("", whole);
      const fields = readFields(element);
      if (id !== "request-body") return [id, { name: id, text: "", fields, alternatives: body ? [body] : [] }];
      return [id, body ?? { name: id, text: "", fields, alternatives: [] }];
    }),
  );
}

function readShown(name: string, element: Element): Shown {
  return {
    name,
    text: ownText(element).replaceAll(/\s+/g, " "),
    fields: readFields(element),
    alternatives: readAlternatives(element),
  };
}

function readFields(element: Element): readonly Shown[] {
  const [fields] = within(element, isFieldList);
  return (fields?.childNodes ?? [])
    .filter((node) => tree.isElementNode(node))
    .map((item) => {
      const name = elementsIn(item.childNodes).find((one) => attributeOf(one, "class") === "name");
      return readShown(name ? textOf(name) : "", item);
    });
}

function readAlternatives(element: Element): readonly Shown[] {
  const [alternatives] = within(element, isAlternatives);
  const all = (alternatives?.childNodes ?? []).filter((node) => tree.isElementNode(node));
  return all.map((one) => readShown(attributeOf(one, "id"), one));
}

function isFieldList(element: Element): boolean {
  return attributeOf(element, "class") === "fields";
}

function isAlternatives(element: Element): boolean {
  return attributeOf(element, "class") === "alternatives";
}

/** The elements of a kind that belong to a value itself, rather than to a value inside. */
function within({ childNodes }: Element, isOfKind: (element: Element) => boolean): readonly Element[] {
  return childNodes
    .filter((node) => tree.isElementNode(node))
    .flatMap((one) => {
      if (isOfKind(one)) return [one];
      return isFieldList(one) || isAlternatives(one) ? [] : within(one, isOfKind);
    });
}

/** The text about a value itself. */
function ownText({ childNodes }: Element): string {
  const own = childNodes.filter((node) => !tree.isElementNode(node) || !(isFieldList(node) || isAlternatives(node)));
  return own
    .map((node) => (tree.isTextNode(node) ? node.value : tree.isElementNode(node) ? ownText(node) : ""))
    .join("");
}

function textOf(node: Node): string {
  if (tree.isTextNode(node)) return node.value;
  return tree.isElementNode(node) ? node.childNodes.map(textOf).join("") : "";
}

function elementsIn(nodes: readonly Node[]): readonly Element[] {
  return nodes.filter((node) => tree.isElementNode(node)).flatMap((one) => [one, ...elementsIn(one.childNodes)]);
}

function attributeOf({ attrs }: Element, name: string): string {
  return attrs.find((attribute) => attribute.name === name)?.value ?? "";
}
