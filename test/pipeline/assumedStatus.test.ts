import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { readGeneration, successResponses } from "../../scripts/contract/generation.ts";
import { runHere } from "./project.ts";

test("npm run build -- --assume-200 writes bundles with 200 for 2XX, which say so, and leaves generated/ alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assumed-"));
  try {
    const { code, stdout, stderr } = await runHere(process.cwd(), "build.ts", ["--assume-200", folder]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/v1\.yaml, which assumes the status code 200 for 5 operations\n.*for 1 operation\n$/);
    expect(await readdir(folder)).toEqual(["v1.yaml", "v2.yaml"]);
    for (const { name, operations, document } of await readBuiltGenerations()) {
      const text = await readFile(join(folder, `${name}.yaml`), "utf8");
      const bundle = load(text);
      if (!isDocument(bundle)) throw new Error("no OpenAPI description");
      const statuses = readGeneration(name, bundle).operations.map((operation) => {
        const [response] = successResponses(operation);
        return [operation.name, response?.status, response?.description.includes("200 is an assumption")];
      });
      const expected = operations.map((operation) => {
        const [response] = successResponses(operation);
        const isOpen = response?.status === "2XX";
        return [operation.name, isOpen ? "200" : response?.status, isOpen];
      });
      expect(statuses).toEqual(expected);
      expect(bundle.components).toEqual(document.components);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("npm run build refuses to check and to write at once", async () => {
  const { code, stderr } = await runHere(process.cwd(), "build.ts", ["--check", "--assume-200", "nowhere"]);
  expect([code, stderr]).toEqual([1, "error: --check writes nothing: give either --check or --assume-200\n"]);
});
