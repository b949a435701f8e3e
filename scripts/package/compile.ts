import { join, posix, relative, sep } from "node:path";
import ts from "typescript";
import { CommandError } from "../command.ts";

/** A compiled file: its path as that of its source, relative to the project, and its text. */
export interface CompiledFile {
  readonly path: string;
  readonly content: string;
}

/**
 * Compiles modules of the project in `root`, and what they import of it: to JavaScript for consumers, source maps that
 * hold their sources, and the declarations that the modules' own refer to.
 * Throws {@link CommandError} with the compiler's report where it finds something wrong.
 */
export function compile(root: string, modules: readonly string[]): readonly CompiledFile[] {
  const outDir = join(root, "out");
  const options = { ...readOptions(root), rootDir: root, outDir };
  const program = ts.createProgram(
    modules.map((module) => join(root, module)),
    options,
  );
  const problems = ts.getPreEmitDiagnostics(program);
  if (problems.length > 0) throw new CommandError(report(problems, root));
  const files = new Map<string, string>();
  program.emit(undefined, (file, content) => files.set(relative(outDir, file).replaceAll(sep, "/"), content));
  const scripts = listReachable(files, modules, ".js");
  const declarations = listReachable(files, modules, ".d.ts");
  const contentOf = (path: string) => files.get(path) ?? "";
  return [
    ...scripts.flatMap((path) => [path, `${path}.map`]).map((path) => ({ path, content: contentOf(path) })),
    ...declarations.map((path) => ({ path, content: withScriptSpecifiers(contentOf(path)) })),
  ];
}

/**
 * A declaration file that names other modules by their JavaScript: TypeScript 5.9 rewrites `.ts` in what it compiles to
 * JavaScript only.
 */
function withScriptSpecifiers(declarations: string): string {
  return importsOf(declarations).reduceRight(
    // The position is that of the quotation mark, and the length that of the name.
    (text, { fileName, pos, end }) => text.slice(0, pos + 1) + fileName.replace(/\.ts$/, ".js") + text.slice(end + 1),
    declarations,
  );
}

/** The imports of project modules in a file, in the order of the text. */
function importsOf(text: string): readonly ts.FileReference[] {
  return ts.preProcessFile(text, true, true).importedFiles.filter(({ fileName }) => fileName.startsWith("."));
}

function readOptions(root: string): ts.CompilerOptions {
  const fail = (problem: ts.Diagnostic) => {
    throw new CommandError(report([problem], root));
  };
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {
      noEmit: false,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      // The newest that the oldest supported Node, 20, and its contemporaries among browsers run.
      target: ts.ScriptTarget.ES2022,
    },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  return config?.options ?? {};
}

/** The files of a kind that some modules are compiled to, and those that these import, over any number of steps. */
function listReachable(files: ReadonlyMap<string, string>, modules: readonly string[], extension: string): string[] {
  const toFile = (path: string) => path.replace(/\.[jt]s$/, extension);
  const reached = new Set(modules.map(toFile));
  for (const path of reached) {
    for (const { fileName } of importsOf(files.get(path) ?? "")) {
      reached.add(toFile(posix.join(posix.dirname(path), fileName)));
    }
  }
  return [...reached];
}

function report(problems: readonly ts.Diagnostic[], root: string): string {
  return ts.formatDiagnostics(problems, {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => "\n",
  });
}
