import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseJson } from "../../scripts/spec/json.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";

interface SmallResponse {
  readonly status: number;
  readonly body: unknown;
}

/** A project with one generation, v1, as it is after it was built, and with some other files. */
export async function createSmallProject(description: object, files: Readonly<Record<string, string>> = {}) {
  const directory = await mkdtemp(join(tmpdir(), "verify-"));
  const info = { title: "Small", version: "1.0.0" };
  const document = JSON.stringify({ openapi: "3.1.0", info, ...description });
  const all = { "redocly.yaml": "apis: { v1: { root: openapi.json } }", "openapi.json": document, ...files };
  await mkdir(join(directory, "generated/v1"), { recursive: true });
  await writeFile(join(directory, "generated/v1/openapi.json"), document);
  for (const [name, content] of Object.entries(all)) await writeFile(join(directory, name), content);
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

/** A server of a few lines, which keeps what it is asked for, as `GET /rooms`. */
export async function serveJson(
  respond: (request: string, headers: NodeJS.Dict<string | string[]>, body: unknown) => SmallResponse,
) {
  const requests: string[] = [];
  const served = await serveHttp((request, response) => {
    const name = `${request.method ?? ""} ${request.url ?? ""}`;
    requests.push(name);
    void text(request).then((sent) => {
      const { status, body } = respond(name, request.headers, parseJson(sent));
      const challenge = status === 401 ? { "www-authenticate": "Bearer" } : {};
      response.writeHead(status, { "content-type": "application/json", ...challenge });
      response.end(status === 204 ? undefined : JSON.stringify(body));
    });
  });
  return { ...served, requests };
}
