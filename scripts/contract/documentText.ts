import { dump } from "js-yaml";

/** A bundle as YAML. References to one parsed node are written out, and long lines are not folded. */
export function formatYaml(document: object): string {
  return dump(document, { noRefs: true, lineWidth: -1 });
}

export function formatJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
