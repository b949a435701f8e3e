import { capitalize, isDigits } from "../values/text.ts";
import type { Method } from "../spec/openapi.ts";
import { pathParameters } from "../spec/pathTemplate.ts";

/** The facts about a new operation. */
export interface DraftFacts {
  readonly method: Method;
  readonly group: string;
  readonly operationId: string;
  readonly summary: string;
  /** The parameters in the path, in order. */
  readonly parameters: readonly object[];
  /** `undefined` if the document's requirements apply. */
  readonly security: readonly object[] | undefined;
  /** Whether its effect on a resource follows from its path. */
  readonly hasEffect: boolean;
  /** A Response Object for failures, or a reference to one. */
  readonly failure: object;
}

/** Drafts an operation. Everything except the given facts is a gap. Its keys are in this project's order. */
export function draftOperation(facts: DraftFacts): Readonly<Record<string, unknown>> {
  const { method, group, operationId, summary, parameters, security, hasEffect, failure } = facts;
  const unknownBody = { content: { "application/json": { schema: {} } } };
  return {
    operationId,
    summary,
    tags: [group],
    description: "It isn't specified yet what this operation does in detail.",
    ...(security === undefined ? {} : { security }),
    ...(hasEffect ? {} : { "x-resource": { effect: "none" } }),
    ...(parameters.length === 0 ? {} : { parameters }),
    // RFC 9110, section 9.3, and RFC 5789: these methods process a body.
    ...(["patch", "post", "put"].includes(method) ? { requestBody: { required: true, ...unknownBody } } : {}),
    responses: { "2XX": { description: "The request succeeded.", ...unknownBody }, default: failure },
  };
}

/** A path parameter about which only its name is known, and possibly its value in another operation. */
export function draftParameter(name: string, value?: Readonly<Record<string, unknown>>): object {
  const gap = value === undefined ? " It isn't specified what it looks like." : "";
  const description = `The \`${name}\` in the path.${gap}`;
  const known = value ?? { schema: {}, example: 1 };
  return { name, in: "path", required: true, description, schema: known["schema"], example: known["example"] };
}

/** The default name of an operation: a verb and a noun from the path, as in `listTeamMembers`. */
export function draftOperationId(method: Method, path: string): string {
  const isItem = path.endsWith("}");
  const names = nounsOf(path);
  const last = names.at(-1) ?? "";
  const isList = method === "get" && !isItem && last.endsWith("s");
  const verbs: Partial<Record<Method, string>> = { post: "create", put: "update", patch: "update", delete: "delete" };
  const nouns = [...names.slice(0, -1).map(singular), isList ? last : singular(last)];
  return [isList ? "list" : (verbs[method] ?? "get"), ...nouns].join("");
}

/** The name of a path item within its group, from the end of its path: `TeamMember`. */
export function draftItemName(path: string, taken: readonly string[]): string {
  const names = nounsOf(path).map((name, index, all) =>
    index < all.length - 1 || path.endsWith("}") ? singular(name) : name,
  );
  const candidates = names.map((_, index) => names.slice(names.length - 1 - index).join(""));
  return candidates.find((name) => !taken.includes(name)) ?? `${candidates.at(-1) ?? "Item"}${taken.length + 1}`;
}

/** The path segments that aren't parameters, without the generation, in PascalCase: `OauthClients`. */
function nounsOf(path: string): readonly string[] {
  const segments = path.split("/").filter((segment) => segment !== "" && pathParameters(segment).length === 0);
  const names = segments
    .map((segment) =>
      segment
        .split(/[^A-Za-z0-9]+/)
        .map(capitalize)
        .join(""),
    )
    .filter((name) => name !== "");
  return names.filter((name, index) => index > 0 || !isVersion(name));
}

/** Returns whether a segment names a generation: `V2`. */
function isVersion(noun: string): boolean {
  return noun.startsWith("V") && isDigits(noun.slice(1));
}

/** The singular of most English plurals. */
function singular(noun: string): string {
  if (noun.endsWith("ies")) return `${noun.slice(0, -3)}y`;
  if (noun.endsWith("sses") || noun.endsWith("xes")) return noun.slice(0, -2);
  return noun.endsWith("s") && !noun.endsWith("ss") && !noun.endsWith("us") ? noun.slice(0, -1) : noun;
}
