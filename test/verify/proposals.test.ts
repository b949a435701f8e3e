import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { elementsOf, isObject, objectsOf, parseJson, stringsOf, valueAt } from "../../scripts/values/json.ts";
import { copyProject, repository, runHere, runNode } from "../pipeline/project.ts";
import { startExampleServer } from "../fixtures/exampleServer.ts";

const room = {
  level: 5,
  tags: ["a", null],
  seats: [],
  owner: { name: "Ada", on: true, rooms: [{ id: 1.5 }, { id: 2 }] },
};

/** Adds to a body what the contract leaves open. */
function withMore(body: unknown): unknown {
  if (!isObject(body)) return body;
  const data = body["data"];
  const inside = isObject(data)
    ? { data: { ...data, room, passwordHash: "x", ...("role" in data && { role: "yes" }) } }
    : {};
  return { ...body, ...inside, room };
}

interface Edit {
  readonly file: string;
  readonly line: number;
  readonly where: unknown;
  readonly lines: readonly string[];
}

/** What findings say to write, each at its line. */
function editsOf(findings: readonly Readonly<Record<string, unknown>>[]): readonly Edit[] {
  const edits = findings.flatMap(({ proposal, operations }) =>
    isObject(proposal)
      ? objectsOf(operations).map(({ file, line }): Edit => {
          const { where, lines } = proposal;
          return { file: String(file), line: Number(line), where, lines: stringsOf(lines) };
        })
      : [],
  );
  const distinct = new Map(edits.map((edit) => [JSON.stringify(edit), edit]));
  return [...distinct.values()].toSorted((a, b) => b.line - a.line);
}

async function apply(directory: string, { file, line, where, lines }: Edit): Promise<void> {
  const path = join(directory, file);
  const text = (await readFile(path, "utf8")).split("\n");
  const held = text[line - 1] ?? "";
  const indent = " ".repeat(held.length - held.trimStart().length + (where === "below" ? 2 : 0));
  const added = lines.map((one) => indent + one);
  text.splice(where === "below" ? line : line - 1, where === "below" ? 0 : 1, ...added);
  await writeFile(path, text.join("\n"));
}

it("proposes lines that pass lint, formatter and build, and remove the finding", async () => {
  await using server = await startExampleServer((answer, { isAuthorized }) =>
    isAuthorized ? { ...answer, body: withMore(answer.body) } : answer,
  );
  const args = ["--server", server.url, "--rate", "100000", "--format", "json", "--allow-changes"];
  const { stdout } = await runHere(repository, "verify.ts", args);
  const findings = objectsOf(valueAt(parseJson(stdout), ["findings"]));
  const edits = editsOf(findings);
  expect(edits.map(({ lines }) => lines[0])).toEqual(expect.arrayContaining(['"200":', '- "yes"', "room:", "schema:"]));
  expect(JSON.stringify(edits)).not.toContain("passwordHash");
  await using project = await copyProject();
  await rm(join(project.directory, "openapi"), { recursive: true });
  await cp(join(repository, "openapi"), join(project.directory, "openapi"), { recursive: true });
  const configuration = await readFile(join(repository, "redocly.yaml"), "utf8");
  const plugin = join(repository, "scripts/redocly/plugin.ts");
  await writeFile(join(project.directory, "redocly.yaml"), configuration.replace("scripts/redocly/plugin.ts", plugin));
  for (const edit of edits) await apply(project.directory, edit);
  expect(await project.buildHere()).toMatchObject({ code: 0, stderr: "" });
  await cp(join(repository, ".oxfmtrc.json"), join(project.directory, ".oxfmtrc.json"));
  const format = join(repository, "node_modules/oxfmt/bin/oxfmt");
  expect(await runNode(project.directory, [format, "--check", "openapi"])).toMatchObject({ code: 0, stderr: "" });
  const again = await runHere(project.directory, "verify.ts", args);
  const left = elementsOf(valueAt(parseJson(again.stdout), ["findings"])).filter(
    (one) => valueAt(one, ["proposal"]) !== undefined,
  );
  expect(left).toEqual([]);
});
