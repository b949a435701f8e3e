import { expect, it } from "vitest";
import { createContractClient } from "../../scripts/client/index.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { collectFacts } from "../../scripts/pipeline/clientModule.ts";
import { generateFiles } from "../../scripts/pipeline/generateFiles.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { checkModules } from "./checkModules.ts";
import { loadContractSchemas } from "./loadContractSchemas.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string) => ({ content: { "application/json": { schema: ref(name) } } });
const text = { type: "string" } as const;
const object = (properties: Readonly<Record<string, object>>, ...required: readonly string[]) => ({
  type: "object" as const,
  properties,
  required: [...required],
});
/** An operation that takes and returns a component. */
const echo = (name: string) => ({
  post: {
    operationId: `echo${name}`,
    requestBody: { required: true, ...json(name) },
    responses: { "200": { description: "The same.", ...json(name) } },
  },
});

const echoed = ["Account", "Accounts", "Pet", "Owner", "Late", "Tree", "Names", "Price", "Marked"];

/** A contract with what the project's own hasn't. */
const document: OpenApiDocument = {
  openapi: "3.1.1",
  info: { title: "Constructs", version: "1" },
  paths: {
    ...Object.fromEntries(echoed.map((name) => [`/${name}`, echo(name)])),
    "/files": {
      post: {
        operationId: "upload",
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": { schema: object({ file: { type: "string", format: "binary" } }, "file") },
          },
        },
        responses: { default: { description: "The file.", ...json("Blob") } },
      },
    },
  },
  webhooks: { changed: { post: { requestBody: json("Account"), responses: { "204": { description: "Done." } } } } },
  components: {
    schemas: {
      Id: { type: "integer", readOnly: true },
      Account: object({ id: ref("Id"), secret: { ...text, writeOnly: true }, name: text }, "id", "secret", "name"),
      Accounts: object({ list: { type: "array", items: ref("Account") } }, "list"),
      Pet: {
        oneOf: [ref("Cat"), ref("Dog")],
        discriminator: { propertyName: "kind", mapping: { cat: ref("Cat").$ref, dog: ref("Dog").$ref } },
      },
      Cat: object({ kind: { const: "cat" }, lives: { type: "integer" } }, "kind", "lives"),
      Dog: object({ kind: { ...text, enum: ["dog"] }, tricks: text }, "kind", "tricks"),
      Person: object({ name: text, born: text }, "pet"),
      Owner: {
        allOf: [ref("Person"), object({ pet: ref("Pet"), name: { ...text, minLength: 1 } }), object({}, "name")],
      },
      Late: { allOf: [ref("Owner")], required: ["born"], description: "Requires what is in a part of a part." },
      Tree: object({
        children: { type: "array", items: ref("Tree") },
        named: ref("Trees"),
        next: { anyOf: [ref("Tree"), { type: "null" }] },
      }),
      Trees: { type: "object", additionalProperties: ref("Tree") },
      Names: object(
        { toString: text, isPrototypeOf: ref("toString"), at: text, ["__proto__"]: text },
        ...["toString", "isPrototypeOf", "__proto__"],
      ),
      toString: object({ valueOf: text }, "valueOf"),
      Blob: object({ sha: text }, "sha"),
      Price: object({ amount: { type: "number", multipleOf: 0.01 } }),
      Word: { ...text, pattern: "(?i)^[a-z]+$" },
      Marked: object({ word: ref("Word"), at: { type: "integer" } }, "word"),
    },
  },
};

const program = `
import { createClient, type Account, type AccountRequest, type Late, type Names, type Owner, type Pet, type Tree } from "./client.ts";
import { postChangedRequest } from "./schemas.ts";
const client = createClient({ baseUrl: "https://api.example.com" });

await client.POST("/Account", { body: { secret: "s", name: "n" } });
await client.POST("/Account", { body: { id: 1, secret: "s", name: "n" } });
await client.POST("/Accounts", { body: { list: [{ secret: "s", name: "n" }] } });
export const received: Account = { id: 1, name: "n" };
export const sent: AccountRequest = { name: "n", secret: "s" };
// @ts-expect-error -- requests have a secret
await client.POST("/Account", { body: { id: 1, name: "n" } });
// @ts-expect-error -- also in lists
await client.POST("/Accounts", { body: { list: [{ name: "n" }] } });
// @ts-expect-error -- responses have an id
export const unnumbered: Account = { secret: "s", name: "n" };
const changed = postChangedRequest["~standard"].validate({});
export const numberOf: number | undefined = changed.issues ? undefined : changed.value.id;

export const pets: Pet[] = [{ kind: "cat", lives: 9 }, { kind: "dog", tricks: "none" }];
export const tricks = pets.map((pet) => (pet.kind === "dog" ? pet.tricks : pet.lives.toFixed()));
// @ts-expect-error -- not this kind
export const mixed: Pet = { kind: "dog", lives: 9 };
// @ts-expect-error -- no kind
export const strange: Pet = { kind: "Cat", lives: 9 };

export const owner: Owner = { name: "n", pet: { kind: "cat", lives: 9 } };
export const late: Late = { ...owner, born: "1990" };
// @ts-expect-error -- another part requires the name
export const nameless: Owner = { pet: { kind: "cat", lives: 9 } };
// @ts-expect-error -- and the component, the pet
export const petless: Owner = { name: "n" };
// @ts-expect-error -- and what is around all, the birth
export const unborn: Late = owner;
export const bornIn: string = late.born;

export const tree: Tree = { children: [{ next: null }], named: { a: { children: [] } } };
// @ts-expect-error -- a tree all the way down
export const wrongTree: Tree = { children: [{ next: { children: [1] } }] };
export const names: Names = { toString: "a", isPrototypeOf: { valueOf: "b" }, ["__proto__"]: "c" };
// @ts-expect-error -- not a method
export const wrongName: string = names.toString();

const uploaded = await client.POST("/files", { body: { file: new Blob(["text"]) } });
export const [sha, reason]: (string | undefined)[] = [uploaded.data?.sha, uploaded.error?.sha];
// @ts-expect-error -- that is no file
await client.POST("/files", { body: { file: { sha: "abc" } } });
`;

const generation = readGeneration("constructs", document);
const modules = Object.fromEntries(
  generateFiles(generation).map(({ path, content }) => [path.split("/")[1] ?? "", content]),
);

it("constructs are typed, in requests and in responses", () => {
  const { "types.ts": types = "", "client.ts": client = "", "schemas.ts": schemas = "" } = modules;
  expect(checkModules({ "types.ts": types, "client.ts": client, "schemas.ts": schemas, "use.ts": program })).toEqual(
    [],
  );
});

const cat = { kind: "cat", lives: 9 };

/** Bodies that a client takes, and others with what it says. */
const bodies: Readonly<
  Record<string, { readonly valid: readonly object[]; readonly refused: Readonly<Record<string, object>> }>
> = {
  Account: {
    valid: [
      { secret: "s", name: "n" },
      { id: 1, secret: "s", name: "n" },
    ],
    refused: {
      "secret is missing": { id: 1, name: "n" },
      "id must be of type integer": { id: "1", secret: "s", name: "n" },
    },
  },
  Accounts: {
    valid: [{ list: [{ secret: "s", name: "n" }] }],
    refused: { "list.0.secret is missing": { list: [{ name: "n" }] } },
  },
  Pet: {
    valid: [cat, { kind: "dog", tricks: "" }],
    refused: { 'kind must be "dog"': { kind: "Dog", tricks: "" }, "lives is missing": { kind: "cat" } },
  },
  Owner: {
    valid: [{ name: "n", pet: cat }],
    refused: { "name is missing": { pet: cat }, "pet is missing": { name: "n" } },
  },
  Late: { valid: [{ name: "n", pet: cat, born: "1990" }], refused: { "born is missing": { name: "n", pet: cat } } },
  Tree: {
    valid: [{ named: { a: { children: [] } }, next: null }],
    refused: { "next.children.0 must be of type object": { next: { children: [1] } } },
  },
  Names: {
    valid: [{ toString: "a", isPrototypeOf: { valueOf: "b" }, ["__proto__"]: "c" }],
    refused: {
      "toString is missing; isPrototypeOf is missing; __proto__ is missing": {},
      "toString must be of type string": { toString: 1, isPrototypeOf: { valueOf: "b" }, ["__proto__"]: "c" },
      "isPrototypeOf.valueOf is missing": { toString: "a", isPrototypeOf: {}, ["__proto__"]: "c" },
      "__proto__ must be of type string": { toString: "a", isPrototypeOf: { valueOf: "b" }, ["__proto__"]: 1 },
    },
  },
  Price: {
    valid: [19.99, 4.35, 0.07, 1.1, -0.29, 3].map((amount) => ({ amount })),
    refused: { "amount must be a multiple of 0.01": { amount: 0.005 } },
  },
  // Nothing is compared with what isn't a regular expression, and what contains it is checked without.
  Marked: { valid: [{ word: 7 }], refused: { "word is missing; at must be of type integer": { at: "a" } } },
};

it("clients validate constructs, in requests and in responses", async () => {
  const schemas = await loadContractSchemas(modules["schemas.ts"] ?? "");
  let answer: unknown;
  const client = createContractClient<{ post: Record<string, { requestBody: { content: { json: unknown } } }> }>(
    collectFacts(generation),
    {
      baseUrl: "https://api.example.com",
      validate: "throw",
      schemas,
      fetch: () => Promise.resolve(Response.json(answer)),
    },
  );
  const call = (name: string, body: unknown) =>
    client.POST(`/${name}`, { body }).then(
      ({ data }) => data,
      (error: unknown) => String(error),
    );
  for (const [name, { valid, refused }] of Object.entries(bodies)) {
    answer = name === "Account" ? { id: 1, name: "n" } : name === "Accounts" ? { list: [] } : valid[0];
    for (const body of valid) expect(await call(name, body)).toEqual(answer);
    for (const [message, body] of Object.entries(refused))
      expect(await call(name, body)).toBe(`ContractError: POST /${name}: the request breaks the contract: ${message}`);
  }
  answer = { name: "n", secret: "s" };
  expect(await call("Account", answer)).toBe(
    "ContractError: POST /Account: the response, 200, breaks the contract: id is missing",
  );
});
