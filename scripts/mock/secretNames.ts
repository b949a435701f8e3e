import type { Generation } from "../contract/generation.ts";
import type { SchemaObject } from "../spec/openapi.ts";
import { applicableSchemas, typesOf } from "../spec/schemas.ts";
import { walk } from "../spec/walk.ts";
import { isCredentialField, isCredentialName, isSecretSegment, maskTarget, type IsSecret } from "./secrets.ts";

/** What must not be shown of requests and responses. */
export interface Secrets {
  readonly isSecretParameter: IsSecret;
  readonly isSecretProperty: IsSecret;
  /** A request-target for logs: short, and with `***` in place of each secret. */
  readonly maskTarget: (target: string) => string;
  /** A URL without userinfo and fragment, and with `***` in place of each secret. */
  readonly maskUrl: (url: string) => string;
}

/**
 * The secrets of some generations: the credentials of their security schemes, and properties with `format: password` or
 * `writeOnly`. Elsewhere, names that are like those of credentials are secret; those of properties only unless the
 * contract says more of the value than that it is text.
 */
export function secretsOf(generations: readonly Generation[]): Secrets {
  const schemes = generations.flatMap(({ securitySchemes }) => [...securitySchemes.values()]);
  const parameters = new Set(schemes.map(({ parameter }) => parameter.toLowerCase()));
  const isSecretParameter = (name: string) => parameters.has(name.toLowerCase()) || isCredentialName(name);
  let properties: ReturnType<typeof readProperties> | undefined;
  const isSecretProperty = (name: string) => {
    const { secret, described } = (properties ??= readProperties(generations));
    return parameters.has(name.toLowerCase()) || secret.has(name) || (isCredentialField(name) && !described.has(name));
  };
  const paths = generations.flatMap(({ operations }) => operations.map(({ path }) => path));
  const secretPaths = paths.filter((path) => isSecretSegment(path, isSecretParameter));
  return {
    isSecretParameter,
    isSecretProperty,
    maskTarget: (target) => maskTarget(target, isSecretParameter, secretPaths),
    maskUrl: (url) => {
      const { origin, pathname, search } = new URL(url);
      return origin + maskTarget(pathname + search, isSecretParameter, secretPaths, Infinity);
    },
  };
}

function readProperties(generations: readonly Generation[]) {
  const names = { secret: new Set<string>(), described: new Set<string>() };
  for (const { document } of generations) {
    for (const { key, value, parent } of walk(document)) {
      if (parent?.isMap !== true || parent.key !== "properties") continue;
      const schemas = applicableSchemas(document, value);
      if (schemas.some(({ format, writeOnly }) => format === "password" || writeOnly === true)) names.secret.add(key);
      if (!schemas.every(isMereText)) names.described.add(key);
    }
  }
  return names;
}

function isMereText(schema: SchemaObject): boolean {
  const isText = schema.type === undefined || typesOf(schema).includes("string");
  return isText && schema.const === undefined && schema.enum === undefined && schema.format === undefined;
}
