import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { type MockServer, startServer } from "../../scripts/mock/server/server.ts";
import { generateClient } from "../../scripts/pipeline/clientModule.ts";
import { generateSchemas } from "../../scripts/pipeline/schemasModule.ts";
import { valueAt } from "../../scripts/values/json.ts";
import type { OpenApiDocument, SchemaObject } from "../../scripts/spec/openapi.ts";
import { isClientModule, type ClientModule } from "./dynamic.ts";
import { startRecorder } from "./recorder.ts";

const plan: SchemaObject = {
  type: "object",
  required: ["title", "file"],
  properties: {
    title: { type: "string" },
    floors: { type: "array", items: { type: "integer" } },
    place: { type: "object", properties: { x: { type: "integer" } } },
    file: { ...{ contentMediaType: "application/pdf" } },
    photos: { type: "array", items: { type: "string", format: "binary" } },
  },
};
const done = { "204": { description: "Done." } };
const json = { "application/json": { schema: { type: "boolean" }, example: true } } as const;

/** A contract with files in both directions, beside JSON and text. */
const document: OpenApiDocument = {
  openapi: "3.1.1",
  info: { title: "Files", version: "1" },
  paths: {
    "/plans": {
      post: {
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: plan,
              encoding: {
                photos: { contentType: "image/png, image/jpeg", style: "form", explode: true, allowReserved: false },
              },
            },
          },
        },
        responses: { "200": { description: "The plan.", content: json } },
      },
    },
    "/either": { post: { requestBody: { content: { ...json, "application/pdf": {} } }, responses: done } },
    "/photo": { put: { requestBody: { content: { "image/png": {}, "image/jpeg": {} } }, responses: done } },
    "/bytes": { put: { requestBody: { content: { "application/octet-stream": { schema: {} } } }, responses: done } },
    "/notes": {
      put: { requestBody: { content: { "text/plain": { schema: { type: "string" } } } }, responses: done },
      get: { responses: { "200": { description: "", content: { "text/plain": { schema: { type: "string" } } } } } },
    },
    "/invoice": { get: { responses: { "200": { description: "A file.", content: { "application/pdf": {} } } } } },
    "/report": {
      get: {
        responses: {
          "200": { description: "As it is asked for.", content: { ...json, "application/pdf": { schema: {} } } },
          "204": { description: "There is none." },
        },
      },
    },
  },
};
const generation = readGeneration("files", document);

let folder: string;
let module: ClientModule;
let schemas: unknown;
let mock: MockServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "files-"));
  const local = (text: string) => text.replaceAll("../../scripts/", `${resolve("scripts")}/`);
  await writeFile(join(folder, "client.ts"), local(generateClient(generation)));
  await writeFile(join(folder, "schemas.ts"), local(generateSchemas(generation)));
  const imported: unknown = await import(pathToFileURL(join(folder, "client.ts")).href);
  if (!isClientModule(imported)) throw new Error("client.ts has no createClient");
  module = imported;
  const generated: unknown = await import(pathToFileURL(join(folder, "schemas.ts")).href);
  schemas = valueAt(generated, ["schemas"]);
  mock = await startServer({ generations: [generation], stateless: true });
});

afterAll(async () => {
  await mock.close();
  await rm(folder, { recursive: true });
});

const pdf = () => new Blob(["%PDF \u00ff"], { type: "application/pdf" });

describe("the client of a contract with files", () => {
  const call = (baseUrl: string, method: string, path: string, init = {}) =>
    module.createClient({ baseUrl, auth: {} }).request(method, path, { params: {}, ...init });

  it("makes a form of an object, which the mock takes", async () => {
    const body = { title: "Ground", floors: [1, 2], place: { x: 1 }, file: pdf(), photos: [], none: undefined };
    expect(await call(mock.url, "post", "/plans", { body })).toMatchObject({ data: true });
    await using recorder = await startRecorder();
    await call(recorder.url, "post", "/plans", { body, headers: { "Content-Type": "multipart/form-data" } });
    const [arrival] = recorder.arrivals;
    const headers = { "content-type": arrival?.headers["content-type"] ?? "" };
    const form = await new Response(arrival?.body, { headers }).formData();
    const parts = Array.from(form, ([name, part]) => [name, typeof part === "string" ? part : part.type]);
    expect(parts).toEqual([
      ...[["title", "Ground"] as const, ["floors", "1"] as const, ["floors", "2"] as const],
      ...[["place", '{"x":1}'] as const, ["file", "application/pdf"] as const],
    ]);
  });

  it.each([
    ["post", "/either", { a: 1 }, "application/json", '{"a":1}'],
    ["post", "/either", pdf(), "application/pdf", "%PDF \u00ff"],
    ["put", "/photo", new Blob(["x"], { type: "image/jpeg" }), "image/jpeg", "x"],
    ["put", "/photo", new Blob(["x"]), "application/octet-stream", "x"],
    ["put", "/bytes", new Blob(["x"], { type: "text/html" }), "application/octet-stream", "x"],
    ["put", "/notes", '"quoted"', "text/plain", '"quoted"'],
  ] as const)("sends to %s %s what it is given (%#)", async (method, path, body, type, text) => {
    await using recorder = await startRecorder((_, response) => {
      response.writeHead(204).end();
    });
    await call(recorder.url, method, path, { body });
    expect(recorder.arrivals).toMatchObject([{ headers: { "content-type": type }, body: text }]);
  });

  it("gives files as Blobs, texts as strings and JSON as its value", async () => {
    const invoice = await call(mock.url, "get", "/invoice");
    expect(invoice.data).toBeInstanceOf(Blob);
    expect(invoice.data).toMatchObject({ type: "application/pdf" });
    expect(typeof (await call(mock.url, "get", "/notes")).data).toBe("string");
    const report = (accept: string) => call(mock.url, "get", "/report", { headers: { accept } });
    expect((await report("application/json")).data).toBe(true);
    expect((await report("application/pdf")).data).toBeInstanceOf(Blob);
  });

  it("knows a media type in whatever case", async () => {
    await using server = await startRecorder((_, response) => {
      response.setHeader("Content-Type", "Application/JSON").end("true");
    });
    expect((await call(server.url, "get", "/report")).data).toBe(true);
  });

  it("accepts an empty file and an empty text, but not missing JSON", async () => {
    await using server = await startRecorder((_, response) => {
      response.end();
    });
    expect((await call(server.url, "get", "/invoice")).data).toMatchObject({ size: 0 });
    expect((await call(server.url, "get", "/notes")).data).toBe("");
    expect((await call(server.url, "get", "/report")).data).toBeUndefined();
    await expect(call(server.url, "post", "/plans", { body: {} })).rejects.toThrow("it has no body");
  });

  it("validates forms, where a file is not text", async () => {
    const client = module.createClient({ baseUrl: mock.url, auth: {}, ...{ validate: "throw", schemas } });
    const post = (body: unknown) => client.request("post", "/plans", { params: {}, body });
    expect(await post({ title: "Ground", file: pdf() })).toMatchObject({ data: true });
    await expect(post({ title: "Ground", file: "text" })).rejects.toThrow("file must be a Blob");
    await expect(post({ file: pdf(), photos: ["text"] })).rejects.toThrow("title is missing; photos.0 must be a Blob");
    expect((await client.request("post", "/either", { params: {}, body: pdf() })).response.status).toBe(204);
  });
});

describe("the mock of a contract with files", () => {
  const post = async (...parts: readonly (readonly [name: string, content: string | Blob])[]) => {
    const form = new FormData();
    for (const [name, content] of parts) form.append(name, content);
    const response = await fetch(`${mock.url}/plans`, { method: "POST", body: form });
    const body: unknown = await response.json();
    return [response.status, body] as const;
  };
  const title = ["title", "Ground"] as const;

  it("takes a form with files of the right media types", async () => {
    const photo = new Blob(["x"], { type: "image/jpeg" });
    expect(await post(title, ["file", pdf()], ["photos", photo], ["photos", photo])).toEqual([200, true]);
  });

  it.each([
    [
      "another media type",
      [title, ["file", new Blob(["x"], { type: "text/plain" })]],
      "/file",
      'must be application/pdf; its Content-Type is "text/plain"',
    ],
    [
      "one of several",
      [title, ["file", pdf()], ["photos", new Blob(["x"])]],
      "/photos",
      'must be image/png or image/jpeg; its Content-Type is "application/octet-stream"',
    ],
    ["a field in place of a file", [title, ["file", "text"]], "/file", "must be a file with a file name"],
    ["no file", [title], "", "required property 'file'"],
  ] as const)("says what is wrong with a form that has %s", async (_, parts, pointer, words) => {
    const [status, problem] = await post(...parts);
    const message: unknown = expect.stringContaining(words);
    expect([status, problem]).toMatchObject([422, { violations: [{ in: "body", pointer, message }] }]);
  });

  it("takes an empty part with an empty file name for no file, since browsers send it if none was chosen", async () => {
    const part = (fields: string, text: string) =>
      `--b\r\nContent-Disposition: form-data; ${fields}\r\n\r\n${text}\r\n`;
    const unchosen = (name: string, text = "") =>
      part(`name="${name}"; filename=""\r\nContent-Type: application/octet-stream`, text);
    const file = part('name="file"; filename="a.pdf"\r\nContent-Type: application/pdf', "%PDF");
    const send = async (...parts: readonly string[]): Promise<readonly unknown[]> => {
      const response = await fetch(`${mock.url}/plans`, {
        method: "POST",
        headers: { "content-type": "multipart/form-data; boundary=b" },
        body: `${part('name="title"', "Ground")}${parts.join("")}--b--\r\n`,
      });
      const answer: unknown = await response.json();
      return [response.status, answer];
    };
    const refused = (pointer: string, words: string) => {
      const message: unknown = expect.stringContaining(words);
      return [422, { violations: [{ pointer, message }] }];
    };
    expect(await send(file, unchosen("photos"))).toEqual([200, true]);
    expect(await send(unchosen("file"))).toMatchObject(refused("", "required property 'file'"));
    const isField = refused("/file", "must be a file with a file name");
    expect(await send(unchosen("file", "text"))).toMatchObject(isField);
  });

  it("refuses a form of too many parts", async () => {
    const fields = Array.from({ length: 1_001 }, (): readonly [string, string] => ["x", ""]);
    expect(await post(...fields)).toMatchObject([413, { detail: "The body has more than 1000 parts." }]);
  });

  it("sends a file that can be opened, and its headers alone for HEAD", async () => {
    const response = await fetch(`${mock.url}/invoice`);
    const head = await fetch(`${mock.url}/invoice`, { method: "HEAD" });
    const lengthOf = ({ headers }: Response) => [headers.get("content-type"), headers.get("content-length")];
    expect([head.status, await head.text(), lengthOf(head)]).toEqual([200, "", lengthOf(response)]);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(await response.text()).toMatch(/^%PDF-1\.\d\n.*%%EOF\n$/s);
  });
});
