import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { copyProject, repository } from "../pipeline/project.ts";
import { watch } from "./browser.ts";
import { it } from "./it.ts";

it(
  "takes over what is saved: in the mock, on open pages, and in generated/",
  { timeout: 120_000 },
  async ({ browser }) => {
    await using project = await copyProject();
    await using dev = await startDev(project.directory);
    await using watched = await watch(browser, dev.url);
    const { page, faults } = watched;
    const notice = page.getByRole("alert");
    await page.goto(`${dev.url}/v2/rooms/create-room/`);
    await page.getByRole("heading", { name: "Create a room" }).waitFor();

    await project.edit("openapi/v2/rooms.yaml", "summary: Create a room", "summary: Open a room");
    await page.goto(`${dev.url}/v2/`);
    await page.getByRole("link", { name: "Open a room" }).first().waitFor();
    await project.edit("openapi/v2/rooms.yaml", "summary: Open a room", "summary: Add a room");
    await page.getByRole("link", { name: "Add a room" }).first().waitFor();
    await expect
      .poll(() => readFile(join(project.directory, "generated/v2/types.ts"), "utf8"), patience)
      .toContain("Add a room");
    expect(dev.output()).toMatch(/Reloaded in \d+ ms: v1: \d operations?, v2: \d operations?\n/);

    // A description in a Markdown file of its own is a source, too.
    await project.edit("openapi/v2/description.md", "Has just", "Describes just");
    await page.getByText("Describes just what").first().waitFor();

    // A breach of house style holds nothing up.
    await project.edit("openapi/v2/rooms.yaml", "summary: Add a room", "deprecated: false");
    await expect.poll(dev.output, patience).toMatch(/rooms\.yaml:\d+:\d+: warning \(operation-summary\)/);
    await expect
      .poll(() => readFile(join(project.directory, "generated/v2/openapi.yaml"), "utf8"), patience)
      .toContain("deprecated: false");

    // A mistake keeps the last valid contract.
    const file = join(project.directory, "openapi/v2/openapi.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("paths:", "paths: ["));
    await notice.getByText(/openapi\.yaml:\d+:\d+: error[^]*last valid contract is still served/).waitFor();
    expect(dev.output()).toMatch(/openapi\.yaml:\d+:\d+: error[^]*last valid contract is still served/);
    const answer = await fetch(`${dev.url}/v2/rooms`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
    await writeFile(file, text);
    await notice.waitFor({ state: "detached" });

    expect(faults).toEqual([]);
    expect(await dev.stop()).toBe(0);
  },
);

const patience = { timeout: 30_000 };

/** Runs `npm run dev` in a folder until it says where it listens. */
async function startDev(folder: string) {
  const args = [join(repository, "scripts/dev.ts"), "--port", "0"];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const exit = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const urlIn = () => /^Listening on (\S+)\n/m.exec(output)?.[1];
  await expect.poll(() => urlIn() ?? child.exitCode, patience).not.toBeNull();
  const stop = async () => {
    child.kill("SIGINT");
    await exit;
    return child.exitCode;
  };
  return { url: urlIn() ?? output, output: () => output, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
