import type { Oas3Rule } from "@redocly/openapi-core";
import { almostName } from "../../values/similarName.ts";
import { membersOf } from "../../values/json.ts";
import { extensionSchemas } from "../extensionSchemas.ts";
import { reportOn } from "../nodes.ts";

/** Redocly assertions that check each extension's value. */
export const extensions = Object.fromEntries(
  Object.entries(extensionSchemas).flatMap(([type, fields]) =>
    Object.entries(fields).map(([property, schema]) => {
      const message = `Correct this \`${property}\`, as CONTRIBUTING.md describes it: {{problems}}.`;
      const rule = { subject: { type, property }, assertions: { schema }, message, severity: "error" as const };
      return [`rule/${type}/${property}`, rule] as const;
    }),
  ),
);

const others = ["x-deprecated-since", "x-since"];

/** The extensions that something here reads, except those of Redocly. */
export const extensionNames = [...Object.values(extensionSchemas).flatMap(Object.keys), ...others];

/**
 * An extension whose name is almost one of ours is misspelled. Otherwise, nobody would notice that nothing
 * reads it.
 */
export const extensionName: Oas3Rule = () => ({
  any: {
    enter(node: unknown, ctx) {
      if (ctx.type.extensionsPrefix !== "x-") return;
      for (const [name] of membersOf(node)) {
        const similar = name.startsWith("x-") ? almostName(name, extensionNames) : undefined;
        if (similar === undefined) continue;
        reportOn(ctx.location.child(name), `Nothing reads \`${name}\`: did you mean \`${similar}\`?`, ctx);
      }
    },
  },
});
