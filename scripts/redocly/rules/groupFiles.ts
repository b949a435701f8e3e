import type { Oas3Rule } from "@redocly/openapi-core";
import { dirname, relative, sep } from "node:path";
import { elementsOf, isObject, membersOf } from "../../spec/json.ts";
import { slugOf } from "../../contract/text.ts";
import { follow, keyOf } from "../nodes.ts";

/** The path that a path item gives in `x-path`, for readers of its file, is the one under which the index lists it. */
export const pathItemPath: Oas3Rule = () => ({
  Paths(paths: unknown, ctx) {
    for (const [path, item] of membersOf(paths)) {
      const found = follow(item, ctx.location.child(path), ctx);
      if (found === undefined || (found.node["x-path"] ?? path) === path) continue;
      const index = relative(process.cwd(), ctx.location.source.absoluteRef);
      const message = `${index} lists this path item as "${path}": make \`x-path\` the same.`;
      ctx.report({ message, location: found.location.child("x-path") });
    }
  },
});

/**
 * The operations in a file other than the index have the tag that the file is named after: `Orgs / Teams` for
 * orgs/teams.yaml.
 */
export const groupFile: Oas3Rule = () => {
  let folder = "";
  let index = "";
  return {
    Root(_: unknown, { location }) {
      index = location.source.absoluteRef;
      folder = dirname(index);
    },
    Operation(operation: unknown, ctx) {
      const file = ctx.location.source.absoluteRef;
      const [tag] = elementsOf(isObject(operation) ? operation["tags"] : undefined);
      if (file === index || typeof tag !== "string") return;
      const expected = `${tag.split(" / ").map(slugOf).join("/")}.yaml`;
      const actual = relative(folder, file).replaceAll(sep, "/");
      if (actual === expected) return;
      const message = `The group "${tag}" belongs in ${expected}, and this is ${actual}: move the operation, or correct its tag.`;
      ctx.report({ message, location: keyOf(ctx.location.child(["tags", 0])) });
    },
  };
};
