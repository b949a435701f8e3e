import { readFile, rename, writeFile } from "node:fs/promises";
import { errorCode, messageOf, UserError } from "../contract/failures.ts";
import { isObject } from "../contract/openapi.ts";

/** How often a file is compared with what is to be kept, in milliseconds. */
const interval = 500;

/** What a file keeps. */
export interface Kept {
  /** Changes whenever there is something new to write. */
  readonly version: () => number;
  /** As JSON, by the names of sessions. */
  readonly write: () => Readonly<Record<string, unknown>>;
}

/**
 * Reads what a mock kept in a file, by the names of sessions; nothing if there is no file.
 * Throws {@link UserError} if it is another kind of file, which is left alone.
 */
export async function readStateFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new UserError(`${file} cannot be read: ${messageOf(error)}`);
  });
  if (text === undefined) return {};
  const value = parse(text);
  if (isObject(value) && isObject(value["sessions"])) return value["sessions"];
  throw new UserError(`${file} is not a file that the mock has written: name another one, or remove it`);
}

/**
 * Keeps a file up to date, at most a second behind. `report` is told why it cannot be written. Returns a function that
 * writes what is not yet written, and ends.
 */
export function keepStateFile(file: string, kept: Kept, report: (message: string) => void): () => Promise<void> {
  let written = kept.version();
  let saving = Promise.resolve();
  const save = async () => {
    const version = kept.version();
    if (version === written) return;
    try {
      // Aside first, so that the file is never half written.
      await writeFile(`${file}.new`, `${JSON.stringify({ sessions: kept.write() })}\n`);
      await rename(`${file}.new`, file);
      written = version;
    } catch (error) {
      report(`${file} cannot be written: ${messageOf(error)}`);
    }
  };
  const saveAfter = () => (saving = saving.then(save));
  const timer = setInterval(() => void saveAfter(), interval).unref();
  return () => {
    clearInterval(timer);
    return saveAfter();
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
