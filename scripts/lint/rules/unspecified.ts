import type { Location, Oas3Rule, UserContext } from "@redocly/openapi-core";
import {
  operationAspects,
  parameterAspects,
  responseAspects,
  schemaAspects,
  securitySchemeAspects,
  tagAspects,
  type Aspects,
} from "../aspects.ts";
import { isObject, isReference } from "../../contract/document.ts";
import { elementsOf, follow, isJson, keyOf, membersOf, visitSchemas, type Located, type Node } from "../nodes.ts";

/** Redocly's names of the kinds of places where `x-unspecified` has a meaning. */
const places = new Set(["Info", "Tag", "Operation", "Parameter", "Response", "Schema", "SecurityScheme"]);

/**
 * Every gap of a description carries `x-unspecified`, a list of short phrases, and none stays where the gap is filled.
 * What counts as a gap: see aspects.ts. On `info` and on tags, phrases may begin with other words too.
 */
export const unspecified: Oas3Rule = () => {
  let rootSecurity: unknown;
  const tags: Located[] = [];
  const usedTags = new Set<unknown>();
  const responses = new Map<Node, { location: Location; keys: Set<string> }>();
  const schemas: Located[] = [];
  const responseBodies = new Set<Node>();
  const requestData = new Set<Node>();
  const alternatives = new Set<Node>();

  /** Collects a request's schemas, however deep; but not through `allOf`, whose parts may rely on a common `required`. */
  function collectRequestData(value: unknown, location: Location, ctx: UserContext): void {
    const found = follow(value, location, ctx);
    if (found === undefined || requestData.has(found.node)) return;
    requestData.add(found.node);
    const { properties, items, additionalProperties, anyOf, oneOf } = found.node;
    const children = [
      ...membersOf(properties).map(([, property]) => property),
      ...elementsOf(anyOf),
      ...elementsOf(oneOf),
      items,
      additionalProperties,
    ];
    for (const child of children) collectRequestData(child, found.location, ctx);
  }

  return [
    {
      any(node: unknown, ctx: UserContext) {
        if (!isObject(node) || !("x-unspecified" in node) || places.has(ctx.type.name)) return;
        ctx.report({
          message:
            "`x-unspecified` is not read here, but on `info`, tags, operations, parameters, responses, schemas and " +
            "security schemes: move it to the one that has the gap.",
          location: keyOf(ctx.location.child("x-unspecified")),
        });
      },
      Root: {
        enter(root: unknown) {
          rootSecurity = isObject(root) ? root["security"] : undefined;
        },
        // Only now is it known where each schema is used.
        leave(_: unknown, ctx: UserContext) {
          for (const tag of tags) {
            judge(tag, tagAspects, { isUsed: usedTags.has(tag.node["name"]) }, ctx, { anyPhrase: true });
          }
          for (const [node, { location, keys }] of responses) judge({ node, location }, responseAspects, { keys }, ctx);
          for (const { node, location } of schemas) {
            const place = {
              schema: node,
              isResponseBody: responseBodies.has(node),
              isRequestData: requestData.has(node),
              isAlternative: alternatives.has(node),
            };
            judge({ node, location }, schemaAspects, place, ctx);
          }
        },
      },
      Info(info: unknown, ctx) {
        if (isObject(info)) phrasesOf({ node: info, location: ctx.location }, ctx);
      },
      Tag(tag: unknown, ctx) {
        if (isObject(tag)) tags.push({ node: tag, location: ctx.location });
      },
      Operation(operation: unknown, ctx) {
        if (!isObject(operation)) return;
        for (const tag of elementsOf(operation["tags"])) usedTags.add(tag);
        judge({ node: operation, location: ctx.location }, operationAspects, { operation, rootSecurity }, ctx);
      },
      Parameter(parameter: unknown, ctx) {
        if (!isObject(parameter)) return;
        const schema = follow(parameter["schema"], ctx.location, ctx)?.node ?? {};
        judge({ node: parameter, location: ctx.location }, parameterAspects, { parameter, schema }, ctx);
      },
      SecurityScheme(scheme: unknown, ctx) {
        if (isObject(scheme)) judge({ node: scheme, location: ctx.location }, securitySchemeAspects, scheme, ctx);
      },
      Responses(listed: unknown, ctx) {
        for (const [key, reference] of membersOf(listed)) {
          const found = follow(reference, ctx.location.child(key), ctx);
          if (found === undefined) continue;
          const known = responses.get(found.node) ?? { location: found.location, keys: new Set<string>() };
          known.keys.add(key);
          responses.set(found.node, known);
        }
      },
      Response(response: unknown, ctx) {
        for (const [mediaType, content] of membersOf(isObject(response) ? response["content"] : undefined)) {
          const schema = isObject(content) ? follow(content["schema"], ctx.location, ctx) : undefined;
          if (isJson(mediaType) && schema !== undefined) responseBodies.add(schema.node);
        }
      },
      RequestBody(body: unknown, ctx) {
        for (const [, content] of membersOf(isObject(body) ? body["content"] : undefined)) {
          if (isObject(content)) collectRequestData(content["schema"], ctx.location, ctx);
        }
      },
    },
    visitSchemas((schema, ctx) => {
      if (isReference(schema)) {
        // The schema it refers to carries its own gaps: here only a phrase can be wrong.
        const whole = { ...follow(schema, ctx.location, ctx)?.node, ...schema };
        const place = { schema: whole, isResponseBody: false, isRequestData: false, isAlternative: false };
        judge({ node: schema, location: ctx.location }, schemaAspects, place, ctx, { noGaps: true });
        return;
      }
      schemas.push({ node: schema, location: ctx.location });
      for (const member of [...elementsOf(schema["anyOf"]), ...elementsOf(schema["oneOf"])]) {
        const found = follow(member, ctx.location, ctx);
        if (found !== undefined) alternatives.add(found.node);
      }
    }),
  ];
};

interface Leniency {
  /** A phrase may begin with words that are no known aspect. */
  readonly anyPhrase?: boolean;
  /** A gap need not be carried here. */
  readonly noGaps?: boolean;
}

/** Reports the phrases that a node carries without a gap, and the gaps that it does not carry. */
function judge<Place>(
  { node, location }: Located,
  aspects: Aspects<Place>,
  place: Place,
  ctx: UserContext,
  { anyPhrase = false, noGaps = false }: Leniency = {},
): void {
  const carried = new Set<string>();
  for (const [index, phrase] of phrasesOf({ node, location }, ctx)) {
    const phraseLocation = location.child(["x-unspecified", index]);
    const [aspect, assess] = aspectOf(phrase, aspects) ?? [];
    if (aspect === undefined || assess === undefined) {
      if (anyPhrase) continue;
      const known = Object.keys(aspects).map((name) => `"${name}"`);
      ctx.report({
        message: `"${phrase}" begins with nothing that \`x-unspecified\` can name here: ${known.join(", ")}.`,
        location: phraseLocation,
      });
      continue;
    }
    carried.add(aspect);
    const verdict = assess(place);
    if (verdict.is !== "stated") continue;
    ctx.report({
      message: `"${phrase}" is no gap, because ${verdict.because}: take the phrase out of \`x-unspecified\`.`,
      location: phraseLocation,
    });
  }
  if (noGaps) return;
  for (const [aspect, assess] of Object.entries(aspects)) {
    const verdict = assess(place);
    if (verdict.is !== "missing" || carried.has(aspect)) continue;
    ctx.report({
      message: `A gap is not named: ${verdict.because}. Add "${aspect}" to \`x-unspecified\`.`,
      location: keyOf(location),
    });
  }
}

/** The phrases of `x-unspecified`, each with its index. Reports what is wrong with the list itself. */
function phrasesOf({ node, location }: Located, ctx: UserContext): [number, string][] {
  const list = node["x-unspecified"];
  if (list === undefined) return [];
  const place = location.child("x-unspecified");
  if (!Array.isArray(list) || list.length === 0) {
    ctx.report({ message: "`x-unspecified` has to be a list of at least one phrase.", location: place });
    return [];
  }
  return list.flatMap((phrase: unknown, index): [number, string][] => {
    if (typeof phrase !== "string" || phrase.trim() === "") {
      ctx.report({ message: "A phrase of `x-unspecified` has to be words.", location: place.child(index) });
      return [];
    }
    if (list.indexOf(phrase) < index) {
      ctx.report({ message: `"${phrase}" is listed twice: take one away.`, location: place.child(index) });
    }
    return [[index, phrase]];
  });
}

/** The longest aspect that a phrase begins with, as a whole word: "required fields" is not about "required". */
function aspectOf<Place>(phrase: string, aspects: Aspects<Place>) {
  return Object.entries(aspects)
    .filter(([name]) => phrase.startsWith(name) && !/^[\w-]/.test(phrase.slice(name.length)))
    .sort(([a], [b]) => b.length - a.length)[0];
}
