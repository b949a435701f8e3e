import { spawn, type ChildProcess } from "node:child_process";

import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenApiDocument, SchemaObject } from "../../scripts/contract/openapi.ts";
import { sendRaw } from "./raw.ts";

/** How long another request may wait, in milliseconds: on a machine with nothing else to do it is less than 150. */
const deadline = 1_000;
const atATime = 10;
const size = 2 ** 20;

const wrong: SchemaObject = { type: "string" };
const either: SchemaObject = {
  anyOf: [wrong, { type: "object", required: ["a"] }, { $ref: "#/components/schemas/Wrong" }],
};

function listOf(item: string, length = Math.floor((size - 2) / (item.length + 1))): string {
  return `[${Array.from({ length }, () => item).join()}]`;
}

function members(value: string, count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"${index}":${value}`).join()}}`;
}

/** Two ways lead from each level to the next one. */
const recursive: Record<string, SchemaObject> = Object.fromEntries(
  ["And", "Or"].map((name) => [
    name,
    { type: "object", properties: { of: { $ref: "#/components/schemas/Node" }, is: { const: name } } },
  ]),
);

const attacks: Readonly<Record<string, readonly [SchemaObject, string]>> = {
  "a list whose end is wrong": [
    { type: "array", items: wrong },
    `${listOf('""', 1_000).slice(0, -1)},${listOf("{}", 340_000).slice(1)}`,
  ],
  "a list of alternatives": [{ type: "array", items: either }, listOf("1")],
  "wrong members": [{ additionalProperties: wrong, propertyNames: { maxLength: 1 } }, members("1", 100_000)],
  "members that refer": [{ additionalProperties: { $ref: "#/components/schemas/Wrong" } }, members("1", 100_000)],
  "a list without what it should contain": [{ contains: wrong, minContains: 2 }, listOf("{}")],
  "items that should be unique": [
    { type: "array", uniqueItems: true, items: { type: "object" }, maxItems: 1 },
    `[${Array.from({ length: 80_000 }, (_, index) => `{"a":${index % 70_000}}`).join()}]`,
  ],
  "alternatives that contain themselves": [
    { $ref: "#/components/schemas/Node" },
    `${'{"is":"And","of":'.repeat(150)}{"is":"Not"}${"}".repeat(150)}`,
  ],
};

function pathOf(name: string): string {
  return `/${name.replaceAll(" ", "-")}`;
}

const responses = { "200": { description: "", content: { "application/json": { example: 1 } } } };
const document: OpenApiDocument = {
  openapi: "3.1.1",
  paths: {
    "/other": { get: { responses } },
    "/chunks": {
      post: { requestBody: { content: { "application/json": { schema: { type: "string" } } } }, responses },
    },
    ...Object.fromEntries(
      Object.entries(attacks).map(([name, [schema]]) => [
        pathOf(name),
        { post: { requestBody: { content: { "application/json": { schema } } }, responses } },
      ]),
    ),
  },
  components: {
    schemas: {
      Wrong: { type: "boolean" },
      Node: { anyOf: [{ $ref: "#/components/schemas/And" }, { $ref: "#/components/schemas/Or" }] },
      ...recursive,
    },
  },
};

let directory: string;
let child: ChildProcess;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "mock-"));
  await mkdir(join(directory, "generated/large"), { recursive: true });
  await writeFile(join(directory, "generated/large/openapi.json"), JSON.stringify(document));
  await writeFile(join(directory, "redocly.yaml"), "apis:\n  large:\n    root: openapi.yaml\n");
  const args = ["--max-old-space-size=256", resolve("scripts/mock.ts"), "--port", "0", "--quiet"];
  const started = spawn(process.execPath, args, { cwd: directory, stdio: ["ignore", "pipe", "inherit"] });
  child = started;
  url = await once(createInterface(started.stdout), "line").then(([line]) => String(line).replace("Listening on ", ""));
});
afterAll(async () => {
  child.kill();
  await rm(directory, { recursive: true });
});

/** The longest that another request waits while something is done, in milliseconds. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  let longest = 0;
  while (!state.isDone) {
    const start = performance.now();
    expect((await fetch(`${url}/other`)).status).toBe(200);
    longest = Math.max(longest, performance.now() - start);
  }
  await done;
  return longest;
}

describe(`with a heap of 256 MB, ${atATime} at a time keep no other request waiting:`, () => {
  test.each(Object.keys(attacks))("%s", async (name) => {
    const [, body] = attacks[name] ?? [];
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: body ?? "" };
    const refused = Array.from({ length: atATime }, async () => {
      const response = await fetch(url + pathOf(name), init);
      return [response.status, (await response.text()).length < 50_000];
    });
    const all = Promise.all(refused);
    const wait = await longestWait(all);
    expect(wait).toBeLessThan(deadline);
    expect(await all).toEqual(Array.from({ length: atATime }, () => [422, true]));
  });

  test("bodies of 700,000 chunks", { timeout: 60_000 }, async () => {
    const chunks = `1\r\n"\r\n${"1\r\nx\r\n".repeat(700_000)}1\r\n"\r\n0\r\n\r\n`;
    const head =
      "POST /chunks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";
    const request = `${head}\r\n\r\n${chunks}`;
    const all = Promise.all(Array.from({ length: 4 }, () => sendRaw(url, request, { limit: 60_000 })));
    const wait = await longestWait(all);
    expect(wait).toBeLessThan(deadline);
    expect((await all).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});
