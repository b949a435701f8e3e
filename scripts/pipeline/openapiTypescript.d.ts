/** The modules of openapi-typescript 7.13 that are used here. What it exports as a whole lints and bundles its input again. */
declare module "openapi-typescript/dist/transform/index.mjs" {
  import type { GlobalContext, OpenAPI3 } from "openapi-typescript";
  import type ts from "typescript";

  export default function transformSchema(document: OpenAPI3, context: Omit<GlobalContext, "redoc">): ts.Node[];
}

declare module "openapi-typescript/dist/lib/ts.mjs" {
  export { astToString, NEVER, NULL, STRING, tsLiteral, tsRecord, UNDEFINED } from "openapi-typescript";
}

declare module "openapi-typescript/dist/lib/utils.mjs" {
  export { resolveRef, scanDiscriminators } from "openapi-typescript";
}
