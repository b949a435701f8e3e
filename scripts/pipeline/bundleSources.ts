import { bundleDocument, Config, getTypes, ResolveError, YamlParseError } from "@redocly/openapi-core";
import type { BaseResolver, Document, Source } from "@redocly/openapi-core";
import { similarFile } from "../command/unreadable.ts";
import { sortMembers, isObject, membersOf, pointerKeys, valueAt } from "../values/json.ts";
import { isDocument } from "../spec/openapi.ts";
import { ignorableKeywords } from "../redocly/rules/schemaRules.ts";
import { maxLevels } from "../spec/referenceDepth.ts";
import { slowPatterns } from "../spec/patterns.ts";
import { walk } from "../spec/walk.ts";
import { upgradeDocument } from "../spec/upgradeDocument.ts";
import { listSourceFiles, placeIn, readSourceFile, shownPath, traceReferences } from "../redocly/sourceFiles.ts";
import { specVersions, type GenerationSource } from "./configuration.ts";
import { sortProblems } from "./causes.ts";
import { withoutFolder } from "./foreignMessages.ts";
import { addHistory, readHistory } from "./releaseHistory.ts";
import { asWarning, errorAt, fromRedocly, hasErrors, lint, readDocument, type LintProblem } from "./lintProblems.ts";
import { createResolver, refuseOutside, restoreLinks } from "./sourceResolver.ts";
import { fromYamlError, repeatsTooMuch } from "./yamlProblems.ts";

type Version = (typeof specVersions)[keyof typeof specVersions];

/**
 * Lints and bundles a generation. Nothing is cached, because the bundler rewrites references inside the
 * parsed files. If there is an error, there is no document. `files` are those that were read or missing.
 */
export async function bundleSources(source: GenerationSource) {
  const resolver = createResolver(source);
  const { document, problems } = await lintAndBundle(source, resolver);
  // If there is a cycle, Redocly's resolver has read only the root. It never reads unreferenced files.
  const reach = document === undefined ? [traceReferences(source.root, source.folders)] : [];
  const files = reach.flatMap((each) => [...each.files, ...listSourceFiles(each)]);
  return { document, problems: sortProblems(problems), files: [...new Set([...resolver.getFiles(), ...files])] };
}

async function lintAndBundle(source: GenerationSource, resolver: BaseResolver) {
  const { name, root, config } = source;
  try {
    const document = await readDocument(resolver, root);
    const { parsed } = document;
    const version = versionOf(parsed);
    if (!isObject(parsed) || version === undefined) {
      return failed([problemOfVersion(document.source, isObject(parsed) ? parsed : {})]);
    }
    // Redocly's resolver (@redocly/openapi-core 2.64) ends the process if there is a cycle.
    const { cycles, files, tooDeep, outside } = traceReferences(root, source.folders);
    if (outside.length > 0) return failed(refuseOutside(outside, source));
    if (cycles.length > 0) {
      const message = "This reference leads back to itself.";
      const suggestion = "Follow the references, or the YAML alias, from here, and point the last one to a definition.";
      return failed(cycles.map((place) => errorAt(place, "reference-cycle", message, suggestion)));
    }
    if (tooDeep !== undefined) {
      const message = `From here, references lead more than ${maxLevels} levels deep.`;
      const suggestion = "Shorten the chain of schemas, or describe what they have in common once.";
      return failed([errorAt(tooDeep, "reference-depth", message, suggestion)]);
    }
    if (repeatsTooMuch(parsed)) {
      const message = "The YAML aliases in this file repeat their values millions of times.";
      return failed([errorAt({ source: document.source, pointer: "#/" }, "yaml", message, "Use references instead.")]);
    }
    const problems = await lintDocument(source, document, { resolver, files });
    if (hasErrors(problems)) return failed(await withoutConsequences(problems, resolver));
    const bundled = await bundleDocument({
      document,
      config,
      types: typesOf(version, source),
      externalRefResolver: resolver,
      removeUnusedComponents: true,
      componentRenamingConflicts: source.isLenient ? "warn" : "error",
    });
    problems.push(...bundled.problems.map(fromRedocly));
    if (hasErrors(problems)) return failed(problems);
    restoreLinks(parsed);
    const ordered = inStableOrder(version === "oas3_0" ? upgradeDocument(parsed) : parsed);
    if (!isDocument(ordered)) throw new Error(`lint accepted a file that is not an OpenAPI document: ${root}`);
    addHistory(ordered, name, await readHistory());
    return { document: ordered, problems };
  } catch (error) {
    return failed(problemsOfRoot(source, error));
  }
}

/** Lints a generation that {@link bundleSources} could read, with all of its rules. */
export async function lintSource(source: GenerationSource): Promise<readonly LintProblem[]> {
  const resolver = createResolver(source);
  const { files } = traceReferences(source.root, source.folders);
  return lintDocument(source, await readDocument(resolver, source.root), { resolver, files });
}

interface Reading {
  readonly resolver: BaseResolver;
  readonly files: Iterable<string>;
}

async function lintDocument(source: GenerationSource, document: Document, { resolver, files }: Reading) {
  const customTypes = typesOf(versionOf(document.parsed) ?? "oas3_1", source);
  const isSlow = [...files].some((file) => hasSlowPatterns(readSourceFile(file).content));
  const config = isSlow ? withoutExampleRules(source.config) : source.config;
  const problems = await lint({ document, config, externalRefResolver: resolver, customTypes });
  return source.isLenient
    ? problems.filter((problem) => !namesSchema(problem, document.parsed)).map(asWarning)
    : problems;
}

function hasSlowPatterns(content: unknown): boolean {
  for (const { value, isMap } of walk(content)) if (!isMap && slowPatterns(value).length > 0) return true;
  return false;
}

/** Redocly compares the texts in examples with the patterns of their schemas, which may never end. */
const exampleRules = ["no-invalid-media-type-examples", "no-invalid-parameter-examples", "no-invalid-schema-examples"];

function withoutExampleRules(config: Config): Config {
  const copy = new Config(config.resolvedConfig, config);
  for (const version of Object.values(specVersions)) copy.rules[version] = { ...config.rules[version] };
  copy.skipRules(exampleRules);
  return copy;
}

/**
 * Returns whether a problem is the name of a schema in the mapping of a Discriminator Object (OpenAPI 3.1.1, section
 * 4.8.25). Redocly (2.64) takes it for a reference to nothing.
 */
function namesSchema({ rule, file, pointer }: LintProblem, document: unknown): boolean {
  const keys = pointerKeys(pointer);
  if (rule !== "no-unresolved-refs" || keys.at(-3) !== "discriminator") return false;
  const name = String(valueAt(readSourceFile(file).content, keys));
  return valueAt(document, ["components", "schemas", name]) !== undefined;
}

function versionOf(document: unknown): Version | undefined {
  const text = String(valueAt(document, ["openapi"]));
  return Object.entries(specVersions).find(([beginning]) => text.startsWith(beginning))?.[1];
}

/**
 * The types of the objects in descriptions. Redocly (2.64) follows a `$ref` in an `example`, although examples are data
 * (OpenAPI 3.1.1, section 4.8.14).
 */
function typesOf(version: Version, { isLenient, isUnlisted }: GenerationSource): ReturnType<typeof getTypes> {
  const types = Object.entries(getTypes(version)).map(([name, { properties, ...type }]): [string, NodeType] => {
    const data = "example" in properties ? { example: { isExample: true, resolvable: false } } : {};
    const known = isLenient ? withoutExtensions(properties) : properties;
    const ignored = isUnlisted && name === "Schema" ? unchecked : {};
    return [name, { ...type, properties: { ...known, ...data, ...ignored } }];
  });
  return { ...Object.fromEntries(types), ...(isLenient && openTypes) };
}

/** Extensions may have any value, because other tools have their own. Lists of code samples may have references. */
function withoutExtensions(properties: NodeType["properties"]): NodeType["properties"] {
  const members = Object.entries(properties).flatMap(([field, type]): [string, NodeType["properties"][string]][] => {
    if (type === "XCodeSampleList") return [[field, (value) => (Array.isArray(value) ? type : undefined)]];
    return field.startsWith("x-") ? [] : [[field, type]];
  });
  return Object.fromEntries(members);
}

/** The keywords whose values the rule `build/ignored-keyword` checks. */
const unchecked = Object.fromEntries(ignorableKeywords.map((keyword) => [keyword, null]));

const openTypes: Readonly<Record<string, NodeType>> = {
  XCodeSample: { properties: {}, additionalProperties: { resolvable: true } },
};

type NodeType = ReturnType<typeof getTypes>[string];

/** Reports only the files that can't be parsed, if there are any, because other problems may follow from them. */
async function withoutConsequences(problems: readonly LintProblem[], resolver: BaseResolver) {
  const files = await Promise.allSettled(resolver.cache.values());
  const causes = files.flatMap((file) =>
    file.status === "rejected" && file.reason instanceof YamlParseError ? fromYamlError(file.reason) : [],
  );
  return causes.length > 0 ? causes : problems;
}

/** The problems that keep lint from starting with a root file. Throws an error with any other cause. */
function problemsOfRoot({ name, root, config }: GenerationSource, error: unknown): readonly LintProblem[] {
  if (error instanceof YamlParseError) return fromYamlError(error);
  if (!(error instanceof ResolveError)) throw error;
  const { document } = config;
  const isListed = document !== undefined && valueAt(document.parsed, ["apis", name]) !== undefined;
  const place = isListed ? { source: document.source, pointer: `#/apis/${name}/root` } : placeIn(root, "");
  const message = `The file cannot be read: ${withoutFolder(error.message)}`;
  return [errorAt(place, "root", message, suggestRoot(root))];
}

function suggestRoot(root: string): string {
  const meant = similarFile(root);
  return meant === undefined ? "Correct the path, or create the file." : `Did you mean: ${shownPath(meant)}?`;
}

function problemOfVersion(source: Source, { swagger }: Readonly<Record<string, unknown>>): LintProblem {
  if (source.body.trim() === "") {
    const place = { source, pointer: undefined, start: { line: 1, col: 1 } };
    return errorAt(place, "root", "This file is empty.", 'Begin it with "openapi: 3.1.1", or restore its content.');
  }
  const pointer = swagger === undefined ? "#/openapi" : "#/swagger";
  const suggestion =
    swagger === undefined
      ? 'Begin it with "openapi: 3.1.1", or with the version that it follows: 3.0.4, 3.1.1 or 3.2.0.'
      : "Convert it to OpenAPI 3.0 or later.";
  return errorAt({ source, pointer }, "root", "This is not an OpenAPI 3.0, 3.1 or 3.2 description.", suggestion);
}

function failed(problems: readonly LintProblem[]) {
  return { document: undefined, problems };
}

/** The fixed fields of a Components Object, in the specification's order (OpenAPI 3.1.1, section 4.8.7). */
const sections =
  "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems";

/**
 * The same bundle with its components last, by section and name. Their order doesn't depend on the order of
 * references.
 */
function inStableOrder({ components, ...document }: Readonly<Record<string, unknown>>): object {
  const order = sections.split(" ");
  const sorted = membersOf(components)
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([section, named]): [string, unknown] => [section, isObject(named) ? sortMembers(named) : named]);
  return { ...document, components: Object.fromEntries(sorted) };
}
