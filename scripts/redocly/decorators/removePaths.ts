import type { Oas3Decorator } from "@redocly/openapi-core";
import { isObject } from "../../spec/json.ts";

/** Removes `x-path` from bundles, in which every path item is under its path. */
export const removePaths: Oas3Decorator = () => ({
  PathItem: {
    leave(pathItem: unknown) {
      if (isObject(pathItem)) Reflect.deleteProperty(pathItem, "x-path");
    },
  },
});
