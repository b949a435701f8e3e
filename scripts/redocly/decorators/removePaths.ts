import type { Oas3Decorator } from "@redocly/openapi-core";
import { isObject } from "../../contract/openapi.ts";

/** Leaves `x-path` out of bundles, where a path item stands below its path. */
export const removePaths: Oas3Decorator = () => ({
  PathItem: {
    leave(pathItem: unknown) {
      if (isObject(pathItem)) Reflect.deleteProperty(pathItem, "x-path");
    },
  },
});
