import type { Location, Oas3Rule, OasRef, UserContext } from "@redocly/openapi-core";
import { dirname, relative, sep } from "node:path";
import { listInWords, slugOf, withoutEnd } from "../../values/text.ts";
import { elementsOf, isObject, membersOf, pointerKeys, valueAt } from "../../values/json.ts";
import { lifecycleDays, lifecycleOf } from "../../spec/lifecycle.ts";
import { namesAnchor, operationsIn } from "../../spec/openapi.ts";
import { pathParameters } from "../../spec/pathTemplate.ts";
import { placeText } from "../sourceFiles.ts";
import { follow, reportOn, visitSchemas, type Node } from "../nodes.ts";

/** Each operation has a unique operationId. Redocly's rule (2.64) doesn't name the other operation. */
export const operationIdUnique: Oas3Rule = () => {
  const places = new Map<unknown, Location>();
  return {
    Operation(operation: unknown, ctx) {
      const id = valueAt(operation, ["operationId"]);
      const location = ctx.location.child("operationId");
      const other = places.get(id);
      if (id !== undefined && other === undefined) places.set(id, location);
      if (other === undefined || other.absolutePointer === location.absolutePointer) return;
      const message = `Another operation has this operationId, at ${placeText(other)}: rename one of the two.`;
      ctx.report({ message, location });
    },
  };
};

/**
 * An operation describes the parameters of its path. Redocly's rule (2.64) reads only some of the names that OpenAPI
 * allows in braces.
 */
export const describedPath: Oas3Rule = () => ({
  PathItem(item: unknown, ctx) {
    const path = String(ctx.key);
    if (!path.startsWith("/") || !isObject(item)) return;
    for (const { method, operation } of operationsIn(item)) {
      const parameters = [item["parameters"], valueAt(operation, ["parameters"])].flatMap(elementsOf);
      const inPath = parameters
        .map((parameter) => follow(parameter, ctx.location, ctx)?.node)
        .filter((parameter) => parameter?.["in"] === "path")
        .map((parameter) => String(parameter?.["name"]));
      const missing = pathParameters(path).filter((name) => !inPath.includes(name));
      const unused = inPath.filter((name) => !pathParameters(path).includes(name));
      const texts = [
        missing.length > 0 && `Only the path has ${listInWords(missing)}.`,
        unused.length > 0 && `Only \`parameters\` has ${listInWords(unused)}.`,
      ];
      const message = texts.filter((text) => text !== false).join(" ");
      if (message !== "") reportOn(ctx.location.child(method), message, ctx);
    }
  },
});

/** The styles that values may have at each place (OpenAPI 3.2.0, section 4.12.3). */
const stylesIn: Readonly<Record<string, readonly string[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** What the specification says MUST about parameters and headers, and Redocly (2.77) doesn't check. */
export const parameterForm: Oas3Rule = () => {
  const visit = (node: unknown, ctx: UserContext, place: unknown) => {
    if (!isObject(node)) return;
    const report = (key: string, message: string) => {
      reportOn(key in node ? ctx.location.child(key) : ctx.location, message, ctx);
    };
    if (place === "path" && node["required"] !== true)
      report("required", "A parameter in a path is always required: write `required: true`.");
    if ("schema" in node && "content" in node)
      report("content", "`schema` and `content` exclude each other: keep one.");
    const { style } = node;
    if (typeof style === "string" && stylesIn[String(place)]?.includes(style) === false)
      report("style", `\`${style}\` isn't a style of values in the ${String(place)}: leave \`style\` out.`);
  };
  return {
    Parameter: (node: unknown, ctx) => {
      visit(node, ctx, valueAt(node, ["in"]));
    },
    Header: (node: unknown, ctx) => {
      visit(node, ctx, "header");
    },
  };
};

/** Security requirements name existing schemes. Nothing can be served without them. */
export const namedScheme: Oas3Rule = () => {
  const known: string[] = [];
  const named: { readonly name: string; readonly location: Location }[] = [];
  return {
    SecurityScheme(_: unknown, { key }) {
      known.push(String(key));
    },
    SecurityRequirement(requirement: unknown, { location }) {
      for (const [name] of membersOf(requirement)) named.push({ name, location: location.child(name) });
    },
    Root: {
      leave(_: unknown, ctx) {
        for (const { name, location } of named) {
          if (known.includes(name)) continue;
          const message = `There is no \`${name}\` security scheme defined.`;
          reportOn(location, message, ctx);
        }
      },
    },
  };
};

/**
 * References lead to JSON Pointers. Redocly (2.64) also follows those to an anchor, and leaves them in the bundle, where
 * nothing here follows them. It reports those to an anchor that doesn't exist.
 */
export const pointerReference: Oas3Rule = () => ({
  ref({ $ref }: OasRef, ctx, { node }) {
    if (namesAnchor($ref) && node !== undefined) ctx.report({ message: "Can't resolve $ref" });
  },
});

/** The objects that can be a reference instead, by the names of Redocly's types. Since OpenAPI 3.2, media types can, too. */
const referable = [
  ...["Schema", "Response", "Parameter", "RequestBody", "Example", "Header", "SecurityScheme", "Link", "Callback"],
  ...["PathItem", "MediaType"],
];

/** References are only where OpenAPI has them, or in extensions. Redocly follows them anywhere, and its own rule skips texts. */
export const referencePlace: Oas3Rule = () => ({
  ref(_: OasRef, ctx) {
    const isInExtension = pointerKeys(ctx.location.pointer).some((key) => key.startsWith("x-"));
    if (isInExtension || referable.includes(ctx.type.name)) return;
    reportOn(ctx.location.child("$ref"), "OpenAPI has no reference here: write the content itself.", ctx);
  },
});

/**
 * The operations in a file other than the index have the tag that the file is named after: `Orgs / Teams` for
 * orgs/teams.yaml, and for more files of the group, such as orgs/teams.invitations.yaml.
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
      const [tag] = elementsOf(valueAt(operation, ["tags"]));
      if (file !== index && typeof tag === "string") checkFile(tag, relative(folder, file), ctx);
    },
  };
};

/** The first file of a group, relative to the folder of the index. */
export function fileOfGroup(tag: string): string {
  return `${tag.split(" / ").map(slugOf).join("/")}.yaml`;
}

/**
 * Reports an operation in a file that isn't named after its tag. `file` is relative to the folder of the
 * index.
 */
function checkFile(tag: string, file: string, ctx: UserContext): void {
  const expected = fileOfGroup(tag);
  const name = withoutEnd(expected, ".yaml");
  const actual = file.replaceAll(sep, "/");
  // The slug of a group has no dot.
  if (actual === expected || (actual.startsWith(`${name}.`) && actual.endsWith(".yaml"))) return;
  const message = `The group "${tag}" belongs in ${expected}, but this is ${actual}: move the operation, or correct its tag.`;
  reportOn(ctx.location.child(["tags", 0]), message, ctx);
}

/**
 * If there are `x-tagGroups`, each tag is in exactly one of them, since docs leave out the operations of
 * other tags. The groups may also name undescribed tags, whose operations aren't specified.
 */
export const tagGroups: Oas3Rule = () => ({
  Root(root: unknown, ctx) {
    if (isObject(root) && root["x-tagGroups"] !== undefined) checkTagGroups(root, ctx);
  },
});

function checkTagGroups(root: Node, ctx: UserContext): void {
  const grouped = new Set<unknown>();
  for (const [index, group] of elementsOf(root["x-tagGroups"]).entries()) {
    for (const [position, tag] of elementsOf(valueAt(group, ["tags"])).entries()) {
      if (grouped.has(tag)) {
        const message = `The tag ${JSON.stringify(tag)} is already in a group: remove it from one of them.`;
        ctx.report({ message, location: ctx.location.child(["x-tagGroups", index, "tags", position]) });
      }
      grouped.add(tag);
    }
  }
  for (const [index, tag] of elementsOf(root["tags"]).entries()) {
    if (!isObject(tag) || grouped.has(tag["name"])) continue;
    const name = JSON.stringify(tag["name"]);
    const message = `The tag ${name} is in no group, so the docs leave out its operations: add it to \`x-tagGroups\`.`;
    reportOn(ctx.location.child(["tags", index]), message, ctx);
  }
}

/**
 * `x-pagination` names two query parameters of its operation: `limit`, the page size, and `offset`, the
 * number of items to skip.
 */
export const pagination: Oas3Rule = () => ({
  Operation(operation: unknown, ctx) {
    if (isObject(operation) && operation["x-pagination"] !== undefined) checkPagination(operation, ctx);
  },
});

function checkPagination(operation: Node, ctx: UserContext): void {
  const parameters = elementsOf(operation["parameters"]).map((one) => follow(one, ctx.location, ctx)?.node);
  for (const role of ["limit", "offset"]) {
    const named = valueAt(operation, ["x-pagination", role]);
    // A configurable rule reports other values.
    if (typeof named !== "string") continue;
    if (parameters.some((one) => one?.["in"] === "query" && one["name"] === named)) continue;
    const message = `\`${role}\` of \`x-pagination\` must name a query parameter of this operation.`;
    reportOn(ctx.location.child(["x-pagination", role]), message, ctx);
  }
}

/** `x-deprecated-on` is before `x-sunset`, and both are only on deprecated objects. */
export const deprecation: Oas3Rule = () => ({
  Operation(operation: unknown, ctx) {
    if (isObject(operation)) checkDays(operation, operation["deprecated"] === true, ctx);
  },
  Info(info: unknown, ctx) {
    // A generation is deprecated by the date alone.
    if (isObject(info)) checkDays(info, lifecycleDays.deprecatedOn in info, ctx, lifecycleDays.deprecatedOn);
  },
  ...visitSchemas((schema, ctx) => {
    checkDays(schema, schema["deprecated"] === true, ctx);
  }),
});

function checkDays(node: Node, isDeprecated: boolean, ctx: UserContext, remedy = "`deprecated: true`"): void {
  const { deprecatedOn, sunset } = lifecycleDays;
  const [key] = [deprecatedOn, sunset].filter((name) => name in node);
  if (key === undefined) return;
  if (!isDeprecated) reportOn(ctx.location.child(key), `This is for deprecated objects only: add ${remedy}.`, ctx);
  const { deprecatedOn: from = "", sunset: to = from } = lifecycleOf(node);
  if (to < from) reportOn(ctx.location.child(sunset), `This date is before ${deprecatedOn}, ${from}.`, ctx);
}
