/** The modules of openapi-typescript 7.13 used here. Its main export would lint and bundle the input again. */
declare module "openapi-typescript/dist/transform/index.mjs" {
  import type { GlobalContext } from "openapi-typescript";
  import type ts from "typescript";

  export default function transformSchema(document: unknown, context: Omit<GlobalContext, "redoc">): ts.Node[];
}

declare module "openapi-typescript/dist/lib/ts.mjs" {
  export { astToString, NEVER, NULL, STRING, tsLiteral, tsRecord, UNDEFINED } from "openapi-typescript";
}

declare module "openapi-typescript/dist/lib/utils.mjs" {
  export { resolveRef } from "openapi-typescript";
}
