import { lintConfig, loadConfig, YamlParseError, type Config } from "@redocly/openapi-core";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf, UserError } from "../contract/failures.ts";
import { byVersion } from "../contract/generation.ts";
import { membersOf } from "../spec/json.ts";
import { valueAt } from "../spec/jsonPointer.ts";
import { formatProblems, fromRedocly, fromYamlError, type LintProblem } from "./lintProblems.ts";

/** Where a generation is described: an entry of `apis:` in redocly.yaml. */
export interface GenerationSource {
  /** Its name there, which is also the name of its folder under generated/. */
  readonly name: string;
  /** Absolute path of the description that everything else is reached from. */
  readonly root: string;
  /** The lint rules that apply to it. */
  readonly config: Config;
}

/** Folders of generated/, of the npm package and of the docs site that are not generations. */
export const reservedNames: readonly string[] = [
  ...["docs", "docs-screenshots", "package", "workflows"],
  ...["assets", "authentication", "downloads", "guides", "unspecified"],
  ...["client", "mock"],
];

/** The content of redocly.yaml. */
export interface Configuration {
  /** The lint rules that apply to what belongs to no generation. */
  readonly config: Config;
  /** The generations, the oldest version first. */
  readonly sources: readonly GenerationSource[];
}

/** Reads redocly.yaml. Throws {@link UserError} if the file is missing, is wrong, or lists no generation. */
export async function readConfiguration(configPath = "redocly.yaml"): Promise<Configuration> {
  const file = resolve(configPath);
  if (!existsSync(file)) {
    throw new UserError(`${file} does not exist: run this in the project's folder, or create the file`);
  }
  const config = await readConfig(file);
  const sources = rootsOf(config).map(([name, root]) => {
    const ownConfig = config.forAlias(name);
    // All that follows lint relies on the structure that the specification asks for.
    ownConfig.rules.oas3_1["struct"] = "error";
    return { name, root: resolve(dirname(file), root), config: ownConfig };
  });
  if (sources.length === 0) throw new UserError(`${file} lists no generation: add one under "apis:"`);
  for (const { name } of sources) {
    if (!/^[\w-][\w.-]*$/.test(name) || reservedNames.includes(name)) {
      throw new UserError(
        `${file}: "${name}" under "apis:" cannot be the name of a folder in generated/: ` +
          `use letters, digits, ".", "_" and "-", and none of ${reservedNames.join(", ")}`,
      );
    }
  }
  return { config, sources: sources.sort(byVersion) };
}

/** Names and roots of the generations. Comparing the type that Redocly gives them takes the compiler six seconds. */
function rootsOf({ resolvedConfig }: { readonly resolvedConfig: unknown }): readonly [name: string, root: string][] {
  return membersOf(valueAt(resolvedConfig, ["apis"])).flatMap(([name, api]): [string, string][] => {
    const root = valueAt(api, ["root"]);
    return typeof root === "string" ? [[name, root]] : [];
  });
}

async function readConfig(file: string): Promise<Config> {
  const config = await loadConfig({ configPath: file }).catch((error: unknown) => {
    if (error instanceof YamlParseError) throw configError(file, [fromYamlError(error)]);
    throw new UserError(`${file} cannot be used: ${messageOf(error)}`);
  });
  const problems = await lintConfig({ config, severity: "error" });
  if (problems.length > 0) throw configError(file, problems.map(fromRedocly));
  return config;
}

function configError(file: string, problems: readonly LintProblem[]): UserError {
  return new UserError(`${file} cannot be used\n\n${formatProblems(problems)}`);
}
