import type { Plugin } from "@redocly/openapi-core";
import { addTags, nameGaps, passOnDeprecation } from "./decorators.ts";
import { descriptions } from "./rules/descriptions.ts";
import { examples } from "./rules/examples.ts";
import { extensionName, extensions } from "./rules/extensions.ts";
import { deprecation, groupFile, operationIdUnique, pagination, tagGroups } from "./rules/operationRules.ts";
import { resourceOperation, resourceSchema } from "./rules/resource.ts";
import {
  closedEnum,
  inputOrder,
  knownFormat,
  keywordForms,
  schemaName,
  schemaOrder,
  schemaValues,
} from "./rules/schemaRules.ts";
import { unspecified } from "./rules/unspecified.ts";
import { unusedSource } from "./rules/unusedSource.ts";

/**
 * Rules that Redocly's configurable rules can't express, and decorators that extend bundles. redocly.yaml
 * names both as `house/<name>`. An API that extends `house/off` need not follow our rules, and only gets
 * warnings for fields that are ignored and schemas that are unusable. `house/extensions` checks the
 * values of our extensions.
 */
export default function house(): Plugin {
  const plugin: Plugin = {
    id: "house",
    rules: {
      oas3: {
        "closed-enum": closedEnum,
        deprecation,
        descriptions,
        examples,
        "extension-name": extensionName,
        "group-file": groupFile,
        "known-format": knownFormat,
        "operation-id-unique": operationIdUnique,
        pagination,
        "resource-operation": resourceOperation,
        "resource-schema": resourceSchema,
        "schema-keywords": keywordForms,
        "schema-name": schemaName,
        "schema-order": schemaOrder,
        "schema-values": schemaValues,
        "tag-groups": tagGroups,
        unspecified,
        "unused-source": unusedSource,
      },
      arazzo1: { "schema-order": inputOrder },
    },
    decorators: {
      oas3: {
        "name-gaps": nameGaps,
        "add-tags": addTags,
        "pass-on-deprecation": passOnDeprecation,
      },
    },
  };
  const own = Object.keys(plugin.rules?.oas3 ?? {}).map((name) => `house/${name}`);
  const off = Object.fromEntries(
    [...own, ...Object.keys(extensions), ...assertions].map((name) => [name, "off"] as const),
  );
  // What is ignored or unusable is reported for every description.
  const told = { struct: "warn" as const, "house/schema-keywords": "warn" as const };
  const told30 = { "spec-ref-siblings": "warn" as const };
  return {
    ...plugin,
    configs: {
      extensions: { rules: extensions },
      off: { rules: { ...off, ...told }, oas3_0Rules: told30 },
    },
  };
}

/** The rules in redocly.yaml that are Redocly assertions. They belong to our rules too. */
const assertions = [
  ...["rule/example-summary", "rule/failure-response", "rule/media-type-name", "rule/media-type-schema"],
  ...["rule/named-examples", "rule/operation-id", "rule/operation-tag"],
  ...["rule/path-template", "rule/request-body-required", "rule/webhook-id"],
];
