import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { copyFile, mkdtempDisposable, rename } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type Browser, type LaunchOptions } from "playwright-core";

const commands = ["google-chrome", "chromium", "chromium-browser", "microsoft-edge"];
const switches =
  "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update";

/**
 * Starts the browser in CHROMIUM_PATH, or else one in the PATH, or else the one that `npm ci` installs on
 * Linux. On other systems, looks for Chrome or Edge in their usual places. Rejects with instructions if there
 * is none.
 */
export async function launchBrowser({
  env,
  platform,
  arch,
}: Pick<NodeJS.Process, "env" | "platform" | "arch"> = process): Promise<Browser> {
  const folders = env["PATH"]?.split(delimiter) ?? [];
  const installed = folders.flatMap((folder) => commands.map((name) => join(folder, name))).find(existsSync);
  // Otherwise, Playwright ends the process at the first signal, before the process can clean up itself.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const launch = (options: LaunchOptions) => chromium.launch({ ...options, ...signals, args: switches.split(" ") });
  const executablePath = env["CHROMIUM_PATH"] || installed;
  if (executablePath) return launch({ executablePath });
  if (platform === "linux" && arch === "x64") return launch(await unpackChromium(env));
  for (const channel of platform === "linux" ? [] : ["chrome", "msedge"]) {
    const browser = await launch({ channel }).catch(() => undefined);
    if (browser !== undefined) return browser;
  }
  throw new Error("No browser found: install Chrome, Chromium or Edge, or set CHROMIUM_PATH to its executable");
}

/**
 * Unpacks the Chromium from `npm ci` within its package, with the libraries and fonts that bare machines
 * lack.
 */
async function unpackChromium(env: NodeJS.ProcessEnv): Promise<LaunchOptions> {
  const source = fileURLToPath(new URL("../bin", import.meta.resolve("@sparticuz/chromium")));
  const folder = join(source, "unpacked");
  if (!existsSync(folder)) {
    await using aside = await mkdtempDisposable(`${folder}-`);
    const unpack = async (name: string) => {
      const file = join(aside.path, name);
      const target = createWriteStream(file, { mode: 0o755 });
      await pipeline(createReadStream(join(source, `${name}.br`)), createBrotliDecompress(), target);
      if (name.endsWith(".tar")) await promisify(execFile)("tar", ["-xof", file, "-C", aside.path]);
    };
    try {
      await Promise.all(["chromium", "al2023.tar", "fonts.tar"].map(unpack));
      await copyFile(new URL("fonts.conf", import.meta.url), join(aside.path, "fonts.conf"));
      await rename(aside.path, folder);
    } catch (error) {
      // Test files run concurrently, so another one may have been faster.
      if (!existsSync(folder)) throw error;
    }
  }
  return {
    executablePath: join(folder, "chromium"),
    env: { ...env, LD_LIBRARY_PATH: join(folder, "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}
