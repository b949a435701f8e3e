import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { startProgram } from "../fixtures/program.ts";
import { copyProject, repository } from "../pipeline/project.ts";
import { findViolations, openTryIt, watch } from "./browser.ts";
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

    // A save keeps what the reader has: the open form, what was typed, and the place in the text.
    await openTryIt(page);
    const body = page.getByLabel("Request body as JSON");
    await body.fill('{ "name": "Attic" }');
    const credential = page.locator("[data-place='header:Authorization'], [data-place='header:authorization']");
    const example = await credential.inputValue();
    await credential.fill("a-secret");
    const send = page.getByRole("button", { name: "Send", exact: true });
    await send.click();
    const response = page.getByRole("region", { name: "Response" });
    await response.getByText("The response follows the contract.").waitFor();
    const heading = page.locator("#responses");
    const top = async () => Math.round((await heading.boundingBox())?.y ?? 0);
    // Parts of the page are laid out when they come near.
    await expect
      .poll(async () => {
        await page.evaluate(
          (moved) => {
            scrollBy({ top: moved, behavior: "instant" });
          },
          (await top()) - 200,
        );
        return top();
      })
      .toBe(200);
    const paragraphs = Array.from({ length: 9 }, (_, index) => `          Paragraph ${index}.\n`).join("\n");
    // The name of a window outlives a reload.
    await page.evaluate(`const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) { name += value; setItem.call(this, key, value); }`);
    await project.edit("openapi/v2/rooms.yaml", "description: Adds a room.", `description: |\n${paragraphs}`);
    await page.getByText("Paragraph 8.").waitFor();
    await expect.poll(() => body.inputValue().catch(String)).toBe('{ "name": "Attic" }');
    await response.getByText("The response follows the contract.").waitFor();
    await response.getByText("This is the response to the previous request.").waitFor();
    await response.getByText("From before the last save, compared with the contract as it is now.").waitFor();
    // The browser stores credentials only if the reader agrees.
    expect(await credential.inputValue()).toBe(example);
    const stored = await page.evaluate("name");
    expect(stored).toContain("Attic");
    expect(stored).not.toContain("a-secret");
    expect(await send.evaluate((one) => one.matches(":focus"))).toBe(true);
    // Scrolling rounds to pixels.
    await expect.poll(async () => Math.abs((await top()) - 200)).toBeLessThan(2);

    // A response that is too large for the browser's storage is left out, and the rest is kept.
    await page.evaluate(`const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        if (value.includes('"response":{')) throw new DOMException("full", "QuotaExceededError");
        setItem.call(this, key, value);
      }`);
    await project.edit("openapi/v2/rooms.yaml", "summary: Create a room", "summary: Open a room");
    await page.getByRole("heading", { name: "Open a room" }).waitFor();
    await expect.poll(() => body.inputValue().catch(String)).toBe('{ "name": "Attic" }');
    await page.goto(`${dev.url}/v2/`);
    await page.getByRole("link", { name: "Open a room" }).first().waitFor();
    await project.edit("openapi/v2/rooms.yaml", "summary: Open a room", "summary: Add a room");
    await page.getByRole("link", { name: "Add a room" }).first().waitFor();
    await expect.poll(() => readFile(join(project.directory, "generated/v2/types.ts"), "utf8")).toContain("Add a room");
    expect(dev.output()).toMatch(/\n\d\d:\d\d:\d\d Reloaded in [\d.]+ m?s: v1: \d operations?, v2: \d operations?\n/);

    // A breach of house style holds nothing up.
    await project.edit("openapi/v2/rooms.yaml", "summary: Add a room", "deprecated: false");
    await expect.poll(dev.output).toMatch(/rooms\.yaml:\d+:\d+: warning \(operation-summary\)/);
    await expect
      .poll(() => readFile(join(project.directory, "generated/v2/openapi.yaml"), "utf8"))
      .toContain("deprecated: false");

    // A workflow that no longer fits is served beside it, and the report has its place.
    await mkdir(join(project.directory, "openapi/workflows"));
    const workflow = join(project.directory, "openapi/workflows/1.arazzo.yaml");
    await writeFile(workflow, lostWorkflow);
    await notice.getByText("v2 has no operation openRoom").waitFor();
    expect(dev.output()).toMatch(/1\.arazzo\.yaml:11:22: warning[^]* Served, but generated\/ is out of date\n/);
    await rm(workflow);
    await notice.waitFor({ state: "hidden" });

    // A mistake keeps the last valid contract.
    const file = join(project.directory, "openapi/v2/openapi.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("paths:", "paths: ["));
    await notice.getByText(/openapi\.yaml:\d+:\d+: error[^]*last valid contract is still served/).waitFor();
    const link = notice.getByRole("link", { name: /^openapi\/v2\/openapi\.yaml:\d+:\d+$/ });
    const place = (await link.textContent()) ?? "";
    expect(await link.getAttribute("href")).toBe(`vscode://file${join(project.directory, place)}`);
    expect(await findViolations(page, undefined, ".notice")).toEqual([]);
    await page.keyboard.press("Escape");
    await notice.waitFor({ state: "hidden" });
    // The same mistake after another save is the next one.
    await writeFile(file, text.replace("paths:", "paths: [ "));
    await notice.getByText("last valid contract is still served").waitFor();
    expect(dev.output()).toMatch(/openapi\.yaml:\d+:\d+: error[^]*last valid contract is still served/);
    const answer = await fetch(`${dev.url}/v2/rooms`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
    await writeFile(file, text);
    await notice.waitFor({ state: "hidden" });

    expect(faults).toEqual([]);
    expect((await dev.stop()).code).toBe(0);
  },
);

const lostWorkflow = `arazzo: 1.0.1
info: { title: Workflows, version: 1.0.0 }
sourceDescriptions:
  - name: v2
    type: openapi
    url: ../v2/openapi.yaml
workflows:
  - workflowId: open-room
    steps:
      - stepId: open
        operationId: openRoom
        successCriteria:
          - condition: $statusCode == 201
`;

/** Runs `npm run dev` in a folder until it says where it listens. */
async function startDev(folder: string) {
  const args = [join(repository, "scripts/dev.ts"), "--port", "0"];
  const env = { ...process.env, LAUNCH_EDITOR: "/usr/bin/code --wait" };
  const program = startProgram(args, { cwd: folder, env });
  return { ...program, url: await program.until(/^Listening on (\S+)\n/m) };
}
