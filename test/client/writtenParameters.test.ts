import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createContractClient } from "../../scripts/client/index.ts";
import { createReader, type Carrier } from "../../scripts/exchange/parameterReader.ts";
import { isRefusal } from "../../scripts/exchange/refusal.ts";
import { readTarget } from "../../scripts/exchange/requestTarget.ts";
import { parameterText } from "../../scripts/samples/parameterText.ts";
import type { SchemaObject } from "../../scripts/spec/openapi.ts";
import { notationOf } from "../../scripts/spec/parameterStyles.ts";

const schemas = {
  text: { type: "string" },
  list: { type: "array", items: { type: "string" } },
  object: { type: "object", properties: { a: { type: "string" }, "b/c": { type: "string" }, é: { type: "string" } } },
} satisfies Record<string, SchemaObject>;

type Kind = keyof typeof schemas;

/** What the styles can write (OpenAPI 3.1.1, section 4.8.12.6), by the places that have them. */
const table: readonly (readonly [place: "path" | "query" | "header", style: string, explode: boolean, ...Kind[]])[] = [
  ["path", "simple", false, "text", "list", "object"],
  ["path", "simple", true, "text", "list", "object"],
  ["path", "label", false, "text", "list", "object"],
  ["path", "label", true, "text", "list", "object"],
  ["path", "matrix", false, "text", "list", "object"],
  ["path", "matrix", true, "text", "list", "object"],
  ["query", "form", false, "text", "list", "object"],
  ["query", "form", true, "text", "list", "object"],
  ["query", "spaceDelimited", false, "list", "object"],
  ["query", "pipeDelimited", false, "list", "object"],
  ["query", "deepObject", true, "object"],
  ["header", "simple", false, "text", "list", "object"],
  ["header", "simple", true, "text", "list", "object"],
];
const cases = table.flatMap(([place, style, explode, ...kinds]) =>
  kinds.map((kind) => ({ place, style, explode, kind })),
);
type Case = (typeof cases)[number];

/** Texts of which nothing can be taken for what their style puts between them. */
function texts(style: string) {
  const { delimiter, explodedDelimiter = "" } = notationOf(style);
  const characters = [
    "a",
    "Z",
    "0",
    "-",
    "_",
    "~",
    "é",
    "日",
    "🗓",
    "%",
    "/",
    "?",
    "#",
    "+",
    "'",
    ".",
    ";",
    ",",
    "|",
    " ",
  ];
  const usable = characters.filter((one) => one !== delimiter && one !== explodedDelimiter);
  // What stands around the items of a list is taken for the blank after a comma.
  const isTrimmed = (text: string) => text.trim() === text && !/^\.{1,2}$/.test(text);
  return fc.string({ unit: fc.constantFrom(...usable), minLength: 1, maxLength: 5 }).filter(isTrimmed);
}

function values({ style, kind }: Case): fc.Arbitrary<unknown> {
  const text = texts(style);
  if (kind === "text") return text;
  if (kind === "list") return fc.array(text, { minLength: 1, maxLength: 4 });
  return fc.record({ a: text, "b/c": text, é: text }, { requiredKeys: ["b/c"], noNullPrototype: true });
}

/** Makes a function for the value that the contract's reader finds in what was written. */
function readerOf({ place, style, explode, kind }: Case): (written: string) => unknown {
  const parameter = { name: "p", style, explode, mediaType: undefined, schema: schemas[kind] };
  const read = createReader(parameter, { openapi: "3.1.1" });
  const carriers: Record<typeof place, (written: string) => Carrier> = {
    header: (written) => ({ p: written }),
    path: (written) => ({ p: targetOf(`/${written}`).segments[0] ?? "" }),
    query: (written) => targetOf(`/?${written}`).query,
  };
  return (written) => read(carriers[place](written))?.value;
}

function targetOf(text: string) {
  const target = readTarget(text);
  if (isRefusal(target)) throw new Error(`${text} is refused`);
  return target;
}

const runs = { numRuns: 30, seed: 20_261_123 };
const title = "$kind in the style $style of a $place, exploded: $explode";

describe("the contract's reader reads a sample's parameter:", () => {
  it.each(cases)(title, (one) => {
    const read = readerOf(one);
    fc.assert(
      fc.property(values(one), (value) => {
        const written = parameterText({ ...one, in: one.place, name: "p", mediaType: undefined, value });
        expect(read(written)).toEqual(value);
      }),
      runs,
    );
  });
});

describe("the contract's reader reads the client's parameter:", () => {
  const ofClient = cases.filter(({ place, style, explode, kind }) => {
    if (place === "path") return style === "simple" && !explode;
    return place === "query" && !(kind === "object" && style.endsWith("Delimited"));
  });
  it.each(ofClient)(title, async (one) => {
    const { place, style, explode } = one;
    const read = readerOf(one);
    await fc.assert(
      fc.asyncProperty(values(one), async (value) => {
        let url = "";
        const client = createContractClient<AnyOperations>(
          { schemes: {}, facts: [{ empty: true }] },
          {
            baseUrl: "http://127.0.0.1",
            // @ts-expect-error -- lists and objects have some styles each, and one of these is of neither
            querySerializer: { array: { style, explode }, object: { style, explode } },
            fetch: (request) => {
              ({ url } = request);
              return Promise.resolve(new Response(null, { status: 204 }));
            },
          },
        );
        if (place === "path") await client.GET("/{p}", { params: { path: { p: value } } });
        else await client.GET("/", { params: { query: { p: value } } });
        const { pathname, search } = new URL(url);
        expect(read(place === "path" ? pathname.slice(1) : search.slice(1))).toEqual(value);
      }),
      runs,
    );
  });
});

interface AnyOperations {
  get: Record<"/" | "/{p}", { parameters: { path?: Record<string, unknown>; query?: Record<string, unknown> } }>;
}
