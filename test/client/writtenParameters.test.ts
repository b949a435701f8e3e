import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createContractClient } from "../../scripts/client/index.ts";
import { isRefusal } from "../../scripts/exchange/refusal.ts";
import { readTarget } from "../../scripts/exchange/requestTarget.ts";
import { createReader } from "../../scripts/exchange/valueReader.ts";
import { parameterText } from "../../scripts/samples/parameterText.ts";
import type { SchemaObject } from "../../scripts/spec/openapi.ts";

const schemas = {
  text: { type: "string" },
  list: { type: "array", items: { type: "string" } },
} satisfies Record<string, SchemaObject>;

interface Case {
  readonly place: "path" | "query" | "header";
  readonly kind: keyof typeof schemas;
}

const cases: readonly Case[] = [
  { place: "path", kind: "text" },
  { place: "query", kind: "text" },
  { place: "query", kind: "list" },
  { place: "header", kind: "text" },
];

function values({ kind }: Case): fc.Arbitrary<unknown> {
  const characters = "a Z 0 - _ ~ é 日 % / ? # + ' . ; , | & = 🗓".split(" ");
  // Nothing around a header's value is part of it, and `..` is no segment.
  const isWritable = (one: string) => one.trim() === one && !/^\.{1,2}$/.test(one);
  const text = fc.string({ unit: fc.constantFrom(...characters, " "), minLength: 1, maxLength: 5 }).filter(isWritable);
  return kind === "text" ? text : fc.array(text, { minLength: 1, maxLength: 4 });
}

/** Makes a function for the value that the contract's reader finds in what was written. */
function readerOf({ place, kind }: Case): (written: string) => unknown {
  const read = createReader(schemas[kind], { openapi: "3.1.1" });
  const sentIn: Record<typeof place, (written: string) => string | readonly string[] | undefined> = {
    header: (written) => written,
    path: (written) => targetOf(`/${written}`).segments[0],
    query: (written) => targetOf(`/?${written}`).query["p"],
  };
  return (written) => read(sentIn[place](written) ?? "")?.value;
}

function targetOf(text: string) {
  const target = readTarget(text);
  if (isRefusal(target)) throw new Error(`${text} is refused`);
  return target;
}

const runs = { numRuns: 30, seed: 20_261_123 };

describe("the contract's reader reads a sample's parameter:", () => {
  it.each(cases)("$kind in a $place", (one) => {
    const read = readerOf(one);
    fc.assert(
      fc.property(values(one), (value) => {
        expect(read(parameterText({ in: one.place, name: "p", value }))).toEqual(value);
      }),
      runs,
    );
  });
});

describe("the contract's reader reads the client's parameter:", () => {
  it.each(cases.filter(({ place }) => place !== "header"))("$kind in a $place", async (one) => {
    const read = readerOf(one);
    await fc.assert(
      fc.asyncProperty(values(one), async (value) => {
        let url = "";
        const client = createContractClient<AnyOperations>(
          { schemes: {}, facts: [{ empty: true }] },
          {
            baseUrl: "http://127.0.0.1",
            fetch: (request) => {
              ({ url } = request);
              return Promise.resolve(new Response(null, { status: 204 }));
            },
          },
        );
        if (one.place === "path") await client.GET("/{p}", { params: { path: { p: value } } });
        else await client.GET("/", { params: { query: { p: value } } });
        const { pathname, search } = new URL(url);
        expect(read(one.place === "path" ? pathname.slice(1) : search.slice(1))).toEqual(value);
      }),
      runs,
    );
  });
});

interface AnyOperations {
  get: Record<"/" | "/{p}", { parameters: { path?: Record<string, unknown>; query?: Record<string, unknown> } }>;
}
