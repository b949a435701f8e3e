import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";

const run = promisify(execFile);

/** Starts Chromium. Where the machine has none, it is installed first, which takes a minute or two. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser() ?? (await installBrowser()),
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Its sandbox cannot be used by root.
      ...(isRoot() ? ["--no-sandbox"] : []),
    ],
  });
}

/** An installed browser's path: that of CHROMIUM_PATH, Playwright's own, or Chrome or Chromium where they usually are. */
function findBrowser(): string | undefined {
  const fromEnvironment = process.env["CHROMIUM_PATH"];
  if (fromEnvironment !== undefined) return fromEnvironment;
  const names = ["google-chrome", "google-chrome-stable", "chrome", "chromium", "chromium-browser"];
  return [
    chromium.executablePath(),
    ...(process.env["PATH"] ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  ].find((path) => existsSync(path));
}

/** Installs Debian's Chromium where it may, else Playwright's. Test files run at once, so one waits for the other. */
async function installBrowser(): Promise<string> {
  const script = "command -v chromium || (apt-get update && apt-get install -y --no-install-recommends chromium)";
  const playwright = fileURLToPath(new URL("cli.js", import.meta.resolve("playwright-core/package.json")));
  const failures: string[] = [];
  for (const [command, ...args] of [
    ...(isRoot() && existsSync("/usr/bin/apt-get") ? [["flock", "/var/lock/chromium.lock", "sh", "-c", script]] : []),
    [process.execPath, playwright, "install", "chromium"],
  ]) {
    if (command === undefined) continue;
    await run(command, args).catch((error: unknown) => failures.push(String(error)));
    const path = findBrowser();
    if (path !== undefined) return path;
  }
  throw new Error(
    ["There is no browser here. Run: npx playwright-core install --with-deps chromium", ...failures].join("\n"),
  );
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
