import type { Plugin } from "@redocly/openapi-core";
import { bodyExamples } from "./rules/bodyExamples.ts";
import { closedEnum } from "./rules/closedEnum.ts";
import { descriptions } from "./rules/descriptions.ts";
import { extensibleEnum } from "./rules/extensibleEnum.ts";
import { noCredentialParameter } from "./rules/noCredentialParameter.ts";
import { noUnusedSource } from "./rules/noUnusedSource.ts";
import { pathItemKey } from "./rules/pathItemKey.ts";
import { schemaName } from "./rules/schemaName.ts";
import { tagGroups } from "./rules/tagGroups.ts";
import { unspecified } from "./rules/unspecified.ts";

/** The house rules that no configurable rule of Redocly can express. redocly.yaml names them as `house/<rule>`. */
export default function house(): Plugin {
  return {
    id: "house",
    rules: {
      oas3: {
        "body-examples": bodyExamples,
        "closed-enum": closedEnum,
        descriptions,
        "extensible-enum": extensibleEnum,
        "no-credential-parameter": noCredentialParameter,
        "no-unused-source": noUnusedSource,
        "path-item-key": pathItemKey,
        "schema-name": schemaName,
        "tag-groups": tagGroups,
        unspecified,
      },
    },
  };
}
