import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { splitOnce, withoutEnd, withoutSlashes } from "../../values/text.ts";
import { isObject, parseJson, stringOf } from "../../values/json.ts";

/**
 * The repository that `repository` in the current folder's package.json names, and the project's folder in it.
 * `undefined` if it names none, or none on GitHub, whose addresses other hosts don't have.
 */
export async function readRepository(): Promise<{ readonly repository: string; readonly folder: string } | undefined> {
  const manifest = parseJson(await readFile(resolve("package.json"), "utf8").catch(() => ""));
  const named = isObject(manifest) ? manifest["repository"] : undefined;
  const { url, directory } = isObject(named) ? named : { url: named, directory: undefined };
  const repository = readAddress(stringOf(url) ?? "");
  if (repository === undefined) return undefined;
  const folder = withoutSlashes((stringOf(directory) ?? "").replace(/^(?:\.?\/)+/, ""));
  return { repository, folder: folder === "" ? "" : `${folder}/` };
}

/** The forms that npm knows: `OWNER/NAME`, `github:OWNER/NAME`, and addresses of Git over HTTPS and SSH. */
function readAddress(text: string): string | undefined {
  const [written] = splitOnce(text, "#");
  const short = written.startsWith("github:") ? written.slice("github:".length) : written;
  const { hostname, pathname } = URL.parse(written.replace("git@github.com:", "ssh://git@github.com/")) ?? {};
  const path = hostname === "github.com" ? pathname : short;
  const [owner = "", name = "", ...rest] = withoutEnd(withoutSlashes(path ?? ""), ".git")
    .split("/")
    .filter(Boolean);
  const isNamed = [owner, name].every((part) => /^[\w.-]+$/.test(part)) && rest.length === 0;
  return isNamed ? `https://github.com/${owner}/${name}` : undefined;
}
