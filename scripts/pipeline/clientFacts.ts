import { singleValuedHeaders } from "../contract/singleValuedHeaders.ts";
import type { ClientContract, OperationFacts } from "../client/clientContract.ts";
import { resolveSchema } from "../spec/references.ts";
import {
  successResponses,
  type Generation,
  type MediaType,
  type Operation,
  type Response,
} from "../contract/generation.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { groupBy } from "../contract/text.ts";

/** The facts of a generation that a client needs while it runs. */
export function collectFacts({ operations, securitySchemes }: Generation): ClientContract {
  const facts = [...groupBy(operations, (operation) => JSON.stringify(factsOf(operation))).values()]
    .sort((a, b) => a.length - b.length)
    .flatMap((group, index, { length }) => {
      const names = index < length - 1 && { names: group.map(({ name }) => name) };
      return group.slice(0, 1).map((first) => ({ ...factsOf(first), ...names }));
    });
  const schemes = clientSchemes(securitySchemes.values()).map((scheme) => [scheme.name, placeOf(scheme)] as const);
  return { schemes: Object.fromEntries(schemes), facts };
}

/** The security schemes whose credential a client can send: a certificate belongs to the connection. */
export function clientSchemes(schemes: Iterable<SecurityScheme>): readonly SecurityScheme[] {
  return [...schemes].filter((scheme) => scheme.in !== "connection");
}

/** The sets of schemes that operations name as alternatives, each once. */
export function distinctAlternatives({ operations }: Generation): readonly (readonly string[])[] {
  const sets = operations.flatMap(({ security }) => security.map(schemeNames)).filter((names) => names.length > 0);
  return [...new Map(sets.map((names) => [names.toSorted().join(), names.toSorted()])).values()];
}

function factsOf(operation: Operation): OperationFacts {
  const headers = singleValuedHeaders(operation);
  return {
    security: operation.security.length > 0 ? operation.security.map(schemeNames) : [[]],
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(mayBeEmpty(operation) && { empty: true }),
  };
}

/** Tells whether the contract has a success without a body, or of which it does not say that it has one. */
function mayBeEmpty(operation: Operation): boolean {
  const successes = successResponses(operation);
  const isSaid = ({ schema }: MediaType) => !isUntyped({ ...resolveSchema(operation.document, schema) });
  const hasBody = ({ content }: Response) => content.length > 0 && content.every(isSaid);
  return operation.method === "head" || successes.length === 0 || !successes.every(hasBody);
}

function schemeNames(schemes: readonly SecurityScheme[]): string[] {
  return clientSchemes(schemes).map(({ name }) => name);
}

function placeOf({ in: place, parameter, prefix }: SecurityScheme): ClientContract["schemes"][string] {
  if (place === "query") return ["", `${encodeURIComponent(parameter)}=`];
  if (place === "cookie") return ["Cookie", `${parameter}=`];
  return prefix === "" ? [parameter] : [parameter, prefix];
}
