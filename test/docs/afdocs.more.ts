import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks, type CheckStatus } from "afdocs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { writeSite } from "../../scripts/docs/site/writeSite.ts";
import type { HttpServer } from "../fixtures/serveHttp.ts";
import { serveSite } from "./serveSite.ts";

const siteUrl = "https://docs.example";
let folder: string;
let paths: readonly string[];

beforeAll(async () => {
  const generations = await readBuiltGenerations();
  paths = ["", "authentication/", "unspecified/", ...generations.flatMap(pagesOf)];
  folder = join(await mkdtemp(join(tmpdir(), "afdocs-")), "site");
  await writeSite({ generations, folder, url: `${siteUrl}/` });
});

afterAll(async () => {
  await rm(join(folder, ".."), { recursive: true });
});

/** A page of each type: of operations, the one with the longest description and one more. */
function pagesOf(generation: Generation): readonly string[] {
  const addresses = readAddresses(generation);
  const operations = [...addresses.operations].toSorted(
    ([a], [b]) => JSON.stringify(b.responses).length - JSON.stringify(a.responses).length,
  );
  const schemas = [...addresses.schemas.values()];
  return [addresses.generation, ...operations.map(([, path]) => path).slice(0, 2), ...schemas.slice(0, 2)];
}

/** One is for sites that ask readers to log in. The menu comes before the content in the order of the keyboard. */
const exceptions: Readonly<Record<string, CheckStatus>> = {
  "auth-alternative-access": "skip",
  "content-start-position": "warn",
};

/** afdocs (0.22.2) takes a short page that contains "404" for an error, and the pages contain the server's port. */
async function serveWithout404(site: string): Promise<HttpServer> {
  const served = await serveSite(site);
  if (!served.url.includes("404")) return served;
  await using _closed = served;
  return await serveWithout404(site);
}

it("agents find, fetch and read the docs, as the checks of afdocs demand", async () => {
  await using served = await serveWithout404(folder);
  const requests = vi.spyOn(globalThis, "fetch");
  const { results } = await runChecks(served.url, {
    // The addresses in the files are those of the published site.
    canonicalOrigin: siteUrl,
    curatedPages: paths.map((path) => `${served.url}/${path}`),
    samplingStrategy: "curated",
    requestDelay: 0,
    maxConcurrency: 8,
    // On the page these are what fields are folded under.
    parityExclusions: [".fields summary"],
  });
  const hosts = requests.mock.calls.map(
    ([address]) => new URL(address instanceof Request ? address.url : address).host,
  );
  expect([...new Set(hosts)]).toEqual([new URL(served.url).host]);
  expect(results.length).toBeGreaterThan(25);
  const unexpected = results.filter(({ id, status }) => status !== (exceptions[id] ?? "pass"));
  expect(unexpected).toEqual([]);
});
