import type { Generation, Operation } from "../../contract/generation.ts";
import { percentDecode } from "../../spec/percentEncoding.ts";
import { slugOf } from "../../contract/text.ts";
import type { Addresses } from "../model/addresses.ts";
import { trusted, type Html } from "./html.ts";
import { fragmentAttribute, headingAnchor, renderDescription } from "./renderDescription.ts";
import { addressesOf, authenticationPath, type Site } from "../model/site.ts";

/**
 * Descriptions are written for many renderers, and refer to groups, operations and headings by the fragments of theirs:
 * Redoc's `#tag/Teams/operation/getTeam` and `#section/Paging`, Scalar's `#tag/teams/GET/teams/{id}` and
 * `#description/paging`, Elements' `#/operations/getTeam`, Swagger UI's `#/Teams/getTeam`.
 */

/** Leads the links of descriptions in the content of a page to pages of the site. Those that lead nowhere are text. */
export function resolveFragments(site: Site, root: string, generation: Generation | undefined, content: Html): Html {
  const text = content.toString();
  if (!text.includes(fragmentAttribute)) return content;
  const candidates = generation === undefined ? site.generations : [generation];
  const targets = candidates.map((one) => readTargets(one, addressesOf(site, one)));
  const resolve = (fragment: string): string | undefined => {
    const decoded = percentDecode(fragment) ?? fragment;
    const heading = headingAnchor(decoded.split("/").at(-1) ?? "");
    if (text.includes(` id="${heading}"`)) return `#${heading}`;
    const isHeading = /^(?:(?:section|description)\/.*|[^/]*)$/s.test(decoded);
    const key = slugOf(isHeading ? heading : decoded.replaceAll("~1", "/"));
    const path = targets.map((paths) => paths.get(key)).find((found) => found !== undefined);
    return path === undefined ? undefined : root + path;
  };
  return trusted(
    text.replaceAll(fragmentLink, (_, fragment: string, label: string) => {
      const target = resolve(fragment);
      return target === undefined ? label : `<a href="${target}">${label}</a>`;
    }),
  );
}

/** Paths from the site's root by what fragments that lead there have in common. */
function readTargets(generation: Generation, addresses: Addresses): ReadonlyMap<string, string> {
  const known = targetsOf.get(generation);
  if (known !== undefined) return known;
  const { groups, description, name } = generation;
  const anchors = renderDescription(description, 1)
    .toString()
    .matchAll(/ id="(section\/[^"]+)"/g);
  const pairs = [
    ...groups.flatMap((group) => {
      const tags = [group.name, group.title];
      return [
        [addresses.groups.get(group), tags.flatMap((tag) => [`tag ${tag}`, `tags ${tag}`])] as const,
        ...[...group.operations, ...group.alsoTagged].map(
          (operation) => [addresses.operations.get(operation), operationNames(operation, tags)] as const,
        ),
      ];
    }),
    // Redoc has a section of this name in every description.
    [`${authenticationPath}#${name}`, ["section authentication"]] as const,
    ...Array.from(anchors, ([, anchor = ""]) => [`${addresses.generation}#${anchor}`, [anchor]] as const),
  ];
  const targets = new Map(
    pairs.flatMap(([target, names]) => (target === undefined ? [] : names.map((text) => [slugOf(text), target]))),
  );
  targetsOf.set(generation, targets);
  return targets;
}

function operationNames({ operationId, method, path }: Operation, tags: readonly string[]): readonly string[] {
  const prefixes = ["operation", "operations", ...tags.flatMap((tag) => [`tag ${tag} operation`, tag])];
  return [
    ...(operationId === undefined ? [] : prefixes.map((prefix) => `${prefix} ${operationId}`)),
    ...["paths", ...tags.map((tag) => `tag ${tag}`)].flatMap((prefix) => [
      `${prefix} ${method} ${path}`,
      `${prefix} ${path} ${method}`,
    ]),
  ];
}

/** It takes long to read for large descriptions, and is the same for all pages. */
const targetsOf = new WeakMap<Generation, ReadonlyMap<string, string>>();

const fragmentLink = new RegExp(`<a ${fragmentAttribute}="([^"]*)">(.*?)</a>`, "gs");
