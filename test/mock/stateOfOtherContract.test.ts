import { load } from "js-yaml";
import { beforeEach, describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { createEngine, type Engine } from "../../scripts/mock/server/engine.ts";

/** A description that needs `x-resource` only where a verb is in the path. */
const document: unknown = load(`
openapi: 3.1.1
info: { title: Library, version: 1.0.0 }
paths:
  /shelves/{shelf}/books:
    parameters: [{ $ref: "#/components/parameters/Shelf" }]
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: page, in: query, schema: { type: integer } }
      x-pagination: { limit: limit, offset: page }
      responses:
        "200": { description: Books., content: { application/json: { schema: { $ref: "#/components/schemas/Books" }, example: { total: 1, items: [{ isbn: "978", title: Emma, shelf: A, copies: 2, note: worn }] } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/NewBook" } }, application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/NewBook" } } } }
      responses:
        "201": { description: Book., headers: { Location: { schema: { type: string }, example: /shelves/Z/books/0 } }, content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } }
  /shelves/{shelf}/books/{isbn}:
    parameters: [{ $ref: "#/components/parameters/Shelf" }, { name: isbn, in: path, required: true, schema: { type: string } }]
    get:
      responses:
        "200":
          description: Book.
          content:
            application/json: { schema: { $ref: "#/components/schemas/Book" }, example: { isbn: "978", title: Emma, shelf: A, copies: 2, note: worn } }
            application/vnd.library+json: { schema: { type: object, additionalProperties: false, properties: { book: { $ref: "#/components/schemas/Book" } } }, example: { book: { isbn: "978", title: Emma } } }
        "404": { description: Not there., content: { application/json: { schema: { type: object }, example: { missing: true } } } }
    put:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NewBook" } } } }
      responses:
        "200": { description: Book., content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } }
    patch:
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object } }, application/json: { schema: { type: object } } } }
      responses:
        "200": { description: Book., content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } }
    delete:
      responses: { "204": { description: Gone. } }
  /shelves/{shelf}/books/{isbn}/return:
    parameters: [{ $ref: "#/components/parameters/Shelf" }, { name: isbn, in: path, required: true, schema: { type: string } }]
    post:
      x-resource: { effect: delete }
      responses: { "200": { description: Gone., content: { text/plain: { schema: { type: string }, example: returned } } } }
  /shelves/{shelf}/books/{isbn}/loans/{id}:
    parameters: [{ $ref: "#/components/parameters/Shelf" }, { name: isbn, in: path, required: true, schema: { type: string } }, { name: id, in: path, required: true, schema: { type: integer } }]
    get:
      responses:
        "200": { description: Loan., content: { application/json: { schema: { type: object, properties: { id: { type: integer, maximum: 100 }, isbn: { type: string } } }, example: { id: 1, isbn: "978" } } } }
  /shelves/{shelf}/books/{isbn}/copy:
    parameters: [{ $ref: "#/components/parameters/Shelf" }, { name: isbn, in: path, required: true, schema: { type: string } }]
    post:
      x-resource: { effect: create, copies: isbn }
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NewBook" } } } }
      responses: { "201": { description: Book., content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } } }
  /shelves/{shelf}/signs:
    parameters: [{ $ref: "#/components/parameters/Shelf" }]
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { "201": { description: Made., headers: { Location: { schema: { type: string }, example: /shelves/Z/signs/1 } } } }
  /shelves/{shelf}/signs/{id}:
    parameters: [{ $ref: "#/components/parameters/Shelf" }, { name: id, in: path, required: true, schema: { type: integer } }]
    get:
      responses: { "200": { description: Sign., content: { application/json: { schema: { type: object, properties: { id: { type: integer }, text: { type: string } } }, example: { id: 1, text: Quiet } } } } }
  /orders:
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { "201": { description: Made., headers: { Location: { schema: { type: string, pattern: "^https:" }, example: "https://library.example/orders/1" } } } }
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      responses: { "200": { description: Order., content: { application/json: { schema: { type: object, properties: { id: { type: integer } } }, example: { id: 1 } } } } }
  /me:
    get:
      responses: { "200": { $ref: "#/components/responses/Me" } }
    patch:
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { "200": { $ref: "#/components/responses/Me" } }
    delete:
      x-resource: { effect: delete }
      responses: { "200": { $ref: "#/components/responses/Me" } }
  /settings:
    get:
      responses:
        "200": { description: Settings., content: { application/json: { schema: { $ref: "#/components/schemas/Settings" }, example: { language: en, days: 21 } } } }
    patch:
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses:
        "200": { description: Settings., content: { application/json: { schema: { $ref: "#/components/schemas/Settings" }, example: { language: en, days: 21 } } } }
components:
  parameters:
    Shelf: { name: shelf, in: path, required: true, schema: { type: string } }
  responses:
    Me: { description: Me., content: { application/json: { schema: { type: object, properties: { id: { type: integer }, name: { type: string } } }, example: { id: 1, name: Joan } } } }
  schemas:
    Books: { type: object, properties: { total: { type: integer }, items: { type: array, items: { $ref: "#/components/schemas/Book" } } } }
    Book:
      type: object
      required: [isbn, title]
      additionalProperties: false
      properties:
        isbn: { type: string }
        title: { type: string, maxLength: 20 }
        shelf: { type: string, readOnly: true }
        copies: { type: integer, default: 1 }
        note: { type: string }
        tags: { type: object, additionalProperties: { type: string } }
        donor: { type: string, writeOnly: true }
    NewBook:
      type: object
      properties: { isbn: { type: string }, title: { type: string }, shelf: { type: string }, copies: { type: integer, default: 1 }, note: { type: string }, donor: { type: string, writeOnly: true } }
    Settings: { type: object, properties: { language: { type: string }, days: { type: integer } } }
`);
if (!isDocument(document)) throw new Error("the description cannot be read");
const library = readGeneration("library", document);

let mock: Engine;
let notes: (string | undefined)[];
beforeEach(() => {
  notes = [];
  mock = createEngine({ generations: [library], onResponse: ({ note }) => notes.push(note) });
});

async function send(method: string, target: string, body?: object, type = "application/json") {
  const isForm = type === "application/x-www-form-urlencoded";
  const content = body === undefined ? {} : { body: isForm ? new URLSearchParams({ ...body }) : JSON.stringify(body) };
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": type };
  const response = await mock.fetch(`http://mock.example${target}`, { method, headers, ...content });
  const text = await response.text();
  const value: unknown = text === "" ? response.status : JSON.parse(text);
  return value;
}

const books = "/shelves/A/books";

describe("a resource whose client chooses the identifier", () => {
  test("is created, read, listed, replaced and deleted", async () => {
    const made = { isbn: "1", title: "Persuasion", shelf: "A", copies: 3, note: "new" };
    expect(await send("POST", books, made)).toEqual(made);
    expect(await send("GET", `${books}/1`)).toEqual(made);
    expect(await send("GET", books)).toMatchObject({ items: [{ isbn: "978" }, made] });
    expect(await send("PUT", `${books}/1`, { title: "Sanditon" })).toEqual({
      ...{ isbn: "1", title: "Sanditon", shelf: "A", copies: 1 },
    });
    expect(await send("DELETE", `${books}/1`)).toBe(204);
    expect(await send("GET", books)).toMatchObject({ items: [{ isbn: "978" }] });
  });

  test("is created by a form", async () => {
    const form = { isbn: "2", title: "Emma", copies: "4" };
    await send("POST", books, form, "application/x-www-form-urlencoded");
    expect(await send("GET", `${books}/2`)).toMatchObject({ title: "Emma", copies: 4 });
  });

  test("is one only in its scope", async () => {
    await send("PUT", `${books}/978`, { title: "Other" });
    expect(await send("GET", "/shelves/B/books/978")).toMatchObject({ title: "Emma", shelf: "B" });
  });

  test("gives the contract's own failure once it is deleted, also to what belongs to it", async () => {
    await send("DELETE", `${books}/978`);
    expect(await send("GET", `${books}/978`)).toEqual({ missing: true });
    expect(await send("GET", `${books}/978/loans/1`)).toMatchObject({ status: 404 });
  });
});

test("the Location of a 201 is the path of the created resource, unless the contract has another form of it", async () => {
  const post = async (target: string, body: object) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await mock.fetch(`http://mock.example${target}`, init);
    return response.headers.get("location");
  };
  const location = await post(books, { isbn: "a/\ud800 b", title: "Persuasion" });
  expect(location).toBe(`${books}/a%2F%EF%BF%BD%20b`);
  const spaced = await post(books, { isbn: "a/b", title: "Sanditon" });
  expect(await send("GET", spaced ?? "")).toMatchObject({ title: "Sanditon" });
  // Nothing in this 201 has the identifier.
  const sign = await post("/shelves/A/signs", { text: "No food" });
  expect(sign).toMatch(/^\/shelves\/A\/signs\/\d+$/);
  expect(await send("GET", sign ?? "")).toMatchObject({ text: "No food" });
  expect(await post("/orders", {})).toBe("https://library.example/orders/1");
});

describe("null in a merge patch", () => {
  const type = "application/merge-patch+json";

  test("removes the property, and members of objects in it", async () => {
    const made = { isbn: "1", title: "Persuasion", copies: 1, note: "new", tags: { a: "A", b: "B" } };
    await send("POST", books, made);
    const patched = { isbn: "1", title: "Persuasion", shelf: "A", copies: 1, tags: { b: "B", c: "C" } };
    const patch = { note: null, tags: { a: null, c: "C", d: null } };
    expect(await send("PATCH", `${books}/1`, patch, type)).toEqual(patched);
    expect(await send("GET", `${books}/1`)).toEqual(patched);
    expect(notes.filter((note) => note !== undefined)).toEqual([]);
    expect(await send("PATCH", `${books}/1`, { note: "torn" }, type)).toEqual({ ...patched, note: "torn" });
    // A property of the example.
    expect(await send("PATCH", `${books}/978`, { note: null }, type)).not.toHaveProperty("note");
    expect(await send("GET", `${books}/978`)).not.toHaveProperty("note");
  });

  test("keeps what a response must have, and the log says so", async () => {
    expect(await send("PATCH", `${books}/978`, { title: null }, type)).toMatchObject({ title: "Emma" });
    expect(notes.at(-1)).toContain("doesn't show the request's title, because that would make the response invalid");
  });

  test("is a value in other JSON", async () => {
    expect(await send("PATCH", `${books}/978`, { note: null })).toMatchObject({ note: "worn" });
    expect(notes.at(-1)).toContain("doesn't show the request's note");
  });
});

test("a response that is not JSON does not keep a request from taking effect", async () => {
  const headers = { accept: "text/plain" };
  const response = await mock.fetch("http://mock.example/shelves/A/books/978/return", { method: "POST", headers });
  expect(await response.text()).toBe("returned");
  expect(await send("GET", `${books}/978`)).toEqual({ missing: true });
});

test("a response of another schema than the first success's JSON is the example, and the log says why", async () => {
  await send("PUT", `${books}/978`, { title: "Sanditon" });
  const headers = { accept: "application/vnd.library+json" };
  const response = await mock.fetch(`http://mock.example${books}/978`, { headers });
  expect(await response.json()).toEqual({ book: { isbn: "978", title: "Emma" } });
  expect(notes.at(-1)).toContain("the response has the example's values");
});

test("what is write-only is in no response", async () => {
  const made = { isbn: "1", title: "Persuasion", shelf: "A", copies: 3, note: "new" };
  expect(await send("POST", books, { ...made, donor: "Anne" })).toEqual(made);
  expect(await send("GET", books)).toMatchObject({ items: [{ isbn: "978" }, made] });
  expect(JSON.stringify([mock.state(), await send("GET", books)])).not.toContain("Anne");
});

test("a resource without an identifier is remembered", async () => {
  await send("PATCH", "/settings", { days: 14 });
  expect(await send("GET", "/settings")).toEqual({ language: "en", days: 14 });
});

test("a resource without an identifier that has an id is one all the same, and can be deleted", async () => {
  await send("PATCH", "/me", { name: "Jane" });
  expect(await send("GET", "/me")).toEqual({ id: 1, name: "Jane" });
  mock.restore(mock.state());
  expect(await send("GET", "/me")).toEqual({ id: 1, name: "Jane" });
  await send("DELETE", "/me");
  expect(await send("GET", "/me")).toMatchObject({ status: 404 });
});

test("a copy has what its request sends, although the original lacks it", async () => {
  await send("PUT", `${books}/978`, { title: "Emma" });
  await send("POST", `${books}/978/copy`, { isbn: "979", note: "a new one" });
  expect(await send("GET", `${books}/979`)).toMatchObject({ title: "Emma", note: "a new one" });
  for (let n = 0; n < 3; n += 1) await send("PUT", `${books}/978`, { title: "Emma" });
  expect(JSON.stringify(mock.state()).match(/"note"/g)).toHaveLength(2);
});

test("what a response must not contain is not in it", async () => {
  await send("PUT", `${books}/978`, { title: "A title that is too long to be shown" });
  expect(await send("GET", `${books}/978`)).toMatchObject({ title: "Emma" });
  expect(notes.at(-1)).toContain("title");
  expect(await send("GET", `${books}/5/loans/1000`)).toEqual({ id: 1, isbn: "5" });
});

test("a list is paged", async () => {
  for (const isbn of ["1", "2", "3"]) await send("POST", books, { isbn, title: isbn });
  expect(await send("GET", `${books}?limit=2&page=1`)).toMatchObject({ items: [{ isbn: "1" }, { isbn: "2" }] });
});
