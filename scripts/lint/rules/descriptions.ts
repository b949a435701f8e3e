import type { Location, Oas3Rule, UserContext } from "@redocly/openapi-core";
import { componentName, isObject, isReference } from "../../contract/document.ts";
import { follow, keyOf, membersOf, type Node } from "../nodes.ts";

/**
 * Named schemas and properties have a description; and no description merely repeats a name.
 * Option `minLength`: how many characters a description has at least.
 */
export const descriptions: Oas3Rule = (options) => {
  const limit: unknown = options["minLength"];
  const minLength = typeof limit === "number" ? limit : 0;

  /** Reports what is wrong with a description that is there. */
  function check({ description }: Node, names: readonly unknown[], location: Location, ctx: UserContext): void {
    if (typeof description !== "string" || description.trim() === "") return;
    const repeated = names.find((name) => typeof name === "string" && saysTheSame(description, name));
    if (typeof repeated === "string") {
      ctx.report({
        message: `The description only repeats "${repeated}": say what it means, or what it is for.`,
        location: location.child("description"),
      });
    } else if (description.trim().length < minLength) {
      ctx.report({
        message: `The description is shorter than ${minLength} characters: say what it means, or what it is for.`,
        location: location.child("description"),
      });
    }
  }

  /** Checks the description of a node against the values of some of its own fields. */
  function checkAgainst(...fields: readonly string[]) {
    return (node: unknown, ctx: UserContext) => {
      if (!isObject(node)) return;
      const names = fields.map((field) => node[field]);
      check(node, names, ctx.location, ctx);
    };
  }

  return {
    Tag: checkAgainst("name"),
    Operation: checkAgainst("operationId", "summary"),
    Parameter: checkAgainst("name"),
    Schema(schema: unknown, ctx) {
      if (!isObject(schema) || !/^#\/components\/schemas\/[^/]+$/.test(ctx.location.pointer)) return;
      const name = componentName(ctx.location.pointer);
      if (isDescribed(schema)) check(schema, [name, schema["title"]], ctx.location, ctx);
      else ctx.report({ message: `The schema "${name}" needs a \`description\`.`, location: keyOf(ctx.location) });
    },
    SchemaProperties(properties: unknown, ctx) {
      for (const [name, property] of membersOf(properties)) {
        const place = ctx.location.child(name);
        if (isDescribed(property)) {
          check(property, [name], place, ctx);
        } else if (!isReference(property)) {
          ctx.report({ message: `The property "${name}" needs a \`description\`.`, location: keyOf(place) });
        } else if (!isDescribed(follow(property, place, ctx)?.node)) {
          ctx.report({
            message: `The property "${name}" needs a \`description\`, here or where its \`$ref\` leads.`,
            location: keyOf(place),
          });
        }
      }
    },
  };
};

function isDescribed(value: unknown): value is Node {
  return isObject(value) && typeof value["description"] === "string" && value["description"].trim() !== "";
}

/** Words that add nothing to a name. */
const fillers = new Set(["a", "an", "the", "of", "for", "this", "that", "its", "is", "s"]);

/** Whether a description has no other words than a name has, in any order. */
function saysTheSame(description: string, name: string): boolean {
  const [said, named] = [wordsOf(description), wordsOf(name)];
  // Joined, because "e-mail" is "email", and "organization's" is "organizations".
  return said.length > 0 && (said.join("") === named.join("") || said.toSorted().join() === named.toSorted().join());
}

/** The words of a sentence, or of a name in camelCase, PascalCase, snake_case or kebab-case. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !fillers.has(word));
}
