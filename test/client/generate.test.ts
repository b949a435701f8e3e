import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cookieParameters, createContractClient, unwrap } from "../../scripts/client/index.ts";
import { readGeneration, type Generation } from "../../scripts/contract/generation.ts";
import type { OpenApiDocument, SchemaObject } from "../../scripts/spec/openapi.ts";
import { collectFacts, generateClient } from "../../scripts/pipeline/clientModule.ts";
import { generateExamples } from "../../scripts/pipeline/examplesModule.ts";
import { generateOperations, generateQueries } from "../../scripts/pipeline/operationsModule.ts";
import { generateSchemas } from "../../scripts/pipeline/schemasModule.ts";
import { generateTypes } from "../../scripts/pipeline/typesModule.ts";
import { checkModules } from "./checkModules.ts";
import { startRecorder } from "./recorder.ts";

const responses = { "204": { description: "Done" } };

/** A contract that has what the project's own has not. */
const document: OpenApiDocument = {
  openapi: "3.1.1",
  info: { title: "Another service */", version: "1" },
  security: [{ session: [], user: [] }, { token: [] }],
  paths: {
    "/things": {
      get: {
        responses,
        parameters: [
          { in: "query", name: "at", schema: { type: "integer" } },
          { in: "cookie", name: "theme", required: true, schema: { type: "string" } },
          { in: "cookie", name: "size", schema: { type: "integer" } },
        ],
      },
      head: { responses: { "200": { description: "Things", content: { "application/json": { schema: {} } } } } },
      post: {
        operationId: "delete",
        deprecated: true,
        security: [{ certificate: [], user: [] }],
        requestBody: {
          required: true,
          content: { "application/x-www-form-urlencoded": { schema: { $ref: "#/components/schemas/Client" } } },
        },
        responses: { "200": { description: "A thing", content: { "text/plain": { schema: { type: "string" } } } } },
      },
    },
    "/things/{thing id}": {
      parameters: [{ in: "path", name: "thing id", required: true, schema: { type: "string" } }],
      delete: { operationId: "Client", responses },
      get: {
        security: [],
        parameters: [
          { in: "header", name: "Mode", required: true, schema: { enum: ["fast"] } },
          { in: "header", name: "Accept", schema: { const: "text/html" } },
        ],
        responses: {
          "200": { description: "A thing", content: { "application/json": { schema: { type: "boolean" } } } },
          "404": {
            description: "None",
            content: {
              "application/problem+json": { schema: { type: "object", properties: { title: { type: "string" } } } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: { Client: { type: "object", properties: { name: { type: "string" } } } },
    securitySchemes: {
      session: { type: "apiKey", in: "cookie", name: "sid", description: "A session." },
      user: { type: "http", scheme: "basic" },
      token: { type: "oauth2", flows: {} },
      certificate: { type: "mutualTLS" },
      unused: { type: "apiKey", in: "header", name: "x-unused" },
    },
  },
};

const another = readGeneration("another", document);

/** What a consumer of that contract may write, and what not. */
const use = `
import { createClient, type Client } from "./client.ts";
import { Client_2, delete_2, getThings, getThingsThingId, headThings } from "./operations.ts";
import { deleteMutation, getThingsQuery, getThingsThingIdQuery } from "./queries.ts";
import type { Client as ClientSchema } from "./types.ts";

const baseUrl = "http://127.0.0.1:1";
const client: Client = createClient({ baseUrl, auth: { session: "s", user: "dTpw" } });
export const schema: ClientSchema = { name: "a" };
createClient({ baseUrl, auth: { token: "t" } });
createClient({ baseUrl, auth: { user: "dTpw" } });
// @ts-expect-error -- it only counts with the user
createClient({ baseUrl, auth: { session: "s" } });
// @ts-expect-error -- no operation names the scheme
createClient({ baseUrl, auth: { token: "t", unused: "u" } });

const found = await client.GET("/things/{thing id}", { params: { path: { "thing id": "1" } } });
export const data: boolean | undefined = found.data;
export const title: string | undefined = found.error?.title;

const { data: nothing, error } = await client.GET("/things", { params: { query: { at: undefined } } });
export const none: undefined = nothing;
// @ts-expect-error -- the contract has no failure, so it is unknown
error.message;

void client.GET("/things", { params: { cookie: { theme: "dark", size: 7 } } });
// @ts-expect-error -- with cookies, the required one is needed
void client.GET("/things", { params: { cookie: { size: 7 } } });

const made = await client.POST("/things", { body: { name: "a" } });
export const text: string | undefined = made.data;
// @ts-expect-error -- the body is required
void client.POST("/things");

const { data: ofHead } = await client.HEAD("/things");
export const alsoNone: undefined = ofHead;
const { data: ofHeadAsText } = await client.HEAD("/things", { parseAs: "text" });
export const textOrNone: string | undefined = ofHeadAsText;

await getThings(client);
const params = { path: { "thing id": "1" } };
await Client_2(client, { params });
const { error: problem } = await getThingsThingId(client, { params });
export const problemTitle: string | undefined = problem?.title;
const { data: ofHeadFunction } = await headThings(client);
export const none2: undefined = ofHeadFunction;
const { data: madeText } = await delete_2(client, { body: { name: "a" } });
export const sameText: string | undefined = madeText;
// @ts-expect-error -- the body is required
void delete_2(client);

const queryFn = { signal: AbortSignal.timeout(1) };
export const nothingAsNull: null = await getThingsQuery(client).queryFn(queryFn);
export const thing: boolean = await getThingsThingIdQuery(client, { params }).queryFn(queryFn);
export const mutated: string = await deleteMutation(client).mutationFn({ body: { name: "a" } });
// @ts-expect-error -- the parameter is required
getThingsThingIdQuery(client);
`;

/** A request whose cookies can't be set, as in browsers (Fetch Standard, section 2.2.2). */
class BrowserRequest extends Request {
  override readonly headers = new BrowserHeaders();
}

class BrowserHeaders extends Headers {
  override set(name: string, value: string) {
    if (name !== "cookie") super.set(name, value);
  }
}

/** What a consumer may get wrong, and what the compiler says to it. */
const mistakes = `
import { createClient } from "./client.ts";
import { createClient as createV2Client } from "../v2/client.ts";

const baseUrl = "http://127.0.0.1:1";
declare const token: string | undefined;
createClient({ baseUrl, auth: { token } });
createV2Client({ baseUrl, auth: { managedUserAccessToken: token } });
const client = createClient({ baseUrl, auth: { session: "s" } });
void client.GET("/things/{thing id}", {});
void client.GET("/things/{thing id}");
void client.GET();
void client.POST("/things", { body: { nmae: "a" } });
`;
const messages = [
  "Type 'string | undefined' is not assignable to type 'Credential'.",
  "Property 'apiKey' is missing in type '{ managedUserAccessToken: string | undefined; }'",
  "Property 'user' is missing in type '{ session: string; }' but required in type",
  "Property 'params' is missing in type '{}' but required in type",
  "Expected 2 arguments, but got 1.\nArguments for the rest parameter 'paramsAndBody' were not provided.",
  "Expected at least 1 arguments, but got 0.",
  "'nmae' does not exist in type '{ name?: string; }'.",
];

function generateModules(generation: Generation): Record<string, string> {
  const types = generateTypes(generation.document);
  return {
    "types.ts": types,
    "client.ts": generateClient(generation),
    "operations.ts": generateOperations(generation),
    "queries.ts": generateQueries(generation),
    "schemas.ts": generateSchemas(generation),
    "examples.ts": generateExamples(generation),
  };
}

describe("a union with an open alternative", () => {
  const plain = { type: "object", required: ["at"], properties: { at: { type: "string" } } };
  const open = { type: "object", additionalProperties: true };
  const withFields = { ...open, properties: { seat: { type: "string" } } };
  const schemas = {
    Plain: plain,
    Open: open,
    Either: { anyOf: [{ $ref: "#/components/schemas/Plain" }, { $ref: "#/components/schemas/Open" }] },
    Nested: { type: "object", properties: { forms: { type: "array", items: { oneOf: [plain, withFields] } } } },
    Nullable: { oneOf: [plain, { ...open, type: ["object", "null"] }] },
    Loose: { anyOf: [{ type: "string" }, open] },
    Map: { anyOf: [plain, { type: "object", additionalProperties: { type: "string" } }] },
  };
  const program = `
    import type { Either, Loose, Map, Nested, Nullable, Open } from "./types.ts";
    const open: Open = { seat: 5 };
    export const accepted: [Either, Either, Nested, Nullable, Nullable, Loose, Map] = [
      { at: "noon" }, open, { forms: [{ at: "noon" }, { seat: "7" }] }, null, open, { any: 1 }, { any: "text" },
    ];
    // @ts-expect-error -- misspelt
    export const misspelt: Either = { ta: "noon" };
    // @ts-expect-error -- another type
    export const mistyped: Either = { at: 5 };
    // @ts-expect-error -- misspelt beside a field of an open alternative that has fields
    export const inside: Nested = { forms: [{ seat: "7", ta: "noon" }] };
    // @ts-expect-error -- another type
    export const orNull: Nullable = { at: 5 };
  `;

  it("checks object literals against the existing fields", () => {
    const types = generateTypes({ ...document, paths: {}, components: { schemas } });
    expect(checkModules({ "types.ts": types, "use.ts": program })).toEqual([]);
  });
});

it.each(["v1", "v2"])("the types of %s take each of its examples", async (generation) => {
  const read = (module: string) => readFile(resolve("generated", generation, module), "utf8");
  const examples = await read("examples.ts");
  const checked = examples.replace("// @ts-nocheck", "//");
  expect(checked).not.toBe(examples);
  expect(checkModules({ "types.ts": await read("types.ts"), "examples.ts": checked })).toEqual([]);
});

describe("the client of another contract", () => {
  it("is typed by it, and a schema with the name of one of its exports is in `types.ts`", () => {
    const modules = generateModules(another);
    const said = checkModules({ ...modules, "use.ts": use, "mistakes.ts": mistakes });
    expect(said).toEqual(messages.map((message): unknown => expect.stringContaining(message)));
    expect(modules["operations.ts"]).toContain(" * @deprecated\n */\nexport function delete_2<");
  });

  it("has files as Blobs, but none in JSON", () => {
    const file: SchemaObject = { type: "string", format: "binary" };
    const properties = {
      file: { $ref: "#/components/schemas/File" },
      more: { type: "array", items: { ...file } },
    } as const;
    const receipts = { description: "", content: { "application/json": { schema: { type: "array", items: file } } } };
    const withFiles = readGeneration("another", {
      ...document,
      paths: {
        "/receipts": {
          post: {
            requestBody: { content: { "multipart/form-data": { schema: { type: "object", properties } } } },
            responses: { "200": { description: "", content: { "application/pdf": {} } } },
          },
          put: { requestBody: { content: { "image/*": { schema: {} } } }, responses: { "200": receipts } },
        },
      },
      webhooks: {
        receiptPaid: { post: { requestBody: { content: { "application/json": { schema: file } } }, responses } },
      },
      components: { ...document.components, schemas: { File: { ...{ contentMediaType: "application/pdf" } } } },
    });
    const calls = `
      import { createClient, unwrap, type webhooks } from "./client.ts";
      import { postReceiptsMutation } from "./queries.ts";
      import { postReceiptPaidRequest } from "./schemas.ts";
      const client = createClient({ baseUrl: "https://a.example", auth: { token: "t" } });
      const body = { file: new Blob(), more: [new Blob()] };
      export const receipt: Blob = await unwrap(client.POST("/receipts", { body }));
      export const mutated: Blob = await postReceiptsMutation(client).mutationFn({ body });
      export const listed: string[] = await unwrap(client.PUT("/receipts", { body: new Blob() }));
      // @ts-expect-error -- the part is a file
      void client.POST("/receipts", { body: { file: "text" } });
      type Sent = NonNullable<webhooks["receiptPaid"]["post"]["requestBody"]>["content"]["application/json"];
      const received = postReceiptPaidRequest["~standard"].validate("text");
      export const sent: Sent | undefined = received.issues ? undefined : received.value;
    `;
    expect(checkModules({ ...generateModules(withFiles), "use.ts": calls })).toEqual([]);
  });

  it("pages lists by the names of each, whichever comes first", () => {
    const listOf = (limit: string, offset: string) => ({
      get: {
        responses,
        parameters: [limit, offset].map((name) => ({ in: "query" as const, name, schema: {} })),
        "x-pagination": { limit, offset },
      },
    });
    const lists = { "/a": listOf("take", "skip"), "/b": listOf("limit", "offset"), "/c": listOf("take", "from") };
    const calls = `
      import { paginate, type Client, type Success } from "./client.ts";
      declare const client: Client;
      declare function list<Query>(client: Client, init: { params: { query: Query } }): Promise<Success<readonly { id: number }[]>>;
      for await (const { id } of paginate(list, client, { params: { query: { limit: 2 } } })) id.toFixed();
      for await (const { id } of paginate(list, client, { params: { query: { take: 2, skip: 0 } } })) id.toFixed();
      paginate(list, client, { params: { query: { take: 2, from: 0 } } });
      // @ts-expect-error -- without a second name, it is not known which one a page needs
      paginate(list, client, { params: { query: { take: 2 } } });
    `;
    const moduleOf = (paths: NonNullable<OpenApiDocument["paths"]>) =>
      generateClient(readGeneration("lists", { openapi: "3.1.1", info: { title: "Lists", version: "1" }, paths }));
    const text = moduleOf(lists);
    const types = generateTypes({ ...document, paths: lists });
    expect(checkModules({ "types.ts": types, "client.ts": text, "use.ts": calls })).toEqual([]);
    const reordered = moduleOf(Object.fromEntries(Object.entries(lists).toReversed()));
    const paging = /function paginate[^]*?\n\}\n/;
    expect(paging.exec(reordered)?.[0]).toBe(paging.exec(text)?.[0]);
  });

  it("takes a Date wherever a request has a date-time, in the bundle's own form of the body", () => {
    const time = { type: "string", format: "date-time" } as const;
    const slot: SchemaObject = {
      type: "object",
      properties: { from: time, to: { type: ["string", "null"], format: "date-time" }, note: { type: "string" } },
    };
    const plan: SchemaObject = {
      type: "object",
      required: ["slots"],
      properties: {
        slots: { type: "array", items: { $ref: "#/components/schemas/Slot" } },
        next: { $ref: "#/components/schemas/Plan" },
        at: { oneOf: [time, { type: "integer" }] },
        either: {
          anyOf: [
            { type: "object", properties: { at: time } },
            { type: "object", properties: { id: time } },
          ],
        },
        mixed: {
          anyOf: [
            { type: "object", properties: { at: time } },
            { type: "object", properties: { at: { type: "string" } } },
          ],
        },
        fixed: { ...time, enum: ["2026-03-17T13:00:00Z"] },
      },
    };
    const content = {
      "application/json": { schema: { $ref: "#/components/schemas/Plan" } },
      "application/x-www-form-urlencoded": { schema: { type: "object", properties: { posted: time } } },
    } as const;
    const contract: OpenApiDocument = {
      openapi: "3.1.1",
      info: { title: "Plans", version: "1" },
      paths: {
        "/plans": {
          post: {
            parameters: [{ in: "query", name: "since", schema: time }],
            requestBody: { required: true, content },
            responses: {
              "200": { description: "A plan", content: { "application/json": content["application/json"] } },
            },
          },
        },
      },
      components: { schemas: { Slot: slot, Plan: plan } },
    };
    const calls = `
      import { createClient, unwrap } from "./client.ts";
      const client = createClient({ baseUrl: "" });
      const at = new Date();
      const nested = { slots: [{ from: at, to: null }, { to: at }], at, either: { id: at }, next: { slots: [] } };
      const plan = await unwrap(client.POST("/plans", { params: { query: { since: at } }, body: nested }));
      plan.slots[0]?.from?.slice();
      // @ts-expect-error -- a response has text
      const answered: Date | undefined = plan.slots[0]?.from;
      // @ts-expect-error -- no time
      await client.POST("/plans", { body: { slots: [{ note: at }] } });
      // @ts-expect-error -- not a time in both
      await client.POST("/plans", { body: { slots: [], mixed: { at } } });
      // @ts-expect-error -- one value is allowed
      await client.POST("/plans", { body: { slots: [], fixed: at } });
      // @ts-expect-error -- forms have text
      await client.POST("/plans", { body: { posted: at } });
    `;
    const modules = {
      "types.ts": generateTypes(contract),
      "client.ts": generateClient(readGeneration("plans", contract)),
      "use.ts": calls,
    };
    expect(checkModules(modules)).toEqual([]);
  });

  it("takes Dates up to a depth, if the schemas of a request refer to each other", () => {
    const names = Array.from({ length: 14 }, (_, index) => `E${index}`);
    const references = names.map((name) => [name, { $ref: `#/components/schemas/${name}` }] as const);
    const properties = { at: { type: "string", format: "date-time" }, ...Object.fromEntries(references) } as const;
    const schemas = Object.fromEntries(names.map((name) => [name, { type: "object", properties } as const]));
    const content = { "application/json": { schema: { $ref: "#/components/schemas/E0" } } };
    const post = { requestBody: { content }, responses: { "204": { description: "Saved." } } };
    const info = { title: "Entities", version: "1" };
    const contract = { openapi: "3.1.1", info, paths: { "/e": { post } }, components: { schemas } };
    const text = generateClient(readGeneration("entities", contract));
    expect(text).toMatch(/E1: \{\s+at: true,\s+E2: \{ at: true \}/);
    expect(text.length).toBeLessThan(20_000);
  });

  it("sends its credentials, headers and forms", async () => {
    await using server = await startRecorder((_, response) => {
      response.end("true");
    });
    const client = createContractClient<{
      get: Record<"/things" | "/things/{thing id}", { parameters: { path?: Record<string, string> } }>;
      post: Record<"/things", { requestBody: { content: { form: object } } }>;
    }>(collectFacts(another), { baseUrl: server.url, auth: { session: "s", user: "dTpw" } });
    await client.GET("/things");
    await client.GET("/things/{thing id}", { params: { path: { "thing id": "a b" } } });
    await client.POST("/things", { body: { name: "a b&c" } });
    expect(server.arrivals).toMatchObject([
      { target: "/things", headers: { authorization: "Basic dTpw", cookie: "sid=s" } },
      { target: "/things/a%20b", headers: { mode: "fast", accept: "*/*" } },
      {
        headers: { authorization: "Basic dTpw", "content-type": "application/x-www-form-urlencoded" },
        body: "name=a+b%26c",
      },
    ]);
    expect(server.arrivals[1]?.headers).not.toHaveProperty("authorization");
    expect(server.arrivals[2]?.headers).not.toHaveProperty("cookie");
  });

  it("sends cookies, and says why where the platform doesn't", async () => {
    await using server = await startRecorder((_, response) => {
      response.end("true");
    });
    const withCookies = (options: { readonly Request?: typeof Request }) => {
      const client = createContractClient<{
        get: { "/things": { parameters: { cookie?: Record<string, unknown> } } };
      }>(collectFacts(another), { baseUrl: server.url, auth: { session: "s", user: "dTpw" }, ...options });
      client.use(cookieParameters);
      return client;
    };
    const client = withCookies({});
    const own = { theme: "a; b=c&d", at: [1, "b"], none: undefined, on: { x: 1, y: true } };
    await client.GET("/things", { params: { cookie: own }, headers: { cookie: "of=headers" } });
    await client.GET("/things", { params: { cookie: { theme: undefined } } });
    expect(server.arrivals.map(({ headers }) => headers["cookie"])).toEqual([
      "of=headers; theme=a%3B%20b%3Dc%26d; at=1; at=b; x=1; y=true; sid=s",
      "sid=s",
    ]);
    const notSent = async (call: Promise<unknown>) => String(await call.catch((error: unknown) => error));
    const params = { cookie: { theme: "dark" } };
    expect([
      await notSent(client.GET("/things", { params: { cookie: { theme: NaN } } })),
      await notSent(withCookies({ Request: BrowserRequest }).GET("/things", { params })),
    ]).toEqual([
      "NotSentError: GET /things: not sent, because theme is NaN",
      'NotSentError: GET /things: not sent, because "params.cookie" can\'t be sent by a browser, which sends its own cookies: leave it out',
    ]);
  });

  it("rejects a success without a body only where the contract has one", async () => {
    await using server = await startRecorder((_, response) => {
      response.writeHead(204).end();
    });
    const client = createContractClient<{
      get: { "/things": object; "/things/{thing id}": { parameters: { path: { "thing id": string } } } };
      delete: { "/things/{thing id}": object };
    }>(collectFacts(another), { baseUrl: server.url, auth: { token: "t" } });
    const params = { path: { "thing id": "1" } };
    await expect(unwrap(client.GET("/things"))).resolves.toBeUndefined();
    await expect(client.GET("/things/{thing id}", { params })).rejects.toThrow(
      "GET /things/{thing id}: 204, but it has no body",
    );
  });

  it("sends a bearer token if only that is given", async () => {
    await using server = await startRecorder();
    const contract = collectFacts(another);
    const client = createContractClient<{ get: Record<"/things", object> }>(contract, {
      baseUrl: server.url,
      auth: { token: "t" },
    });
    await client.GET("/things");
    expect(server.arrivals[0]?.headers.authorization).toBe("Bearer t");
  });

  it("needs no credentials where the contract has none", () => {
    const open = readGeneration("open", { openapi: "3.1.1", info: { title: "Open", version: "1" }, paths: {} });
    expect(generateClient(open)).toContain("type Auth = Record<string, never>;");
    expect(collectFacts(open)).toEqual({ schemes: {}, facts: [] });
  });
});
