import type { TextFile } from "../../command/files.ts";
import { html } from "../parts/html.ts";
import { rootOf } from "../parts/page.ts";
import { readAddresses } from "../model/addresses.ts";
import type { Site } from "../model/site.ts";

/** Files at addresses that pages had, which lead to where the same is said now. */
export function redirects({ generations }: Site): readonly TextFile[] {
  const moved = generations.flatMap((generation) => [...readAddresses(generation).moved]);
  return moved.map(([from, to]) => ({ path: `${from}index.html`, content: redirect(from, to) }));
}

/** Leads on without a script. Crawlers don't list it. */
function redirect(from: string, to: string): string {
  const [path = "", fragment] = to.split("#");
  // Where there is no server, a folder has no page.
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
