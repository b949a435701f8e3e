import { join } from "node:path";
import ts from "typescript";

/** The examples in the doc comments of a package's exports. */
export interface DocExamples {
  /** The exports without an example, neither in their own comment nor, if they are generated, in that of their module. */
  readonly missing: readonly string[];
  /** Each example as a module, in which a client and a mock stand ready. */
  readonly programs: ReadonlySet<string>;
}

interface Entry {
  /** What consumers import. */
  readonly module: string;
  readonly symbols: readonly ts.Symbol[];
}

/** Reads the examples of the modules that a package exports, by their declaration files. */
export function readExamples(folder: string, name: string, exported: Readonly<Record<string, string>>): DocExamples {
  const files = Object.entries(exported).map(([entry, file]) => ({
    module: join(name, entry),
    file: join(folder, file),
  }));
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [] };
  const program = ts.createProgram(
    files.map(({ file }) => file),
    options,
  );
  const checker = program.getTypeChecker();
  const entries = files.map(({ module, file }): Entry => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    if (symbol === undefined) throw new Error(`${file} is no module`);
    return { module, symbols: checker.getExportsOfModule(symbol) };
  });
  const missing: string[] = [];
  const programs = new Map<ts.Symbol, string>();
  for (const entry of entries) {
    for (const symbol of entry.symbols) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const [declaration] = target.declarations ?? [];
      const own = target
        .getJsDocTags(checker)
        .filter((tag) => tag.name === "example")
        .map((tag) => ts.displayPartsToString(tag.text));
      const ofModule = declaration ? moduleExamples(declaration.getSourceFile().text) : [];
      const examples = own.length > 0 ? own : ofModule;
      if (examples.length === 0) missing.push(`${entry.module} ${symbol.name}`);
      // An export of several generations has an example for the first of them.
      for (const example of examples) {
        if (!programs.has(target)) programs.set(target, programOf(example, entry, entries));
      }
    }
  }
  return { missing, programs: new Set(programs.values()) };
}

/** The examples in the comment at the beginning of a module. */
function moduleExamples(text: string): readonly string[] {
  const [comment = ""] = /\/\*\*(?:(?!\*\/).)*@module.*?\*\//s.exec(text) ?? [];
  const [, ...examples] = comment.replaceAll(/^ \*(?:\/| ?)/gm, "").split("@example\n");
  return examples;
}

/** An example with imports of the exports that it uses: those of its own entry, of its generation, and of the mock. */
function programOf(example: string, own: Entry, entries: readonly Entry[]): string {
  const generation = /[^/]+\/v\d+/.exec(own.module)?.[0] ?? entries[0]?.module ?? "";
  const known = [own, ...entries.filter(({ module }) => module.startsWith(generation) || module.endsWith("/mock"))];
  const used = new Set(example.match(/[A-Za-z_$][\w$]*/g) ?? []);
  const imports = [...used].flatMap((name) => {
    const entry = known.find(({ symbols }) => symbols.some((symbol) => symbol.name === name));
    return entry === undefined ? [] : [`import { ${name} } from "${entry.module}";`];
  });
  const given = { client: `import("${generation}").Client`, mock: 'import("scheduling-service-api/mock").Mock' };
  const declarations = Object.entries(given).flatMap(([name, type]) =>
    new RegExp(`(?:const|using) ${name}\\b`).test(example) ? [] : [`declare const ${name}: ${type};`],
  );
  return [...imports, ...declarations, example, "export {};", ""].join("\n");
}
