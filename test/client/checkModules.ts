import { join, resolve } from "node:path";
import ts from "typescript";

/** The files on the disk, most of them TypeScript's own declarations, which are the same for each check. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** What the compiler finds wrong with texts by their paths, in a folder that does not exist. */
export function diagnose(folder: string, texts: ReadonlyMap<string, string>, options: ts.CompilerOptions) {
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    directoryExists: (path) => path === folder || ts.sys.directoryExists(path),
    fileExists: (file) => texts.has(file) || disk.fileExists(file),
    readFile: (file) => texts.get(file) ?? disk.readFile(file),
    getSourceFile: (file, version) => {
      const text = texts.get(file);
      if (text !== undefined) return ts.createSourceFile(file, text, version);
      if (!parsed.has(file)) parsed.set(file, disk.getSourceFile(file, version));
      return parsed.get(file);
    },
  };
  return ts.getPreEmitDiagnostics(ts.createProgram([...texts.keys()], options, host));
}

/** What the compiler finds wrong with modules that lie beside each other. */
export function checkModules(modules: Readonly<Record<string, string>>): string[] {
  const folder = resolve("generated", "another");
  const texts = new Map(Object.entries(modules).map(([name, text]) => [join(folder, name), text]));
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  return diagnose(folder, texts, options).map(({ messageText, relatedInformation = [] }) =>
    [messageText, ...relatedInformation.map((related) => related.messageText)]
      .map((text) => ts.flattenDiagnosticMessageText(text, "\n"))
      .join("\n"),
  );
}
