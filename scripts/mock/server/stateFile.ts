import { appendFile, chmod, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { errorCode, ifAbsent, messageOf, UserError } from "../../contract/failures.ts";
import { isObject, parseJson, valueAt } from "../../spec/json.ts";
import type { Engine } from "./engine.ts";
import { isDeeper } from "../../exchange/requestBody.ts";

const interval = 500;

/** The locks of this process. In a container, one that ended may have had the same number. */
const held = new Set<string>();

/**
 * Lets a mock continue with what another one kept in a file, and keeps in it what requests write, at most a second behind.
 * Returns a function that writes the rest and ends. Throws {@link UserError} if another mock uses the file, or if it is
 * another kind of file or of another contract; it is left alone.
 */
export async function keepStateFile(name: string, engine: Engine): Promise<() => Promise<void>> {
  await appendFile(name, "", { flag: "a+" }).catch((error: unknown) => {
    throw new UserError(`${name} cannot be written: ${messageOf(error)}`);
  });
  // A link stays one, and its file is locked by whatever name it has.
  const file = await realpath(name);
  const first = await stat(file);
  if (!first.isFile()) throw new UserError(`${name} is a device: name a file`);
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
      const { mode } = await stat(file).catch(ifAbsent(first));
      // Aside first, so that the file is never half written.
      const aside = `${file}.${process.pid}.new`;
      await writeFile(aside, `${JSON.stringify({ sessions: engine.writeState() })}\n`, { mode });
      await chmod(aside, mode);
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

/** Creates a file that says which process uses the state file. One whose process has ended is replaced. */
async function takeLock(lock: string, name: string): Promise<() => Promise<void>> {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw new UserError(`${name} cannot be locked: ${messageOf(error)}`);
    const owner = await readFile(lock, "utf8").catch(() => "");
    if (!/^\d+$/.test(owner) || (owner === String(process.pid) ? held.has(lock) : isRunning(Number(owner)))) {
      const advice = `stop it, or name another file; if it is no mock, remove ${lock}`;
      throw new UserError(`${name} is in use by another mock, the process ${owner || "?"}: ${advice}`);
    }
    await rm(lock, { force: true });
    return takeLock(lock, name);
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    return rm(lock, { force: true });
  };
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

async function readState(file: string, name: string, engine: Engine): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new UserError(`${name} cannot be read: ${messageOf(error)}`);
  });
  if (text.trim() === "") return;
  const sessions = valueAt(parseJson(text), ["sessions"]);
  const advice = "name another file, or remove this one";
  // What a request writes is less deep.
  if (!isObject(sessions) || isDeeper(sessions, 500))
    throw new UserError(`${name} is not a file that the mock has written: ${advice}`);
  const [violation] = engine.readState(sessions);
  if (violation !== undefined) throw new UserError(`${name} cannot be used: ${violation.message}; ${advice}`);
}
