import type { Oas3Rule } from "@redocly/openapi-core";
import { elementsOf, isObject } from "../../spec/json.ts";
import { keyOf } from "../nodes.ts";

/**
 * If there are `x-tagGroups`, each tag is in exactly one of them: docs leave out the operations of any other. They may
 * also name groups that no tag describes, because none of their operations are specified.
 */
export const tagGroups: Oas3Rule = () => ({
  Root(root: unknown, ctx) {
    if (!isObject(root) || root["x-tagGroups"] === undefined) return;
    const grouped = new Set<unknown>();
    for (const [index, group] of elementsOf(root["x-tagGroups"]).entries()) {
      for (const [position, tag] of elementsOf(isObject(group) ? group["tags"] : undefined).entries()) {
        if (grouped.has(tag)) {
          const message = `The tag ${JSON.stringify(tag)} is in a group already: remove it from one of them.`;
          ctx.report({ message, location: ctx.location.child(["x-tagGroups", index, "tags", position]) });
        }
        grouped.add(tag);
      }
    }
    for (const [index, tag] of elementsOf(root["tags"]).entries()) {
      if (!isObject(tag) || grouped.has(tag["name"])) continue;
      const message =
        `The tag ${JSON.stringify(tag["name"])} is in no group, so docs leave its operations out: add it to ` +
        "`x-tagGroups`.";
      ctx.report({ message, location: keyOf(ctx.location.child(["tags", index])) });
    }
  },
});
