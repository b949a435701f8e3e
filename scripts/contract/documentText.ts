import { dump } from "js-yaml";

/** A bundle as YAML, without aliases or folded lines. */
export function formatYaml(document: object): string {
  return dump(document, { noRefs: true, lineWidth: -1 });
}

export function formatJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
