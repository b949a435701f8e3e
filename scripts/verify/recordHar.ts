import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Exchange } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/secrets.ts";
import { harEntry, harFrame, withoutCredentials } from "./har.ts";
import { asideOf, moveIntoPlace, refuse, type HarFile } from "./harFile.ts";

/**
 * Starts an archive in a temporary file that only its owner can read. After each entry, the file is a complete archive,
 * with one exchange in each line.
 */
export async function recordHar(har: HarFile, secrets: Secrets) {
  const aside = await asideOf(har);
  const descriptor = openFile(aside, har.name);
  const credentials = new Set<string>();
  const { head, foot } = harFrame();
  writeSync(descriptor, head + foot, 0);
  let end = Buffer.byteLength(head);
  let count = 0;
  return {
    /** The name of the temporary file. */
    aside,
    /** Writes an exchange, with secrets masked. */
    add: (exchange: Exchange): void => {
      const line = `${count === 0 ? "" : ","}\n${harEntry(exchange, secrets, credentials)}`;
      writeSync(descriptor, line + foot, end);
      end += Buffer.byteLength(line);
      count += 1;
    },
    /** Removes the temporary file. */
    discard: async (): Promise<void> => {
      closeSync(descriptor);
      await rm(aside);
    },
    /** Masks repetitions of credentials that appeared later, and moves the archive into place. */
    finish: async (): Promise<void> => {
      closeSync(descriptor);
      const masked = `${aside}.masked`;
      const file = await open(masked, "w", 0o600);
      for await (const line of createInterface({ input: createReadStream(aside), crlfDelay: Infinity }))
        await file.write(`${withoutCredentials(line, credentials)}\n`);
      await file.close();
      await rm(aside);
      await moveIntoPlace(har, masked);
    },
  };
}

function openFile(aside: string, name: string): number {
  try {
    return openSync(aside, "w", 0o600);
  } catch (error) {
    return refuse(name)(error);
  }
}
