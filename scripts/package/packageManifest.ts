import { withoutEnd } from "../values/text.ts";

type Manifest = Readonly<Record<string, unknown>>;

/** Fields that are empty in the project's package.json, because only the publisher knows them. */
const publisherFields: Readonly<Record<string, string>> = {
  repository: 'where the sources are, for the provenance: "github:OWNER/REPOSITORY"',
  homepage: "the address of the published docs",
  bugs: "the address where users report bugs",
  keywords: "a list of words that people search for",
};

const others = ["name", "version", "description", "license", "type", "engines", "dependencies"];

/**
 * Creates the package's package.json from the project's, for the given generations and paths of modules.
 * `unfilled` lists the fields that the publisher must fill in, with what belongs there. If there are any, the
 * package is private, so npm doesn't publish it.
 */
export function describePackage(project: Manifest, generations: readonly string[], paths: readonly string[]) {
  const isEmpty = (field: string) => [undefined, '""', "[]"].includes(JSON.stringify(project[field]));
  const unfilled = Object.entries(publisherFields).flatMap(([field, about]) =>
    isEmpty(field) ? [{ field, about }] : [],
  );
  const fields = [...others, ...Object.keys(publisherFields).filter((field) => !isEmpty(field))];
  const entries: Record<string, unknown> = {};
  for (const name of generations) {
    const modules = paths.filter((path) => path.startsWith(`${name}/`) && path.endsWith(".js"));
    for (const path of modules) entries[`./${withoutEnd(withoutEnd(path, ".js"), "/client")}`] = entryOf(path);
    entries[`./${name}/openapi.json`] = `./${name}/openapi.json`;
  }
  const exports = {
    ".": entryOf("index.js"),
    ...entries,
    "./fetch": entryOf("client/fetch.js"),
    "./mock": entryOf("mock/index.js"),
    "./mock/browser": entryOf("mock/browser.js"),
    "./mock/connect": entryOf("mock/connect.js"),
    "./package.json": "./package.json",
  };
  const manifest: Manifest = {
    ...(unfilled.length > 0 && { private: true }),
    ...Object.fromEntries(fields.map((field) => [field, project[field]])),
    sideEffects: ["./index.js"],
    exports,
    bin: { [String(project["name"])]: "mock/bin.js" },
  };
  return { manifest, exports, unfilled };
}

function entryOf(path: string): { readonly types: string; readonly default: string } {
  return { types: `./${withoutEnd(path, ".js")}.d.ts`, default: `./${path}` };
}
