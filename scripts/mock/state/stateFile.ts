import { access, constants, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorCode, messageOf, UserError } from "../../contract/failures.ts";
import { isObject, parseJson } from "../../spec/json.ts";
import type { Engine } from "../engine.ts";

/** Time between two looks at whether something was written, in milliseconds. */
const interval = 500;

/**
 * Lets a mock continue with what another one kept in a file, if there is one. Throws {@link UserError} if it is another kind
 * of file or of another contract; it is left alone.
 */
export async function readStateFile(file: string, engine: Engine): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new UserError(`${file} cannot be read: ${messageOf(error)}`);
  });
  if (text === undefined) {
    await access(dirname(resolve(file)), constants.W_OK).catch((error: unknown) => {
      throw new UserError(`${file} cannot be written: ${messageOf(error)}`);
    });
    return;
  }
  const value = parseJson(text);
  if (!isObject(value) || !isObject(value["sessions"])) {
    throw new UserError(`${file} is not a file that the mock has written: name another one, or remove it`);
  }
  try {
    engine.readState(value["sessions"]);
  } catch (error) {
    if (error instanceof UserError)
      throw new UserError(`${file} cannot be used: ${error.message}; name another file, or remove this one`);
    throw error;
  }
}

/**
 * Keeps in a file what requests write, at most a second behind; a file that cannot be written is a warning. Returns a
 * function that writes what is not yet written, and ends.
 */
export function keepStateFile(file: string, engine: Engine): () => Promise<void> {
  let written = engine.version();
  let saving = Promise.resolve();
  let problem: string | undefined;
  const save = async () => {
    const version = engine.version();
    if (version === written) return;
    try {
      // Aside first, so that the file is never half written.
      const aside = `${file}.${process.pid}.new`;
      await writeFile(aside, `${JSON.stringify({ sessions: engine.writeState() })}\n`);
      await rename(aside, file);
      written = version;
      problem = undefined;
    } catch (error) {
      const message = `${file} cannot be written: ${messageOf(error)}`;
      if (message !== problem) process.emitWarning(message);
      problem = message;
    }
  };
  const saveAfterwards = () => (saving = saving.then(save));
  const timer = setInterval(() => void saveAfterwards(), interval).unref();
  return () => {
    clearInterval(timer);
    return saveAfterwards();
  };
}
