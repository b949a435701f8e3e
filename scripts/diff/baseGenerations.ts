import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { load } from "js-yaml";
import { readFolder, readText } from "../command/files.ts";
import { git } from "../command/git.ts";
import { findBundleError, releasedFolder } from "../contract/bundles.ts";
import { attempt, messageOf, UserError } from "../contract/failures.ts";
import { byVersion, readGeneration, type Generation } from "../contract/generation.ts";
import { meantName } from "../values/similarName.ts";
import { withoutEnd } from "../values/text.ts";
import { parseJson } from "../values/json.ts";
import { isDocument } from "../spec/openapi.ts";
import { isDocument30, upgradeDocument } from "../spec/upgradeDocument.ts";
import { keepChangedParts } from "./operationUses.ts";

/**
 * Reads the generations of the last release. There are none before the first release. Throws
 * {@link UserError} for an unusable file.
 */
export async function readReleased(): Promise<readonly Generation[]> {
  const bundles = (await readFolder(releasedFolder)).filter(({ path }) => path.endsWith(".yaml"));
  return bundles
    .map(({ path, content }) => parseBundle(withoutEnd(path, ".yaml"), content, resolve(releasedFolder, path)))
    .sort(byVersion);
}

/**
 * Reads the bundles in generated/ of a commit. Throws {@link UserError} if the commit doesn't exist, or has
 * no bundles.
 */
export async function readCommitted(reference: string): Promise<readonly Generation[]> {
  // A name that begins with a hyphen would be an option.
  const verified = git("rev-parse", "--verify", "--end-of-options", `${reference}^{commit}`);
  const commit = (
    await verified.catch(async (error: unknown) => {
      throw new UserError(`there is no commit ${reference}: ${await adviseOnReference(reference, messageOf(error))}`);
    })
  ).trim();
  const listed = await git("ls-tree", "--name-only", "-r", commit, "generated/");
  const bundles = listed.split("\n").flatMap((path) => {
    const [, name = "", file, ...inside] = path.split("/");
    return file === "openapi.yaml" && inside.length === 0 ? { name, path } : [];
  });
  if (bundles.length === 0) throw new UserError(`the commit ${reference} has no bundles in generated/`);
  const generations = bundles.map(async ({ name, path }) =>
    parseBundle(name, await git("show", `${commit}:./${path}`), `${reference}:${path}`),
  );
  return (await Promise.all(generations)).sort(byVersion);
}

/** Says what can be given instead of an unknown commit: a branch or a tag with a similar name, or two files. */
async function adviseOnReference(reference: string, reason: string): Promise<string> {
  if (existsSync(reference)) return "to compare files, give two";
  const names = await git("for-each-ref", "--format=%(refname:short)").catch(() => "");
  const meant = meantName(reference, names.trim().split("\n"));
  return meant === undefined ? `name a commit, a branch or a tag (${reason})` : `did you mean ${meant}?`;
}

/** Functions that parse the text of a bundle, and lint a part of it. They throw {@link UserError}. */
interface BundleReader<Warning> {
  readonly parse: (text: string, file: string) => unknown;
  readonly lint: (text: string, file: string, parsed: object) => Promise<readonly Warning[]>;
}

/**
 * Reads two bundles of OpenAPI 3.0 or later, in YAML or JSON, as states of one generation. Throws {@link UserError} if a part that
 * differs is not valid OpenAPI, or is refused by the profile of OpenAPI, because the comparison would miss it.
 */
export async function readBundleFiles<Warning>(
  files: readonly [string, string],
  { parse, lint }: BundleReader<Warning>,
) {
  const read = async (file: string) => {
    const text = await readText(file);
    return { file, text, generation: parseBundle("api", text, file, parse) };
  };
  const bundles = [await read(files[0]), await read(files[1])] as const;
  const [base, next] = [bundles[0].generation, bundles[1].generation];
  const warnings: Warning[] = [];
  for (const [index, part] of keepChangedParts(base.document, next.document).entries()) {
    const { text, file } = bundles[index === 0 ? 0 : 1];
    warnings.push(...(await lint(text, file, part)));
  }
  return { base, next, warnings };
}

function parseBundle(name: string, text: string, file: string, parse: BundleReader<unknown>["parse"] = parseYaml) {
  // Parsing JSON is much faster.
  const written = parseJson(text) ?? parse(text, file);
  const refusal = `${file} is not an OpenAPI 3.0, 3.1 or 3.2 description`;
  if (!isDocument30(written) && !isDocument(written)) throw new UserError(refusal);
  try {
    // Comes first, because an upgrade of a document that contains itself would not end.
    const error = findBundleError(written);
    if (error !== undefined) throw new UserError(error);
    const document = isDocument(written) ? written : upgradeDocument(written);
    if (!isDocument(document)) throw new UserError("its `paths` are not an object");
    return readGeneration(name, document);
  } catch (cause) {
    throw new UserError(`${file} cannot be compared: ${messageOf(cause)}`);
  }
}

/** The content of a file that a release or a build wrote. `undefined` if it was damaged. */
function parseYaml(text: string): unknown {
  return attempt(() => load(text));
}
