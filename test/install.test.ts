import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";
import project from "../package.json" with { type: "json" };
import { isObject, membersOf, objectsOf, parseJson, valueAt } from "../scripts/values/json.ts";

const oldest = project.devEngines.runtime.version.replace(">=", "");
const lock = membersOf(valueAt(parseJson(readFileSync("package-lock.json", "utf8")), ["packages"]));
/** What the lock file says of the packages that contain Node.js, by their names. */
const nodes = Object.keys(project.optionalDependencies).map((name) => {
  const [, locked] = lock.find(([path]) => path === `node_modules/${name}`) ?? [];
  return { name, locked: isObject(locked) ? locked : {} };
});

function isOlder(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}

describe("npm ci", () => {
  it("runs no script of a package", () => {
    const scripted = lock.filter(([, locked]) => valueAt(locked, ["hasInstallScript"]) === true);
    const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ""));
    expect(project.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
  });

  it("reports nothing where npm 10 runs the one script that there is", () => {
    expect(Object.keys(project.allowScripts)).toEqual(["@scarf/scarf"]);
    expect(project.scarfSettings).toEqual({ enabled: false });
  });

  it("needs the Node.js that the README names, where it installs none", () => {
    expect(readFileSync("README.md", "utf8")).toMatch(new RegExp(`Node\\.js\\s${oldest.replace(/\.0$/, "")} or newer`));
  });

  it("installs a Node.js that the lock file has, and that is new enough", () => {
    for (const { name, locked } of nodes) {
      expect(locked["integrity"], name).toMatch(/^sha512-/);
      expect(isOlder(String(locked["version"]), oldest), name).toBe(false);
    }
    const own = nodes.find(({ locked }) => locked["os"] === process.platform && locked["cpu"] === process.arch);
    if (own === undefined) return;
    // As npm scripts do.
    const code = "process.versions.node + ' ' + fs.realpathSync(process.execPath)";
    const [version, program] = execFileSync("npm", ["exec", "--", "node", "-p", code], { encoding: "utf8" }).split(" ");
    expect(version).toBe(own.locked["version"]);
    expect(program).toContain(resolve("node_modules", own.name) + sep);
  });
});

describe("npm sbom", () => {
  it("lists the installed packages", () => {
    const bom = parseJson(execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx"], { encoding: "utf8" }));
    const components = objectsOf(valueAt(bom, ["components"]));
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["openapi-fetch", "typescript"]));
  });
});

describe("an old Node.js", () => {
  const commands = Object.values(project.scripts)
    .flatMap((script) => script.split(" && "))
    .filter((command) => command.startsWith("node "));

  it("runs no npm script, and says which one is needed", () => {
    expect(commands.length).toBeGreaterThan(10);
    const pretend = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '22.23.3' })";
    const [, ...args] = commands[0]?.split(" ") ?? [];
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", pretend, ...args], {
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(`^error: this needs Node\\.js ${oldest} or newer, but runs on 22\\.23\\.3: .*\\n$`),
    );
  });

  it("is told so by each of them", () => {
    const untold = commands.filter((command) => !command.startsWith("node --import ./scripts/command/checkNode.js "));
    expect(untold).toEqual([]);
  });
});
