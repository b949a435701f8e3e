import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readBuiltGenerations } from "./command/builtGenerations.ts";
import { printLine, runCommand } from "./command/commandLine.ts";
import { launchBrowser } from "./command/launchBrowser.ts";
import { readAddresses } from "./docs/model/addresses.ts";
import { writeSite } from "./docs/site/writeSite.ts";

const widths = [390, 768, 1440];

await runCommand({
  name: "npm run docs:screenshots",
  summary: "Takes screenshots of the main pages at three widths, in light and dark mode.",
  options: {
    out: {
      type: "string",
      value: "DIR",
      description: "the folder for the screenshots",
      default: "generated/docs-screenshots",
    },
  },
  examples: ["npm run docs:screenshots"],
  run: async ({ out }) => {
    const generations = await readBuiltGenerations();
    const folder = resolve("generated/docs");
    await writeSite({ generations, folder });
    await mkdir(out, { recursive: true });
    const pages: [name: string, path: string][] = [
      ["start", ""],
      ...generations.flatMap((generation): [string, string][] => {
        const { generation: path, groups, operations } = readAddresses(generation);
        const { name } = generation;
        const [group = path] = groups.values();
        const longest = generation.operations.toSorted((a, b) => b.path.length - a.path.length)[0];
        return [
          [name, path],
          [`${name}-group`, group],
          [`${name}-operation`, (longest && operations.get(longest)) ?? path],
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
          await page.goto(`${pathToFileURL(folder).href}/${path}index.html`);
          const file = join(out, `${name}-${width}-${colorScheme}.png`);
          await page.screenshot({ path: file });
          printLine(file);
        }
      }
    }
  },
});
