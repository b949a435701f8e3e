import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, errorCode } from "../command.ts";
import { isDocument, type Document } from "../contract/document.ts";

/**
 * Reads the bundles that the build has made, by generation: `<directory>/<generation>/openapi.json`. The configuration
 * that names the generations is not read: the library that does so takes longer to load than the mock to start.
 * Throws {@link CommandError} where there are none, or one cannot be used.
 */
export async function readBundles(directory: string): Promise<Readonly<Record<string, Document>>> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const read = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => [name, await readBundle(join(directory, name, "openapi.json"))] as const),
  );
  const bundles = Object.fromEntries(
    read.flatMap(([name, document]) => (document === undefined ? [] : [[name, document] as const])),
  );
  if (Object.keys(bundles).length === 0) {
    throw new CommandError(`there is no ${join(directory, "<generation>", "openapi.json")}: run npm run build first`);
  }
  return bundles;
}

/** The one generation that is asked for, or all. Throws {@link CommandError} for a name that is none of them. */
export function selectGeneration(
  bundles: Readonly<Record<string, Document>>,
  name: string | undefined,
): Readonly<Record<string, Document>> {
  if (name === undefined) return bundles;
  const document = Object.hasOwn(bundles, name) ? bundles[name] : undefined;
  if (document === undefined) {
    throw new CommandError(`there is no generation "${name}": there are ${Object.keys(bundles).join(" and ")}`);
  }
  return { [name]: document };
}

async function readBundle(file: string): Promise<Document | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new CommandError(`${file} cannot be read: ${String(error)}`);
  });
  if (text === undefined) return undefined;
  const document = parse(text);
  if (!isDocument(document)) throw new CommandError(`${file} is not an OpenAPI 3.1 bundle: run npm run build again`);
  return document;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
