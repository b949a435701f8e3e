import { jsonPointer } from "../spec/jsonPointer.ts";
import { isReference } from "../spec/openapi.ts";
import { resolve } from "../spec/references.ts";
import { keysTo, walk, type Place } from "../spec/walk.ts";
import { messageOf } from "./failures.ts";

/** As deep as this, every command can follow. Large public descriptions have 24 levels. */
const maximumDepth = 500;

/**
 * What keeps a bundle from being read, with the place: something missing, a reference that leads nowhere, or too many
 * levels. A bundle that passed lint has none of these. `undefined` if there is nothing.
 */
export function findBundleFault(document: object): string | undefined {
  for (const place of walk(document)) {
    const fault = faultOf(document, place);
    if (fault !== undefined) return `at #${jsonPointer(keysTo(place).slice(0, 20))}: ${fault}`;
  }
  return undefined;
}

function faultOf(document: object, { value, depth }: Place): string | undefined {
  if (value === null) return "null where a part of the description should be";
  if (depth > maximumDepth) return `nested more than ${maximumDepth} levels deep`;
  if (!isReference(value)) return undefined;
  try {
    resolve(document, value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
