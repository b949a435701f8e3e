import type { Plugin } from "rolldown";

/**
 * A plugin of rolldown that bundles, of the libraries under Prism, what Prism uses of them: 80 kB, and not 800 kB. What a
 * CommonJS module requires, it requires whole.
 */
export const prismLibraries: Plugin = {
  name: "prism-libraries",
  transform: requireByName,
  resolveId: async function (source, importer) {
    if (source === "mime-types") return withoutExtensions;
    const { library, names } = readNamed(source);
    if (library === undefined) return undefined;
    const resolved = await this.resolve(library, importer);
    return resolved && `${resolved.id}?${names}`;
  },
  load: (id) => {
    if (id === withoutExtensions) return "export const lookup = () => false;";
    const { library, names } = readNamed(id);
    return library === undefined ? undefined : `export { ${names} } from ${JSON.stringify(library)};`;
  },
};

/** Stands for mime-types, which knows 200 kB of file extensions: a contract names media types. */
const withoutExtensions = "\0mime-types";

/** What TypeScript makes of the import of a library, in CommonJS. */
const requiredLibrary = /const (\w+) = require\("(fp-ts\/\w+|lodash)"\)/g;

/** Has a CommonJS module require by their names what it uses of fp-ts and of lodash; `undefined` if it uses neither. */
function requireByName(code: string): string | undefined {
  const changed = code.replaceAll(requiredLibrary, (_, variable: string, library: string) => {
    const uses = code.matchAll(new RegExp(String.raw`\b${variable}\.(\w+)`, "g"));
    const names = [...new Set(Array.from(uses, ([, name = ""]) => name))];
    // Each function of lodash is a module of its own. Those of fp-ts are ES modules, of which what nobody imports is left out.
    const functions = names.map((name) => `${name}: require("lodash/${name}")`);
    const used = library === "lodash" ? `{ ${functions.join(", ")} }` : `require("${library}?${names.join()}")`;
    return `const ${variable} = ${used}`;
  });
  return changed === code ? undefined : changed;
}

/** The parts of the name of a module that exports some names of a library: `fp-ts/Option?map,none`. */
function readNamed(id: string): { readonly library?: string; readonly names?: string } {
  const [library, names] = id.split("?");
  return library?.includes("fp-ts") && names ? { library, names } : {};
}
