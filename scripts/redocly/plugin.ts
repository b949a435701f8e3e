import type { Plugin } from "@redocly/openapi-core";
import { removePaths } from "./decorators/removePaths.ts";
import { addTags } from "./decorators/addTags.ts";
import { nameGaps } from "./decorators/nameGaps.ts";
import { descriptions } from "./rules/descriptions.ts";
import { closedEnum, extensibleEnum } from "./rules/enums.ts";
import { examples } from "./rules/examples.ts";
import { groupFile, pathItemPath, tagGroups } from "./rules/groupRules.ts";
import { schemaName, uniqueNames } from "./rules/names.ts";
import { credentialParameter, pagination } from "./rules/parameterRules.ts";
import { resourceOperation, resourceSchema } from "./rules/resource.ts";
import { knownFormat, schemaValues } from "./rules/schemaValues.ts";
import { unspecified } from "./rules/unspecified.ts";
import { unusedSource } from "./rules/unusedSource.ts";

/**
 * The rules that no configurable rule of Redocly can express, and what bundles get beyond what is written. redocly.yaml
 * names both as `house/<name>`.
 */
export default function house(): Plugin {
  return {
    id: "house",
    rules: {
      oas3: {
        "closed-enum": closedEnum,
        "credential-parameter": credentialParameter,
        descriptions,
        examples,
        "extensible-enum": extensibleEnum,
        "group-file": groupFile,
        "known-format": knownFormat,
        pagination,
        "path-item-path": pathItemPath,
        "resource-operation": resourceOperation,
        "resource-schema": resourceSchema,
        "schema-name": schemaName,
        "schema-values": schemaValues,
        "tag-groups": tagGroups,
        "unique-names": uniqueNames,
        unspecified,
        "unused-source": unusedSource,
      },
    },
    decorators: {
      oas3: { "name-gaps": nameGaps, "add-tags": addTags, "remove-paths": removePaths },
    },
  };
}
