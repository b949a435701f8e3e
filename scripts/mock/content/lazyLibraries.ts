/** Libraries that few responses need. Each is loaded on first use. */
export const lazyLibraries = {
  jsonSchemaFaker: () => import("json-schema-faker"),
};
