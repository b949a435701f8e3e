/** Libraries that few responses need, each of which is loaded for the first of them. */
export const lazyLibraries = {
  jsonSchemaFaker: () => import("json-schema-faker"),
  fastXmlBuilder: () => import("fast-xml-builder"),
};
