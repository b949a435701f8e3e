/* Received values in words, without what may be a secret. */
import { escapeControls } from "../values/text.ts";
import { isObject, lastKey } from "../values/json.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import type { DescribedValue } from "./describedValues.ts";
import { isOpenValue } from "./openValues.ts";
import { isCredentialField, maskAndCut } from "./secrets.ts";

/** A value in a few words. For a possible secret by its place in the contract, only its type. */
export function describeReceived(document: OpenApiDocument, { value, path, schemas }: DescribedValue): string {
  return isOpenValue(document, value, schemas) ? describeValue({ value, path }) : `a ${typeof value}`;
}

/** A value in a few words. For a possible secret, only its type. */
export function describeValue({ value, path }: Pick<DescribedValue, "value" | "path">): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return `an object with ${Object.keys(value).slice(0, 12).join(", ") || "no members"}`;
  return isCredentialField(lastKey(path)) ? `a ${typeof value}` : JSON.stringify(value);
}

/** An identifier, without what may be a secret, and without characters that steer a terminal. */
export function describeId(name: string, value: unknown): string {
  return escapeControls(maskAndCut(describeValue({ value, path: `/${name}` })));
}
