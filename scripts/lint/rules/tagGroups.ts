import type { Oas3Rule } from "@redocly/openapi-core";
import { isObject } from "../../contract/document.ts";
import { elementsOf, keyOf } from "../nodes.ts";

/** Where there are `x-tagGroups`, each declared tag is in one of them: docs leave out the operations of any other. */
export const tagGroups: Oas3Rule = () => ({
  Root(root: unknown, ctx) {
    if (!isObject(root) || root["x-tagGroups"] === undefined) return;
    const declared = elementsOf(root["tags"]).map((tag) => (isObject(tag) ? tag["name"] : undefined));
    const grouped = new Set<unknown>();
    for (const [index, group] of elementsOf(root["x-tagGroups"]).entries()) {
      const tags = isObject(group) ? elementsOf(group["tags"]) : [];
      for (const [position, tag] of tags.entries()) {
        const location = ctx.location.child(["x-tagGroups", index, "tags", position]);
        const name = JSON.stringify(tag);
        if (!declared.includes(tag)) {
          ctx.report({ message: `There is no tag ${name}: declare it under \`tags\`, or correct it.`, location });
        } else if (grouped.has(tag)) {
          ctx.report({ message: `The tag ${name} is in a group already: take one away.`, location });
        }
        grouped.add(tag);
      }
    }
    for (const [index, tag] of declared.entries()) {
      if (tag === undefined || grouped.has(tag)) continue;
      ctx.report({
        message: `The tag ${JSON.stringify(tag)} is in no group, so docs leave its operations out: add it to \`x-tagGroups\`.`,
        location: keyOf(ctx.location.child(["tags", index])),
      });
    }
  },
});
