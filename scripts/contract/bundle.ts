import {
  bundleDocument,
  getTypes,
  lintDocument,
  normalizeTypes,
  resolveDocument,
  ResolveError,
  YamlParseError,
  type BaseResolver,
  type Source,
} from "@redocly/openapi-core";
import { isDocument, isObject, type Document } from "./document.ts";
import type { Generation } from "./generations.ts";
import { findNameConflicts } from "./nameConflicts.ts";
import { inStableOrder } from "./order.ts";
import { fromRedocly, fromYamlError, placeOf, sortProblems, type Problem } from "./problems.ts";
import { CycleRefusingResolver, ReferenceCycleError } from "./referenceCycles.ts";

/** What lint and bundling make of a generation's sources. */
export interface Bundle {
  /** The generation in one document without references to files; `undefined` where `problems` has an error. */
  readonly document: Document | undefined;
  readonly problems: readonly Problem[];
  /** Absolute paths of the files that were read, also where something is wrong with them. */
  readonly files: readonly string[];
}

/**
 * Lints and bundles a generation. Each source file is read and parsed once; nothing is kept for the next call, because
 * the bundler rewrites references inside the parsed files. So a file that two generations share is parsed for each.
 * A bundle's components keep the names that they have in the sources.
 */
export async function bundleGeneration(generation: Generation): Promise<Bundle> {
  const resolver = new CycleRefusingResolver(generation.config.resolve);
  const { document, problems } = await lintAndBundle(generation, resolver);
  return { document, problems: sortProblems(problems), files: [...resolver.getFiles()] };
}

async function lintAndBundle(generation: Generation, resolver: BaseResolver): Promise<Omit<Bundle, "files">> {
  const { root, config } = generation;
  try {
    const file = await resolver.resolveDocument(null, root, true);
    if (file instanceof Error) throw file;
    const { source, parsed } = file;
    if (!isObject(parsed) || !String(parsed["openapi"]).startsWith("3.1.")) return failed([notOpenApi31(source)]);

    const linted = await lintDocument({ document: file, config, externalRefResolver: resolver });
    const problems = linted.filter(({ ignored }) => ignored !== true).map(fromRedocly);
    if (hasError(problems)) return failed(await withoutConsequences(problems, resolver));

    const types = getTypes("oas3_1");
    const rootType = normalizeTypes(config.extendTypes(types, "oas3_1"), config)["Root"];
    if (rootType === undefined) throw new Error("the OpenAPI 3.1 types have no Root");
    const conflicts = findNameConflicts(
      await resolveDocument({ rootDocument: file, rootType, externalRefResolver: resolver }),
    );
    if (conflicts.length > 0) return failed(conflicts);

    const bundled = await bundleDocument({
      document: file,
      config,
      types,
      externalRefResolver: resolver,
      removeUnusedComponents: true,
      componentRenamingConflicts: "error",
    });
    problems.push(...bundled.problems.map(fromRedocly));
    if (hasError(problems)) return failed(problems);
    if (!isDocument(parsed)) throw new Error(`lint let through what is no OpenAPI document: ${root}`);
    return { document: inStableOrder(parsed), problems };
  } catch (error) {
    return failed([problemOfRoot(generation, error)]);
  }
}

/** Where files cannot be parsed, whatever else lint says may follow from that: then only they are reported. */
async function withoutConsequences(problems: readonly Problem[], resolver: BaseResolver): Promise<readonly Problem[]> {
  const files = await Promise.allSettled(resolver.cache.values());
  const causes = files.flatMap((file) => (file.status === "rejected" ? (problemOfParsing(file.reason) ?? []) : []));
  return causes.length > 0 ? causes : problems;
}

function problemOfParsing(error: unknown): Problem | undefined {
  if (error instanceof YamlParseError) return fromYamlError(error);
  return error instanceof ReferenceCycleError ? error.problem : undefined;
}

/** What is wrong with the root file, so that lint could not begin. Throws what is no fault of the file. */
function problemOfRoot({ name, root, config }: Generation, error: unknown): Problem {
  const problem = problemOfParsing(error);
  if (problem !== undefined) return problem;
  if (!(error instanceof ResolveError)) throw error;
  const place = config.document && placeOf({ source: config.document.source, pointer: `#/apis/${name}/root` });
  return {
    severity: "error",
    ...(place ?? { file: root, line: 1, column: 1, codeFrame: "" }),
    rule: "root",
    message: `The file cannot be read: ${error.message}`,
    suggestion: "Correct the path, or create the file.",
  };
}

function notOpenApi31(source: Source): Problem {
  return {
    severity: "error",
    ...placeOf({ source, pointer: "#/openapi" }),
    rule: "root",
    message: "This is not an OpenAPI 3.1 description.",
    suggestion: 'Begin it with "openapi: 3.1.1".',
  };
}

function failed(problems: readonly Problem[]): Omit<Bundle, "files"> {
  return { document: undefined, problems };
}

function hasError(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}
