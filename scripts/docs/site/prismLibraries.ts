import type { Plugin } from "rolldown";

/**
 * A rolldown plugin that bundles only the parts of Prism's libraries that Prism uses: 80 kB instead of 800
 * kB. Bundlers include CommonJS dependencies whole.
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

/** Replaces mime-types and its 200 kB of file extensions, since a contract names media types. */
const withoutExtensions = "\0mime-types";

/** TypeScript's output for the import of a library in CommonJS. */
const requiredLibrary = /const (\w+) = require\("(fp-ts\/\w+|lodash)"\)/g;

/**
 * Rewrites a CommonJS module to require functions of fp-ts and lodash by name. Returns `undefined` if it uses
 * neither.
 */
function requireByName(code: string): string | undefined {
  const changed = code.replaceAll(requiredLibrary, (_, variable: string, library: string) => {
    const uses = code.matchAll(new RegExp(String.raw`\b${variable}\.(\w+)`, "g"));
    const names = [...new Set(Array.from(uses, ([, name = ""]) => name))];
    // Each function of lodash is a separate module. fp-ts has ES modules, so unused functions are left out.
    const functions = names.map((name) => `${name}: require("lodash/${name}")`);
    const used = library === "lodash" ? `{ ${functions.join(", ")} }` : `require("${library}?${names.join()}")`;
    return `const ${variable} = ${used}`;
  });
  return changed === code ? undefined : changed;
}

/** Splits the name of a module that exports some names of a library: `fp-ts/Option?map,none`. */
function readNamed(id: string): { readonly library?: string; readonly names?: string } {
  const [library, names] = id.split("?");
  return library?.includes("fp-ts") && names ? { library, names } : {};
}
