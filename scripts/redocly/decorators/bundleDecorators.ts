import type { Oas3Decorator } from "@redocly/openapi-core";
import { unknownGroup } from "../../contract/gaps.ts";
import { elementsOf, isObject, membersOf, objectsOf, stringsOf } from "../../spec/json.ts";
import { valueAt } from "../../spec/jsonPointer.ts";
import { lifecycleDays } from "../../spec/lifecycle.ts";
import type { Node } from "../nodes.ts";

/**
 * Gives a bundle a tag for each group that `x-tagGroups` names, in that order. The tag of a group without operations
 * says that they are not specified.
 */
export const addTags: Oas3Decorator = () => {
  const used = new Set<unknown>();
  return {
    Operation(operation: unknown) {
      if (isObject(operation)) elementsOf(operation["tags"]).forEach((tag) => used.add(tag));
    },
    Root: {
      leave(root: unknown) {
        if (!isObject(root)) return;
        const written = objectsOf(root["tags"]);
        const groups = objectsOf(root["x-tagGroups"]);
        const names = new Set([...groups.flatMap(({ tags }) => stringsOf(tags)), ...written.map(({ name }) => name)]);
        if (names.size === 0) return;
        const tags = [...names].map((name) => {
          const tag = written.find((one) => one["name"] === name) ?? { name };
          return used.has(name) ? tag : withGap(tag);
        });
        Reflect.set(root, "tags", tags);
      },
    },
  };
};

function withGap(tag: Node): Node {
  const gaps = new Set(["operations", ...elementsOf(tag["x-unspecified"])]);
  const { name, description = unknownGroup, ...others } = tag;
  return { name, description, ...others, "x-unspecified": [...gaps] };
}

/** Deprecates every operation of a generation whose `info` has `x-deprecated-on`, with the days of `info` if it has none. */
export const passOnDeprecation: Oas3Decorator = () => {
  const names: readonly string[] = Object.values(lifecycleDays);
  let days: readonly (readonly [string, unknown])[] = [];
  return {
    Root(root: unknown) {
      const info = valueAt(root, ["info"]);
      const isDeprecated = isObject(info) && lifecycleDays.deprecatedOn in info;
      days = isDeprecated ? membersOf(info).filter(([name]) => names.includes(name)) : [];
    },
    Operation(operation: unknown) {
      if (!isObject(operation) || days.length === 0) return;
      for (const [name, value] of [["deprecated", true] as const, ...days]) {
        if (!(name in operation)) Reflect.set(operation, name, value);
      }
    },
  };
};

/** Removes `x-path` from bundles, in which every path item is under its path. */
export const removePaths: Oas3Decorator = () => ({
  PathItem: {
    leave(pathItem: unknown) {
      if (isObject(pathItem)) Reflect.deleteProperty(pathItem, "x-path");
    },
  },
});
