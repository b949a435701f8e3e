import { Buffer } from "node:buffer";
import type { TextFile } from "../../command/files.ts";
import { nameLink, paragraph, row, section, table } from "../parts/blocks.ts";
import type { Table } from "../parts/pageNodes.ts";
import type { Page } from "../parts/page.ts";
import { ownTitle } from "../model/generationModel.ts";
import { firstLevel, type Site } from "../model/site.ts";

/** A file of the site for download. */
export interface Download {
  readonly file: TextFile;
  /** The file in a few words. */
  readonly about: string;
  /** The name of its generation. `undefined` if it belongs to all. */
  readonly generation?: string;
}

/** The files for tools, programs and language models, with their sizes. */
export function downloadsPage({ generations }: Site, downloads: readonly Download[]): Page {
  const common = downloads.filter(({ generation }) => generation === undefined);
  const commonTitle = generations.length === 1 ? "More" : "All generations";
  return {
    ...firstLevel.downloads,
    description: "The OpenAPI descriptions and other files, for tools, programs and language models.",
    saidElsewhere: true,
    children: [
      paragraph([
        "The OpenAPI descriptions and the content of these pages, as files for tools, programs and language models.",
      ]),
      ...generations.map((generation) => {
        const own = downloads.filter((download) => download.generation === generation.name);
        return section(generation.name, ownTitle(generation, generations), [downloadTable(own)]);
      }),
      ...(common.length === 0 ? [] : [section("all", commonTitle, [downloadTable(common)])]),
    ],
  };
}

function downloadTable(downloads: readonly Download[]): Table {
  const rows = downloads.map(({ file: { path, content }, about }) => {
    const name = nameLink({ path, title: path });
    const size = `${String(Math.round(Buffer.byteLength(content) / 1000))} kB`;
    return row([name], [[about], [size]]);
  });
  return table("downloads stacked", ["File", "Contents", "Size"], rows);
}
