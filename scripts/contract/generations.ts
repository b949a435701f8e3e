import { lintConfig, loadConfig, YamlParseError, type Config } from "@redocly/openapi-core";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CommandError } from "../command.ts";
import { formatProblem, fromRedocly, fromYamlError, type Problem } from "./problems.ts";

/** One generation of the interface: an entry of `apis:` in redocly.yaml. */
export interface Generation {
  /** Its name there, which is also the name of its folder under generated/. */
  readonly name: string;
  /** Absolute path of the description that everything else is reached from. */
  readonly root: string;
  /** The lint rules that hold for it. */
  readonly config: Config;
}

/**
 * Reads the generations from redocly.yaml, in its order.
 * Throws {@link CommandError} where the file is missing, is wrong, or lists nothing.
 */
export async function readGenerations(configPath = "redocly.yaml"): Promise<readonly Generation[]> {
  const file = resolve(configPath);
  if (!existsSync(file)) {
    throw new CommandError(`there is no ${file}: run this in the project's folder, or write that file`);
  }
  const config = await readConfig(file);
  const generations = Object.entries(config.resolvedConfig.apis ?? {}).map(([name, { root }]) => ({
    name,
    root: resolve(dirname(file), root),
    config: config.forAlias(name),
  }));
  if (generations.length === 0) throw new CommandError(`${file} lists no generation: add one under "apis:"`);
  for (const { name } of generations) {
    // The name becomes a folder's, beside that of the docs.
    if (!/^[\w-][\w.-]*$/.test(name) || name === "docs") {
      throw new CommandError(
        `${file}: "${name}" under "apis:" cannot be a folder's name under generated/: ` +
          `take letters, digits, ".", "_" and "-", and not "docs"`,
      );
    }
  }
  return generations;
}

async function readConfig(file: string): Promise<Config> {
  const config = await loadConfig({ configPath: file }).catch((error: unknown) => {
    if (error instanceof YamlParseError) throw configError(file, [fromYamlError(error)]);
    throw new CommandError(`${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  });
  const problems = await lintConfig({ config, severity: "error" });
  if (problems.length > 0) throw configError(file, problems.map(fromRedocly));
  return config;
}

function configError(file: string, problems: readonly Problem[]): CommandError {
  return new CommandError(
    [`${file} cannot be used`, ...problems.map((problem) => formatProblem(problem, process.cwd()))].join("\n\n"),
  );
}
