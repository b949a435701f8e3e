import { join, relative } from "node:path";
import { changeFolder } from "../command/files.ts";
import { formatYaml } from "../contract/documentText.ts";
import type { Generation } from "../contract/generation.ts";
import { countOf } from "../contract/text.ts";
import { isObject } from "../spec/json.ts";
import { methods, type OpenApiDocument } from "../spec/openapi.ts";
import { resolve } from "../spec/references.ts";
import { mapObjects } from "../spec/walk.ts";

/**
 * Writes the bundle of each generation to a folder, as `<generation>.yaml`, with the status code 200 in place of `2XX`, for
 * tools that know no ranges of codes. Each such response has `x-assumed`, and its description says so, too. Resolves to a
 * line of a report for each file.
 */
export async function writeWithStatus200(folder: string, generations: readonly Generation[]) {
  const files = generations.map(({ name, document }) => ({ path: `${name}.yaml`, ...withStatus200(document) }));
  await changeFolder(folder, { written: files, removed: [] });
  return files.map(({ path, count }) => {
    const file = relative(process.cwd(), join(folder, path));
    return `wrote ${file}, which assumes the status code 200 for ${countOf(count, "operation")}`;
  });
}

function withStatus200(document: OpenApiDocument) {
  let count = 0;
  const copy = mapObjects(document, (object, keys) => {
    const { responses } = object;
    const isOperation = methods.some((method) => method === keys.at(-1));
    if (!isOperation || !isObject(responses) || !isObject(responses["2XX"]) || "200" in responses) return object;
    count += 1;
    const { "2XX": success, ...others } = responses;
    return { ...object, responses: { "200": assumed(resolve(document, success)), ...others } };
  });
  if (!isObject(copy)) throw new Error("a copy of a document is an object");
  return { count, content: formatYaml(copy) };
}

function assumed(response: Readonly<Record<string, unknown>>) {
  const note = "The status code 200 is an assumption: which one a success has isn't specified.";
  return { ...response, description: `${String(response["description"])} ${note}`, "x-assumed": ["status code"] };
}
