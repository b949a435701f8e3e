import type { TextFile } from "../../command/files.ts";
import { html } from "../../values/html.ts";
import { rootOf } from "../parts/page.ts";
import { readAddresses } from "../model/addresses.ts";
import type { Site } from "../model/site.ts";

/** Files at old addresses, which redirect to the new ones. */
export function redirects({ generations }: Site): readonly TextFile[] {
  const moved = generations.flatMap((generation) => [...readAddresses(generation).moved]);
  return moved.map(([from, to]) => ({ path: `${from}index.html`, content: redirect(from, to) }));
}

/** Redirects without a script. Crawlers don't index it. */
function redirect(from: string, to: string): string {
  const [path = "", fragment] = to.split("#");
  // Without a server, a folder has no index page.
  const target = `${rootOf(from)}${path}index.html${fragment === undefined ? "" : `#${fragment}`}`;
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="robots" content="noindex" />
        <meta http-equiv="refresh" content="0; url=${target}" />
        <title>Moved</title>
      </head>
      <body>
        <p>This page has moved: <a href="${target}">go there</a>.</p>
      </body>
    </html>`;
  return `${markup.toString()}\n`;
}
