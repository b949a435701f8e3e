import { dump } from "js-yaml";

/** A bundle, or a part of one, as YAML, without aliases or folded lines, and with quotes only where needed. */
export function formatYaml(document: object, quoteStyle: "single" | "double" = "single"): string {
  return dump(document, { noRefs: true, lineWidth: -1, quoteStyle });
}

export function formatJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
