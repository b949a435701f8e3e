import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type Browser, type LaunchOptions } from "playwright-core";

const run = promisify(execFile);

/** What the choice of a browser depends on. */
type Machine = Pick<NodeJS.Process, "env" | "platform" | "arch">;

/** Starts the browser of CHROMIUM_PATH, else one that is installed, else the one that `npm ci` brings for Linux. */
export async function launchBrowser(machine: Machine = process): Promise<Browser> {
  const executablePath = machine.env["CHROMIUM_PATH"] || findInstalled(machine);
  return chromium.launch({
    ...(executablePath ? { executablePath } : await unpackChromium(machine)),
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** The path of a Chrome, Chromium or Edge that is in one of the usual places. */
function findInstalled({ env, platform }: Machine): string | undefined {
  const [folders, files] = usualPlaces(env, platform);
  return folders
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => files.map((file) => join(folder, file)))
    .find((path) => existsSync(path));
}

function usualPlaces(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): [folders: (string | undefined)[], files: string[]] {
  switch (platform) {
    case "darwin":
      return [
        ["/Applications", join(env["HOME"] ?? "", "Applications")],
        ["Google Chrome", "Chromium", "Microsoft Edge"].map((name) => `${name}.app/Contents/MacOS/${name}`),
      ];
    case "win32":
      return [
        [env["ProgramFiles"], env["ProgramFiles(x86)"], env["LOCALAPPDATA"]],
        [
          "Google/Chrome/Application/chrome.exe",
          "Chromium/Application/chrome.exe",
          "Microsoft/Edge/Application/msedge.exe",
        ],
      ];
    default:
      return [
        env["PATH"]?.split(delimiter) ?? [],
        [
          "google-chrome",
          "google-chrome-stable",
          "chromium",
          "chromium-browser",
          "microsoft-edge",
          "microsoft-edge-stable",
        ],
      ];
  }
}

/**
 * Unpacks the Chromium that `npm ci` brought, once, inside its package, so that it goes when the package goes. Bare
 * machines lack libraries and fonts that it needs; the package has them too.
 */
async function unpackChromium({ env, platform, arch }: Machine): Promise<LaunchOptions> {
  if (platform !== "linux" || arch !== "x64") {
    throw new Error("No browser found: install Chrome, Chromium or Edge, or set CHROMIUM_PATH to its executable");
  }
  const source = fileURLToPath(new URL("../bin", import.meta.resolve("@sparticuz/chromium")));
  const folder = join(source, "unpacked");
  if (!existsSync(folder)) {
    const aside = await mkdtemp(`${folder}-`);
    try {
      await Promise.all(
        ["chromium", "al2023.tar", "fonts.tar"].map(async (name) => {
          const file = join(aside, name);
          await pipeline(
            createReadStream(join(source, `${name}.br`)),
            createBrotliDecompress(),
            createWriteStream(file, { mode: 0o755 }),
          );
          if (name.endsWith(".tar")) await run("tar", ["-xof", file, "-C", aside]);
        }),
      );
      await writeFile(join(aside, "fonts.conf"), fontConfiguration);
      await rename(aside, folder);
    } catch (error) {
      // Test files run at once, so another one may have been faster.
      if (!existsSync(folder)) throw error;
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }
  return {
    executablePath: join(folder, "chromium"),
    env: { ...env, LD_LIBRARY_PATH: join(folder, "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

/** The machine's fonts, if it has any, and those beside this file. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;
