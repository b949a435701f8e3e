import { access, constants, lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { errorCode, ifAbsent, messageOf, UserError } from "../../contract/failures.ts";
import { isDigits } from "../../values/text.ts";
import { isObject, parseJson, valueAt } from "../../values/json.ts";
import type { Engine } from "./engine.ts";
import { depthOf } from "../../exchange/requestBody.ts";

const interval = 500;

/** Creates a file that only its owner can read, and follows no link, which `wx` refuses. */
const asNewFile = { flag: "wx", mode: 0o600 };

/**
 * Loads a mock's state from a file, and saves it at most a second after each change. Returns a function that
 * saves the rest and stops. Throws {@link UserError} if another mock uses the file, or if the file isn't a
 * state of this contract. The file then stays unchanged.
 */
export async function keepStateFile(name: string, engine: Engine): Promise<() => Promise<void>> {
  await refuseUnwritable(name);
  const file = resolve(name);
  const unlock = await takeLock(`${file}.lock`, name);
  await readState(file, name, engine).catch(async (error: unknown) => {
    await unlock();
    throw error;
  });
  let written = engine.version();
  let saving = Promise.resolve();
  let problem: string | undefined;
  const save = async () => {
    const version = engine.version();
    if (version === written) return;
    try {
      // Written to another file first, so that the state file is always complete. A killed mock may have left one.
      const aside = `${file}.unfinished`;
      await rm(aside, { force: true });
      await writeFile(aside, `${JSON.stringify({ sessions: engine.writeState() })}\n`, asNewFile);
      await rename(aside, file);
      written = version;
      problem = undefined;
    } catch (error) {
      const message = `${name} cannot be written: ${messageOf(error)}`;
      if (message !== problem) process.emitWarning(message);
      problem = message;
    }
  };
  const saveAfterwards = () => (saving = saving.then(save));
  const timer = setInterval(() => void saveAfterwards(), interval).unref();
  return () => {
    clearInterval(timer);
    return saveAfterwards().then(unlock);
  };
}

/** Throws {@link UserError} for anything but a writable file, or none. A link would be replaced by a file. */
async function refuseUnwritable(name: string): Promise<void> {
  try {
    const found = await lstat(name).catch(ifAbsent(undefined));
    if (found === undefined) return;
    if (!found.isFile()) throw new UserError("it is a link, a folder or a device");
    await access(name, constants.W_OK);
  } catch (error) {
    throw new UserError(`${name} cannot be written: ${messageOf(error)}`);
  }
}

/** Creates a file that names the process that uses the state file. Replaces the lock of an ended process. */
async function takeLock(lock: string, name: string): Promise<() => Promise<void>> {
  const create = () => writeFile(lock, String(process.pid), asNewFile);
  try {
    await create().catch(async (error: unknown) => {
      const owner = errorCode(error) === "EEXIST" ? await readFile(lock, "utf8").catch(() => "") : undefined;
      if (owner === undefined) throw error;
      if (!isDigits(owner) || isRunning(Number(owner))) throw inUse(lock, name, owner);
      await rm(lock, { force: true });
      await create();
    });
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(`${name} cannot be locked: ${messageOf(error)}`);
  }
  return () => rm(lock, { force: true });
}

function inUse(lock: string, name: string, owner: string): UserError {
  const who = isDigits(owner) ? `, the process ${owner}` : "";
  return new UserError(
    `${name} is in use by another mock${who}: stop it, or choose another file. If no mock uses it, remove ${lock}`,
  );
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

async function readState(file: string, name: string, engine: Engine): Promise<void> {
  const text = await readFile(file, "utf8")
    .catch(ifAbsent(""))
    .catch((error: unknown) => {
      throw new UserError(`${name} cannot be read: ${messageOf(error)}`);
    });
  if (text.trim() === "") return;
  const sessions = valueAt(parseJson(text), ["sessions"]);
  const advice = "choose another file, or remove this one";
  // Requests write shallower values.
  if (!isObject(sessions) || depthOf(Buffer.from(text)) > 500)
    throw new UserError(`${name} was not written by the mock: ${advice}`);
  const [violation] = engine.readState(sessions);
  if (violation !== undefined) throw new UserError(`${name} cannot be used: ${violation.message}; ${advice}`);
}
