import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isObject } from "../../scripts/spec/json.ts";
import { valueAt } from "../../scripts/spec/jsonPointer.ts";
import { repository, runHere } from "../pipeline/project.ts";
import { startExampleServer, type Deviation } from "./exampleServer.ts";

let folder: string;
/** A copy of this project's contract: what is proposed is taken over there. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proposals-"));
  for (const path of ["openapi", "generated"])
    await cp(join(repository, path), join(folder, path), { recursive: true });
  const configuration = await readFile(join(repository, "redocly.yaml"), "utf8");
  const plugin = join(repository, "scripts/redocly/plugin.ts");
  await writeFile(join(folder, "redocly.yaml"), configuration.replace("scripts/redocly/plugin.ts", plugin));
});
afterAll(() => rm(folder, { recursive: true }));

const verify = (...args: readonly string[]) => runHere(folder, "verify.ts", ["--rate", "100000", ...args]);
const apply = (...args: readonly string[]) => promisify(execFile)("git", ["apply", ...args], { cwd: folder });

/** Asks for the credentials that one operation may need, and adds a property and two values to responses. */
const fillGaps: Deviation = (answer, { operation, query }) => {
  if (operation.operationId === "getAttendee" && !query.has("apiKey")) return { ...answer, status: 401, body: {} };
  const data: unknown = valueAt(answer.body, ["data"]);
  const more =
    operation.operationId === "getOrganizationTeam"
      ? { plan: "gold", labels: ["a"], meta: {}, owner: null }
      : operation.operationId === "getOrganizationMembership"
        ? { role: "GUEST" }
        : undefined;
  if (!isObject(answer.body) || !isObject(data) || more === undefined) return answer;
  return { ...answer, body: { ...answer.body, data: { ...data, ...more } } };
};

it("proposes what a server that fills gaps shows, and nothing else", { timeout: 120_000 }, async () => {
  await using server = await startExampleServer(fillGaps);
  const { code, stderr } = await verify("--server", server.url, "--propose", "a.patch");
  expect(code, stderr).toBe(0);
  const patch = await readFile(join(folder, "a.patch"), "utf8");
  expect(patch.split("\n").filter((line) => /^[+-]/.test(line))).toEqual([
    "--- a/openapi/v1/attendees.yaml",
    "+++ b/openapi/v1/attendees.yaml",
    "+          # Observed in 2 of 2 responses.",
    '+          "200":',
    "-          2XX:",
    "+          # Observed: 1 of 1 calls without credentials were refused.",
    "-          - {}",
    "+          # Observed in 1 of 1 responses.",
    '+          "200":',
    "-          2XX:",
    "--- a/openapi/v2/shared/memberships.yaml",
    "+++ b/openapi/v2/shared/memberships.yaml",
    '+        - "GUEST" # Observed 1 time.',
    "--- a/openapi/v2/shared/teams.yaml",
    "+++ b/openapi/v2/shared/teams.yaml",
    "+        # Observed 1 time.",
    '+        "plan":',
    "+          type: string",
    "+        # Observed 1 time.",
    '+        "labels":',
    "+          type: array",
    "+        # Observed 1 time.",
    '+        "meta":',
    "+          type: object",
  ]);
  await apply("--check", "a.patch");
  await apply("a.patch");
  expect(await runHere(folder, "lint.ts", [])).toMatchObject({ code: 0 });
  expect(stderr).toMatch(/Not proposed, because it can't be placed safely: v2 #.*\/properties\/owner: null\n/);
});

it("writes nothing where there is nothing to propose", async () => {
  await using server = await startExampleServer();
  const run = await verify("--server", server.url, "--operation", "getOrganizationTeam", "--propose", "b.patch");
  expect(run.stderr).toContain("Nothing to propose: b.patch is not written");
});
