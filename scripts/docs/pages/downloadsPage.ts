import { Buffer } from "node:buffer";
import type { TextFile } from "../../command/files.ts";
import { html, nameText, type Html } from "../parts/html.ts";
import { link, section, table } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { firstLevel, type Site } from "../model/site.ts";

/** A file of the site that is there to be downloaded. */
export interface Download {
  readonly file: TextFile;
  /** The file in a few words. */
  readonly about: string;
  /** The generation that it belongs to, by name; `undefined` if it belongs to all. */
  readonly generation?: string;
}

/** The files that tools, programs and language models read, with their sizes. */
export function downloadsPage({ generations }: Site, downloads: readonly Download[]): Page {
  const common = downloads.filter(({ generation }) => generation === undefined);
  return {
    ...firstLevel.downloads,
    description: "The OpenAPI descriptions and other files, for tools, programs and language models.",
    saidElsewhere: true,
    content: html`<h1>Downloads</h1>
      <p>What these pages say, as files for tools, programs and language models.</p>
      ${generations.map(({ name, title }) => {
        const own = downloads.filter(({ generation }) => generation === name);
        return section(name, title, downloadTable(own));
      })}
      ${common.length > 0 && section("all", generations.length === 1 ? "More" : "All generations", downloadTable(common))}`,
  };
}

function downloadTable(downloads: readonly Download[]): Html {
  const rows = downloads.map(
    ({ file: { path, content }, about }) =>
      html`<tr>
        <th scope="row">${link({ path, title: nameText(path) })}</th>
        <td>${about}</td>
        <td>${Math.round(Buffer.byteLength(content) / 1000)} kB</td>
      </tr> `,
  );
  return table("downloads", ["File", "Contents", "Size"], rows);
}
