import {
  BaseResolver,
  bundleDocument,
  getTypes,
  lintDocument,
  ResolveError,
  YamlParseError,
  type Config,
  type Document,
  type LocationObject,
  type Source,
} from "@redocly/openapi-core";
import { isDocument } from "../spec/openapi.ts";
import { isObject } from "../spec/json.ts";
import { listSourceFiles, traceReferences } from "../redocly/sourceFiles.ts";
import { inStableOrder } from "./componentOrder.ts";
import type { GenerationSource } from "./configuration.ts";
import { addHistory, readHistory } from "./releaseHistory.ts";
import {
  errorAt,
  fromRedocly,
  fromYamlError,
  hasErrors,
  sortProblems,
  withCauses,
  type LintProblem,
} from "./lintProblems.ts";

/** Redocly (2.64) follows a `$ref` that stands for an `example`, though one is data (OpenAPI 3.1.1, section 4.8.14). */
const types = Object.fromEntries(
  Object.entries(getTypes("oas3_1")).map(([name, { properties, ...type }]) => {
    const data = "example" in properties ? { example: { isExample: true, resolvable: false } } : {};
    return [name, { ...type, properties: { ...properties, ...data } }];
  }),
);

/**
 * The outcome of linting and bundling a generation's sources: the generation in one document without references to files,
 * `undefined` if there is an error; and the files that were read, even if something is wrong with them, or were missing.
 */
export type Bundle = Awaited<ReturnType<typeof bundleSources>>;

/**
 * Lints and bundles a generation. Each source file is read and parsed once; nothing is kept for the next call, because
 * the bundler rewrites references inside the parsed files. So a file that two generations share is parsed for each.
 * A bundle's components keep the names that they have in the sources.
 */
export async function bundleSources(source: GenerationSource) {
  const resolver = new BaseResolver(source.config.resolve);
  const { document, problems } = await lintAndBundle(source, resolver);
  // Redocly's resolver has read only the root if there is a cycle, and never a file that nothing refers to.
  const reach = document === undefined ? [traceReferences(source.root)] : [];
  const files = reach.flatMap((each) => [...each.files, ...listSourceFiles(each)]);
  return { document, problems: sortProblems(problems), files: [...new Set([...resolver.getFiles(), ...files])] };
}

async function lintAndBundle(source: GenerationSource, resolver: BaseResolver) {
  const { name, root, config } = source;
  try {
    const file = await resolver.resolveDocument(null, root, true);
    if (file instanceof Error) throw file;
    const { parsed } = file;
    if (!isObject(parsed) || !String(parsed["openapi"]).startsWith("3.1.")) {
      return failed([problemOfVersion(file.source, isObject(parsed) ? parsed : {})]);
    }
    // Redocly's resolver (@redocly/openapi-core 2.64) ends the process when it meets a cycle.
    const cycles = traceReferences(root).cycles.map(problemOfCycle);
    if (cycles.length > 0) return failed(cycles);

    const problems = await lint(file, config, resolver);
    if (hasErrors(problems)) return failed(await withoutConsequences(problems, resolver));
    const bundled = await bundleDocument({
      document: file,
      config,
      types,
      externalRefResolver: resolver,
      removeUnusedComponents: true,
      componentRenamingConflicts: "error",
    });
    problems.push(...bundled.problems.map(fromRedocly));
    if (hasErrors(problems)) return failed(problems);
    if (!isDocument(parsed)) throw new Error(`lint accepted what is not an OpenAPI document: ${root}`);
    const ordered = inStableOrder(parsed);
    addHistory(ordered, name, await readHistory());
    return { document: ordered, problems };
  } catch (error) {
    return failed([problemOfRoot(source, error)]);
  }
}

/** Lints a generation, of which {@link bundleSources} has found that it can be read, by all of its rules. */
export async function lintSource({ root, config }: GenerationSource): Promise<readonly LintProblem[]> {
  const resolver = new BaseResolver(config.resolve);
  const file = await resolver.resolveDocument(null, root, true);
  if (file instanceof Error) throw file;
  return lint(file, config, resolver);
}

async function lint(document: Document, config: Config, externalRefResolver: BaseResolver): Promise<LintProblem[]> {
  const problems = await lintDocument({ document, config, externalRefResolver, customTypes: types });
  return problems.filter(({ ignored }) => ignored !== true).map(fromRedocly);
}

/** If files cannot be parsed, the other problems may follow from that, and only those files are reported. */
async function withoutConsequences(problems: readonly LintProblem[], resolver: BaseResolver) {
  const files = await Promise.allSettled(resolver.cache.values());
  const causes = files.flatMap((file) =>
    file.status === "rejected" && file.reason instanceof YamlParseError ? [fromYamlError(file.reason)] : [],
  );
  return causes.length > 0 ? causes : withCauses(problems);
}

/** The problem of a root file that lint cannot begin with. Throws an error that has another cause. */
function problemOfRoot({ name, root, config }: GenerationSource, error: unknown): LintProblem {
  if (error instanceof YamlParseError) return fromYamlError(error);
  if (!(error instanceof ResolveError)) throw error;
  const place = config.document && { source: config.document.source, pointer: `#/apis/${name}/root` };
  const message = `The file cannot be read: ${error.message}`;
  const problem = errorAt(place, "root", message, "Correct the path, or create the file.");
  return place === undefined ? { ...problem, file: root } : problem;
}

/** The problem of a root that is no OpenAPI 3.1 description. */
function problemOfVersion(source: Source, { openapi, swagger }: Readonly<Record<string, unknown>>): LintProblem {
  const version = String(openapi ?? swagger);
  const place = { source, pointer: swagger === undefined ? "#/openapi" : "#/swagger" };
  const report = (message: string, suggestion: string) => errorAt(place, "root", message, suggestion);
  // Without quotes, 3.0 is the number 3.
  if (/^(?:2|3|3\.0)(?:\.\d+)?$/.test(version)) {
    const suggestion =
      "Upgrade it to 3.1, for example with `upgrade` of @scalar/openapi-upgrader, which also turns `nullable: true` " +
      'into `type: [string, "null"]`.';
    return report("This description is in an older version of OpenAPI.", suggestion);
  }
  if (!version.startsWith("3.2.")) {
    return report("This is not an OpenAPI 3.1 description.", 'Begin it with "openapi: 3.1.1".');
  }
  const message =
    `OpenAPI ${version} is not supported yet: many tools that would read the bundles refuse it, such as swagger-parser ` +
    "and orval.";
  return report(message, 'Write "openapi: 3.1.1", and leave out what 3.2 has added, such as the `parent` of a tag.');
}

function problemOfCycle(location: LocationObject): LintProblem {
  const suggestion =
    "Follow the references, or the YAML alias, from here, and make the last of them lead to a definition.";
  return errorAt(location, "reference-cycle", "This reference leads back to itself.", suggestion);
}

function failed(problems: readonly LintProblem[]) {
  return { document: undefined, problems };
}
