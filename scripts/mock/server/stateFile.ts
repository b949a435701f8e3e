import { appendFile, chmod, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { errorCode, ifAbsent, messageOf, UserError } from "../../contract/failures.ts";
import { isDigits } from "../../contract/text.ts";
import { isObject, parseJson, valueAt } from "../../spec/json.ts";
import type { Engine } from "./engine.ts";
import { depthOf } from "../../exchange/requestBody.ts";

const interval = 500;

/** How long a lock may stay empty before its owner writes its process ID into it, in milliseconds. */
const longestWriting = 100;

/** The locks of this process. In a container, an ended process may have had the same ID. */
const held = new Set<string>();

/**
 * Loads a mock's state from a file, and saves it at most a second after each change. Returns a function that
 * saves the rest and stops. Throws {@link UserError} if another mock uses the file, or if the file isn't a
 * state of this contract. The file then stays unchanged.
 */
export async function keepStateFile(name: string, engine: Engine): Promise<() => Promise<void>> {
  await appendFile(name, "", { flag: "a+" }).catch((error: unknown) => {
    throw new UserError(`${name} cannot be written: ${messageOf(error)}`);
  });
  // A link stays a link, and its target is locked under every name.
  const file = await realpath(name);
  const first = await stat(file);
  if (!first.isFile()) throw new UserError(`${name} is a device: choose a file`);
  const unlock = await takeLock(`${file}.lock`, name);
  await removeLeftCopies(file);
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
      // Written to another file first, so that the state file is always complete.
      const aside = `${file}${copySuffix(process.pid)}`;
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

/** Creates a file that names the process that uses the state file. Replaces the lock of an ended process. */
async function takeLock(lock: string, name: string): Promise<() => Promise<void>> {
  const boot = await readBootId();
  try {
    await writeFile(lock, `${process.pid} ${hostname()} ${boot}`.trim(), { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw new UserError(`${name} cannot be locked: ${messageOf(error)}`);
    const [owner = "", host = hostname(), ownersBoot = boot] = (await readOwner(lock).catch(() => "?")).split(" ");
    // In two containers, each mock can be the process 1.
    const isHere = host === hostname();
    if (owner !== "" && !(isHere && (ownersBoot !== boot || hasEnded(owner, held.has(lock))))) {
      const place = isHere ? "" : ` on ${host}`;
      const advice = `stop it, or choose another file. If the process isn't a mock, remove ${lock}`;
      throw new UserError(`${name} is in use by another mock, the process ${owner}${place}: ${advice}`);
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

/** A text that changes when this machine restarts, which ends all its processes. Empty if it isn't known. */
async function readBootId(): Promise<string> {
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
}

/** The process ID in a lock, with the name and the boot ID of its machine. An empty lock has no owner: the disk was full when it was written. */
async function readOwner(lock: string): Promise<string> {
  const read = () => readFile(lock, "utf8").catch(ifAbsent(""));
  const owner = await read();
  if (owner !== "") return owner;
  await setTimeout(longestWriting);
  return read();
}

/** Returns whether the process with an ID has ended. `isOurs`: this process would still hold the lock. */
function hasEnded(owner: string, isOurs: boolean): boolean {
  if (!isDigits(owner)) return false;
  return owner === String(process.pid) ? !isOurs : !isRunning(Number(owner));
}

/** The suffix of the copy that a process writes before it replaces the state file. */
function copySuffix(processId: number | string): string {
  return `.${processId}.new`;
}

/**
 * Removes copies of a state file that killed processes left behind. The caller must hold the lock. Copies
 * that can't be removed stay and do no harm.
 */
async function removeLeftCopies(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [owner = ""] = name.split(".").slice(-2);
    if (name !== basename(file) + copySuffix(owner) || !hasEnded(owner, false)) continue;
    await rm(join(folder, name)).catch(() => undefined);
  }
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
  const advice = "choose another file, or remove this one";
  // Requests write shallower values.
  if (!isObject(sessions) || depthOf(Buffer.from(text)) > 500)
    throw new UserError(`${name} was not written by the mock: ${advice}`);
  const [violation] = engine.readState(sessions);
  if (violation !== undefined) throw new UserError(`${name} cannot be used: ${violation.message}; ${advice}`);
}
