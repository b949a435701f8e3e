import { describe, expect, it } from "vitest";
import { launchBrowser } from "./launchBrowser.ts";

const { env, platform, arch, execPath } = process;

describe("the browser for tests", () => {
  it.runIf(platform === "linux" && arch === "x64")("is there after npm ci alone", async () => {
    await using browser = await launchBrowser({ env: { ...env, PATH: "", CHROMIUM_PATH: "" }, platform, arch });
    const page = await browser.newPage();
    await page.setContent("<span>Text</span>");
    expect((await page.locator("span").boundingBox())?.width).toBeGreaterThan(0);
  });

  it("is the one of CHROMIUM_PATH before all others", async () => {
    // Node is no browser, but its path is in the error.
    const launched = launchBrowser({ env: { ...env, CHROMIUM_PATH: execPath }, platform, arch });
    await expect(launched).rejects.toThrow(execPath);
  });

  it("is asked for where there is none", async () => {
    await expect(launchBrowser({ env: {}, platform: "linux", arch: "arm64" })).rejects.toThrow(
      /^No browser found: install Chrome, Chromium or Edge, or set CHROMIUM_PATH to its executable$/,
    );
  });
});
