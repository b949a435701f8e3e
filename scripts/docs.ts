import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { CommandError, runCommand } from "./command.ts";
import { writeSite } from "./docs/write.ts";
import { readBundles } from "./mock/bundles.ts";

enableCompileCache();

await runCommand({
  name: "npm run docs",
  summary: "Makes the docs site from the bundles in generated/: a folder for any static host, under any path.",
  options: {
    out: { type: "string", value: "DIR", description: "the folder to write the site to", default: "generated/docs" },
    "site-url": {
      type: "string",
      value: "URL",
      description: "where the site will be: adds canonical links and a sitemap",
    },
  },
  examples: ["npm run docs", "npm run docs -- --out public --site-url https://docs.example.com/api/"],
  run: async ({ out, "site-url": siteUrl }) => {
    const url = siteUrl === undefined ? undefined : readUrl(siteUrl);
    const generations = await readBundles("generated");
    process.stdout.write(`Rendering the reference of ${Object.keys(generations).join(" and ")}\n`);
    const count = await writeSite({ generations, folder: resolve(out), url });
    process.stdout.write(`Wrote ${count} files to ${out}: open ${out}/index.html, or look at it with npm start\n`);
    return 0;
  },
});

/** An absolute URL with a slash at its end. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new CommandError(`--site-url takes an address such as https://docs.example.com/api/, not "${text}"`);
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
