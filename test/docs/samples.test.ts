import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { jsonContent, type Generation } from "../../scripts/contract/generation.ts";
import { isDocument, methods } from "../../scripts/contract/openapi.ts";
import { runCurl, type Outcome } from "../curl.ts";
import { startDocs, type Started } from "./start.ts";

interface Shown {
  readonly operation: string;
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

let docs: Started;
let generations: readonly Generation[];
let folder: string;
let samples: readonly Shown[];

beforeAll(async () => {
  [docs, generations] = await Promise.all([startDocs(), readBuiltGenerations()]);
  folder = await mkdtemp(join(tmpdir(), "samples-"));
  samples = (await Promise.all(generations.map(({ name }) => readSamples(name)))).flat();
});

afterAll(async () => {
  await docs.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The samples that a reference page hands to the renderer. */
async function readSamples(generation: string): Promise<Shown[]> {
  const script = await (await fetch(`${docs.url}/${generation}/reference.js`)).text();
  let shown: unknown;
  const hydrate = (document: unknown) => {
    shown = JSON.parse(JSON.stringify(document));
  };
  const [call = ""] = script.split("\n");
  runInContext(call, createContext({ hydrate, document: { getElementById: () => undefined } }));
  if (!isDocument(shown)) throw new Error("the page hands no document to the renderer");
  return Object.entries(shown.paths ?? {}).flatMap(([path, pathItem]) =>
    methods.flatMap((method) => {
      const found = ("$ref" in pathItem ? undefined : pathItem[method]?.["x-codeSamples"]) ?? [];
      return found.map(({ lang, label, source }) => ({
        operation: `${method.toUpperCase()} ${path}`,
        lang,
        label: label ?? "",
        source,
      }));
    }),
  );
}

function run(command: string, args: readonly string[]) {
  return new Promise<Outcome>((settle) => {
    execFile(command, args, (error, stdout, stderr) => {
      settle({ code: error?.code ?? 0, output: stdout + stderr });
    });
  });
}

describe("the samples", () => {
  it("are there for each operation, in both languages, one for each example of its body", () => {
    const labels = Map.groupBy(samples, ({ operation }) => operation);
    for (const { operations } of generations) {
      for (const operation of operations) {
        const names = jsonContent(operation.requestBody?.content)?.examples.map(({ name }) => name) ?? [];
        const suffixes = names.length > 1 ? names.map((name) => `: ${name}`) : [""];
        const shown = labels.get(operation.name) ?? [];
        expect(shown.map(({ label }) => label)).toEqual(
          ["TypeScript", "curl"].flatMap((lang) => suffixes.map((suffix) => lang + suffix)),
        );
      }
    }
  });

  it("in curl succeed when they are pasted into a shell", async () => {
    const curls = samples.filter(({ lang }) => lang === "curl");
    expect(curls.length).toBeGreaterThan(0);
    const results = await Promise.all(
      // Options that do not change what is sent, only what is printed of the response.
      curls.map(async ({ operation, source }) => ({
        operation,
        ...(await runCurl(source, String.raw`--silent --write-out '\n%{http_code}'`)),
      })),
    );
    const failures = results.filter(({ code, output }) => code !== 0 || !/\n2\d\d$/.test(output));
    expect(failures).toEqual([]);
  });

  describe("in TypeScript", () => {
    let files: readonly string[];

    beforeAll(async () => {
      const programs = samples.filter(({ lang }) => lang === "TypeScript");
      files = programs.map((_, index) => join(folder, `sample-${index}.mts`));
      await Promise.all(programs.map(({ source }, index) => writeFile(files[index] ?? "", source)));
    });

    it("compile", async () => {
      const tsconfig = join(folder, "tsconfig.json");
      await writeFile(
        tsconfig,
        JSON.stringify({
          extends: resolve("tsconfig.json"),
          compilerOptions: {
            typeRoots: [resolve("node_modules/@types")],
            paths: { "scheduling-service-api/*": [resolve("generated/*/client.ts")] },
          },
          include: [join(folder, "*.mts")],
        }),
      );
      const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
      expect(await run(process.execPath, [tsc, "--project", tsconfig])).toEqual({ code: 0, output: "" });
    });

    it("run, and print the data of the answer", async () => {
      const { output } = await run(process.execPath, [resolve("test/docs/runSamples.ts"), ...files]);
      const [, report = ""] = output.split("\0");
      expect(JSON.parse(report)).toEqual([]);
    });
  });
});
