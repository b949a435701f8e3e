import type { Oas3Rule, UserContext } from "@redocly/openapi-core";
import { wordsOf } from "../../values/text.ts";
import { isObject, lastKey, stringsOf, valueAt } from "../../values/json.ts";
import type { Node } from "../nodes.ts";

/**
 * A description says more than the names around it. A schema or property needs none if its name and type say
 * everything. Option `minLength`: the minimum number of characters.
 */
export const descriptions: Oas3Rule = (options) => {
  const minLength = Number(options["minLength"] ?? 0);

  function checkAgainst(namesOf: (node: Node, pointer: string) => readonly unknown[]) {
    return (node: unknown, ctx: UserContext) => {
      const description = valueAt(node, ["description"]);
      if (!isObject(node) || typeof description !== "string") return;
      const names = stringsOf(namesOf(node, ctx.location.pointer));
      const repeated = names.find((name) => saysTheSame(description, name));
      if (repeated === undefined && description.trim().length >= minLength) return;
      const problem = repeated === undefined ? `is shorter than ${minLength} characters` : `only repeats "${repeated}"`;
      const message = `The description ${problem}. Add information that readers cannot guess, or remove it if it is not required.`;
      ctx.report({ message, location: ctx.location.child("description") });
    };
  }

  return {
    Tag: checkAgainst(({ name }) => [name]),
    Operation: checkAgainst(({ operationId, summary }) => [operationId, summary]),
    Parameter: checkAgainst(({ name }) => [name]),
    Schema: checkAgainst(({ title }, pointer) => [title, lastKey(pointer)]),
  };
};

/** Words that add no information to a name. */
const fillers = new Set(["a", "an", "the", "of", "for", "this", "that", "its", "is", "s"]);

/** Returns whether a description has no other words than a name, in any order. */
function saysTheSame(description: string, name: string): boolean {
  const [said = [], named = []] = [description, name].map((text) => wordsOf(text).filter((word) => !fillers.has(word)));
  // Joined, so that hyphens and apostrophes make no difference.
  return said.length > 0 && (said.join("") === named.join("") || said.toSorted().join() === named.toSorted().join());
}
