const matchExample = "Change the example or its schema so that they match.";

/** Suggestions for rules whose messages have none. Messages of other rules include one. */
const onRules: Readonly<Record<string, string>> = {
  "component-name-unique": "Rename one of the two, or define it once, in a file that both places refer to.",
  "info-license": "Add `license` to `info`, with the `name` of the license.",
  "info-license-strict": "Add `identifier` or `url` to the license.",
  "no-ambiguous-paths": "Change one of the two paths, so that no request fits both.",
  "no-duplicated-enum-values": "Remove one of the two values.",
  "no-duplicated-tag-names": "Remove one of the two tags, or rename it.",
  "no-empty-servers": "Add a server with its `url` to `servers`.",
  "no-enum-type-mismatch": "Change the value or the type so that they match.",
  "no-example-value-and-externalValue": "Remove `value` or `externalValue`.",
  "no-identical-paths": "Put the operations of both into one path item, or change one of the paths.",
  "no-illogical-composition-keywords": "Correct the list of schemas, or write its only schema without it.",
  "no-invalid-media-type-examples": matchExample,
  "no-invalid-parameter-examples": matchExample,
  "no-invalid-schema-examples": matchExample,
  "no-mixed-number-range-constraints": "Keep the intended one.",
  "no-path-trailing-slash": "Remove the slash at its end.",
  "no-required-schema-properties-undefined": "Add the property to `properties`, or remove its name from `required`.",
  "no-schema-type-mismatch": "Change the type, or remove the keyword.",
  "no-server-example.com": "Write the address of the server.",
  "no-server-trailing-slash": "Remove the slash at its end.",
  "no-server-variables-empty-enum": "List the values, with the default among them, or remove `enum`.",
  "no-undefined-server-variable": "Correct the name in `url` or in `variables` so that they match.",
  "no-unresolved-refs": "Correct the $ref, or add what it points to.",
  "no-unsafe-markdown": "Write it without HTML that runs scripts.",
  "no-unused-components": "Add a reference to it, or delete it.",
  "operation-2xx-response": "Add a response for success: `2XX` if its status is unknown.",
  "operation-4xx-response": "Add a response for failures of the request, such as `4XX`.",
  "operation-description": "Add `description`: what the operation does, in a sentence.",
  "operation-operationId": "Add `operationId`: a verb and a noun, such as `listTeams`.",
  "operation-operationId-url-safe": "Write it with letters and digits only.",
  "operation-parameters-unique": "Remove one of the two, or correct its `name` or `in`.",
  "operation-singular-tag": "Keep one tag: the group of the operation.",
  "operation-summary": "Add `summary`: what the operation does, in a few words.",
  "operation-tag-defined": "Correct its name, or add it to `tags` in the index, with a description.",
  "parameter-description": "Add `description`: what the parameter means.",
  "path-declaration-must-exist": "Write the name of the parameter between the braces.",
  "path-not-include-query": "Remove `?` and the text after it, and describe the query parameters instead.",
  "build/named-scheme": "Name a scheme of `components.securitySchemes` in the index, or add this one there.",
  "build/described-path": "Use the same names in the path and in `parameters`.",
  "path-parameters-defined":
    "Add it to `parameters`, with `in: path` and `required: true`, or correct the path in the index.",
  "security-defined":
    "Add `security`: its schemes, or `[]` if it needs no credentials. If that is unknown, add `{}` to the list.",
  "security-scopes-defined": "Correct the scope, or add it to the `scopes` of the scheme's flows.",
  "spec-components-invalid-map-name": "Rename it: letters, digits, `.`, `-` and `_` only.",
  "spec-no-invalid-tag-parents": "Correct `parent`: name another tag, which must not be nested in this one.",
  "spec-ref-siblings": "Move it to the reference's target, or remove it.",
  struct: "Correct its name, or remove it.",
  "tag-description": "Add `description`: what the group is about.",
};

/** The suggestion for all problems of a rule. `undefined` if its messages have their own. */
export function adviceOnRule(rule: string): string | undefined {
  return onRules[rule];
}
