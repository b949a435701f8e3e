import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launchBrowser } from "../launchBrowser.ts";
import { runCommand } from "../command.ts";
import { readBundles } from "../mock/bundles.ts";
import { listGroups, operationFragment } from "./groups.ts";
import { writeSite } from "./write.ts";

const widths = [390, 820, 1280];

await runCommand({
  name: "npm run docs:screenshots",
  summary: "Makes pictures of the main pages at three widths, in light and dark, for people to look at.",
  options: {
    out: { type: "string", value: "DIR", description: "where to put them", default: "generated/docs-screenshots" },
  },
  examples: ["npm run docs:screenshots"],
  run: async ({ out }) => {
    const generations = await readBundles("generated");
    const folder = resolve("generated/docs");
    await writeSite({ generations, folder });
    await mkdir(out, { recursive: true });
    const pages: [name: string, path: string][] = [
      ["index", "index.html"],
      ["coverage", "coverage/index.html"],
      ...Object.entries(generations).flatMap(([name, document]): [string, string][] => {
        const [group] = listGroups(document).filter(({ operations }) => operations.length > 0);
        const [entry] = group?.operations ?? [];
        const fragment = group && entry ? operationFragment(group, entry) : "";
        return [
          [name, `${name}/index.html`],
          [`${name}-operation`, `${name}/index.html${fragment}`],
        ];
      }),
    ];
    await using browser = await launchBrowser();
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of widths) {
        const viewport = { width, height: 900 };
        await using context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
        for (const [name, path] of pages) {
          await using page = await context.newPage();
          await page.goto(`${pathToFileURL(folder).href}/${path}`);
          if (path.includes("#")) await page.locator(".panel-request-samples").first().waitFor();
          const file = join(out, `${name}-${width}-${colorScheme}.png`);
          await page.screenshot({ path: file });
          process.stdout.write(`${file}\n`);
        }
      }
    }
    return 0;
  },
});
