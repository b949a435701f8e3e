import {
  BaseResolver,
  createConfig,
  lintConfig,
  loadConfig,
  makeDocumentFromString,
  ResolveError,
  Source,
  YamlParseError,
  type Config,
  type Plugin,
} from "@redocly/openapi-core";
import { existsSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { messageOf, UserError } from "../contract/failures.ts";
import { byVersion } from "../contract/generation.ts";
import { likelyName } from "../values/similarName.ts";
import { distinctName, asciiSlugOf } from "../values/text.ts";
import { ignoreMalformed } from "../redocly/decorators.ts";
import {
  describedPath,
  namedScheme,
  operationIdUnique,
  parameterForm,
  pointerReference,
  referencePlace,
} from "../redocly/rules/operationRules.ts";
import { endlessSchema, listOfItself } from "../redocly/rules/endlessSchema.ts";
import { profile } from "../redocly/rules/profileRule.ts";
import { ignoredKeyword } from "../redocly/rules/schemaRules.ts";
import { sourceFolder } from "../redocly/sourceFiles.ts";
import { isObject, membersOf, valueAt } from "../values/json.ts";
import { LintError } from "./formatProblems.ts";
import { asWarning, errorAt, fromRedocly, hasErrors, lint, placeAt, type LintProblem } from "./lintProblems.ts";
import { fromYamlError } from "./yamlProblems.ts";

/** The parsed redocly.yaml: the lint rules and the generations. */
export interface Configuration {
  readonly config: Config;
  /** The generations, the oldest version first. */
  readonly sources: readonly GenerationSource[];
  /** Rules that no plugin defines. */
  readonly unknownRules: readonly LintProblem[];
}

/** A generation and its description. */
export interface GenerationSource {
  readonly name: string;
  /** The absolute path of the description's root file. */
  readonly root: string;
  /** Absolute paths of the folders with the files that it may refer to. */
  readonly folders: readonly string[];
  /** The rules that lint applies to it. */
  readonly config: Config;
  /** The rules that a description must follow to be served. */
  readonly servingConfig: Config;
  /**
   * True if what nothing reads, or what can be renamed, is only a warning: fields that OpenAPI doesn't have, and components
   * of the same name in two files. `struct` in redocly.yaml says so, as in the rules of `house/off`.
   */
  readonly isLenient: boolean;
  /** True if no redocly.yaml lists it. Malformed keywords of its schemas are ignored, because its readers can't mend them. */
  readonly isUnlisted: boolean;
}

/** The rules of the build, which have no names in redocly.yaml. */
const buildPlugin = {
  id: "build",
  rules: {
    oas3: {
      "build/described-path": describedPath,
      "build/endless-schema": endlessSchema,
      "build/ignored-keyword": ignoredKeyword,
      "build/list-of-itself": listOfItself,
      "build/named-scheme": namedScheme,
      "build/operation-id-unique": operationIdUnique,
      "build/parameter": parameterForm,
      "build/pointer-reference": pointerReference,
      "build/profile": profile,
      "build/reference-place": referencePlace,
    },
  },
  decorators: { oas3: { "build/ignore-malformed": ignoreMalformed } },
  typeExtension: {
    // The profile refuses this flow of OpenAPI 3.2. Redocly (2.64) fails at its scopes, because its type of them is wrong.
    oas3: (types: object) => ({ ...types, DeviceAuthorization: { properties: {}, additionalProperties: {} } }),
  },
} satisfies Plugin;

/** The versions of OpenAPI that sources may have, as Redocly names them, by the beginning of `openapi`. */
export const specVersions = { "3.0.": "oas3_0", "3.1.": "oas3_1", "3.2.": "oas3_2" } as const;

/** Other people's descriptions are shown or refused: one warning for each construct that isn't supported. */
const countedProfile = { severity: "warn", counted: true } as const;

/** What the specification says MUST about, besides the structure and the profile: errors in all descriptions. */
const requirements = {
  "build/parameter": "error",
  "no-duplicated-tag-names": "error",
  "no-identical-paths": "error",
  "no-server-variables-empty-enum": "error",
  "operation-parameters-unique": "error",
} as const;

/** The structure that all later steps rely on. */
const structure = {
  struct: "error",
  "build/endless-schema": "error",
  "build/pointer-reference": "error",
  "build/reference-place": "error",
} as const;

/** No description can be served that breaks one of these. */
const servingRules = {
  ...requirements,
  ...structure,
  "no-unresolved-refs": "error",
  "build/named-scheme": "error",
  "build/profile": countedProfile,
  "spec-no-invalid-tag-parents": "warn",
} as const;

/** Folders of generated/, of the npm package and of the docs site that no generation may have. */
const reservedNames: readonly string[] = [
  ..."docs docs-screenshots editor package workflows".split(" "),
  ..."assets about authentication changelog downloads errors guides testing typescript unspecified".split(" "),
  ..."client mock".split(" "),
];

/**
 * Reads redocly.yaml. Returns the generations, the oldest version first. Throws {@link UserError} for a
 * mistake in it. Unknown rules are ignored if the contract is only served, because an older contract may have
 * followed rules that were removed.
 */
export async function readConfiguration(configPath = "redocly.yaml", isOnlyServed = false): Promise<Configuration> {
  const file = resolve(configPath);
  if (!existsSync(file)) {
    throw new UserError(`${file} does not exist: run this in the project's folder, or create the file`);
  }
  const config = await readConfig(file);
  const unknownRules = findUnknownRules(config);
  if (!isOnlyServed && unknownRules.length > 0) throw configError(file, unknownRules);
  const sources = membersOf(valueAt(config.resolvedConfig, ["apis"])).map(([name, api]) => {
    const ownConfig = config.forAlias(name);
    const servingConfig = config.forAlias(name);
    const isLenient = severityOf(ownConfig.rules.oas3_1["struct"]) !== "error";
    for (const version of Object.values(specVersions)) {
      const rules = ownConfig.rules[version];
      Object.assign(rules, requirements, structure, {
        "build/list-of-itself": "error",
        "build/profile": isLenient ? countedProfile : "error",
        // Ours names the other operation.
        "operation-operationId-unique": "off",
      });
      // Redocly's rule reports the same and more.
      if (rules["security-defined"] !== "error") rules["build/named-scheme"] = "error";
      if (rules["house/operation-id-unique"] !== "error") rules["build/operation-id-unique"] = "error";
      const served = { "build/operation-id-unique": "error", "build/list-of-itself": "error" } as const;
      servingConfig.rules[version] = { ...servingRules, ...served };
    }
    const root = resolve(dirname(file), String(valueAt(api, ["root"])));
    return {
      name,
      root,
      folders: [sourceFolder(root, dirname(file))],
      config: ownConfig,
      servingConfig,
      isLenient,
      isUnlisted: false,
    };
  });
  if (sources.length === 0) throw new UserError(`${file} lists no generation: add one under "apis:"`);
  for (const { name } of sources) {
    if (!/^[\w-][\w.-]*$/.test(name) || reservedNames.includes(name)) {
      throw new UserError(
        `${file}: "${name}" under "apis:" cannot be the name of a folder in generated/: ` +
          `use letters, digits, ".", "_" and "-", and none of the names ${reservedNames.join(", ")}`,
      );
    }
  }
  return { config, sources: sources.sort(byVersion), unknownRules };
}

/**
 * Describes files of descriptions that no redocly.yaml lists. They follow the rules that serving needs, with warnings
 * about what is only shown, and about the parameters of paths. Their names are those of the files. Throws
 * {@link UserError} for a URL. References lead to files in the folder of a description, or in the `allowed` one.
 */
export async function configureFiles(files: readonly string[], allowed?: string): Promise<Configuration> {
  if (allowed !== undefined && !existsSync(allowed)) {
    throw new UserError(`--allow-folder: there is no folder ${allowed}`);
  }
  const config = await createConfig({
    rules: { ...servingRules, "build/described-path": "warn", "build/ignored-keyword": "warn" },
    decorators: { "build/ignore-malformed": "on" },
  });
  config.plugins.push(buildPlugin);
  const taken = new Set(reservedNames);
  const sources = files.map((file): GenerationSource => {
    // Its text isn't repeated, because it may contain a credential.
    if (file.includes("://"))
      throw new UserError("a description is a file, not a URL: download it first, with curl -o openapi.yaml URL");
    const name = distinctName(asciiSlugOf(basename(file, extname(file))) || "api", taken);
    return {
      name,
      root: resolve(file),
      folders: [dirname(resolve(file)), ...(allowed === undefined ? [] : [resolve(allowed)])],
      config,
      servingConfig: config,
      isLenient: true,
      isUnlisted: true,
    };
  });
  return { config, sources, unknownRules: [] };
}

/**
 * Creates functions that parse the text of a bundle, and lint a part of it against what isn't OpenAPI, or what must be
 * refused. Both report mistakes at the lines of the file, which are an error. No other file is read.
 */
export async function createBundleReader() {
  const config = await createConfig({ rules: { ...requirements, struct: "error", "build/profile": countedProfile } });
  config.plugins.push(buildPlugin);
  const externalRefResolver = new BaseResolver();
  externalRefResolver.loadExternalRef = (file) => Promise.reject(new ResolveError(new Error(`${file} isn't read`)));
  return {
    /** Throws {@link LintError}. */
    parse: (text: string, file: string): unknown => {
      try {
        return makeDocumentFromString(text, resolve(file)).parsed;
      } catch (error) {
        if (!(error instanceof YamlParseError)) throw error;
        throw new LintError(`${file} cannot be compared`, fromYamlError(error));
      }
    },
    /** Returns the warnings. Throws {@link LintError}. */
    lint: async (text: string, file: string, parsed: object): Promise<readonly LintProblem[]> => {
      const document = { source: new Source(resolve(file), text), parsed };
      const problems = (await lint({ document, config, externalRefResolver })).map(asWarning);
      if (hasErrors(problems)) throw new LintError(`${file} cannot be compared`, problems);
      return problems;
    },
  };
}

/** The severity in the configuration of a rule, which may have options. */
function severityOf(rule: unknown): unknown {
  return isObject(rule) ? rule["severity"] : rule;
}

async function readConfig(file: string): Promise<Config> {
  const config = await loadConfig({ configPath: file }).catch((error: unknown) => {
    if (error instanceof YamlParseError) throw configError(file, fromYamlError(error));
    throw new UserError(`${file} cannot be used: ${messageOf(error)}`);
  });
  config.plugins.push(buildPlugin);
  const problems = await lintConfig({ config, severity: "error" });
  if (problems.length > 0) throw configError(file, problems.map(fromRedocly));
  return config;
}

/** Rules and decorators that their plugin doesn't define. Redocly (2.64) ignores them. */
function findUnknownRules({ document, plugins }: Config): LintProblem[] {
  if (document === undefined) return [];
  const { source } = document;
  const known = plugins.flatMap(listRules).filter((name) => name.includes("/"));
  return source.getLines().flatMap((line, index) => {
    const [, indent = "", name = "", plugin = ""] = /^(\s+)["']?(([\w-]+)\/[\w-]+)["']?:/.exec(line) ?? [];
    if (name === "" || known.includes(name) || !plugins.some(({ id }) => id === plugin)) return [];
    const place = placeAt(source, index + 1, indent.length + 1);
    const message = `The plugin ${plugin} has no rule or decorator ${name}.`;
    const meant = likelyName(name, known);
    const advice = meant === undefined ? "Correct the name, or remove the line." : `Did you mean: ${meant}?`;
    return [errorAt(place, "configuration", message, advice)];
  });
}

/** The names of a plugin's rules and decorators for all versions of the specification. */
function listRules({ rules, preprocessors, decorators }: Config["plugins"][number]): readonly string[] {
  const byVersion = [rules, preprocessors, decorators].flatMap((one) => Object.values({ ...one }));
  return byVersion.flatMap((named) => Object.keys({ ...named }));
}

function configError(file: string, problems: readonly LintProblem[]): LintError {
  return new LintError(`${file} cannot be used`, problems);
}
