import { readFile } from "node:fs/promises";
import { isDocument, type Document } from "../scripts/contract/document.ts";
import { readGenerations } from "../scripts/contract/generations.ts";

/** A generation's bundle as `npm run build` wrote it. */
export interface BuiltGeneration {
  readonly name: string;
  readonly document: Document;
}

/** The bundles under generated/, of every generation that redocly.yaml lists. */
export async function readBundles(): Promise<readonly BuiltGeneration[]> {
  const generations = await readGenerations();
  return Promise.all(
    generations.map(async ({ name }) => {
      const file = `generated/${name}/openapi.json`;
      const document: unknown = JSON.parse(await readFile(file, "utf8"));
      if (!isDocument(document)) throw new Error(`${file} is not an OpenAPI 3.1 description: run npm run build`);
      return { name, document };
    }),
  );
}
