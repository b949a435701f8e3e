import type { Plugin } from "rolldown";

/**
 * A plugin of rolldown that bundles the MCP SDK without the validator that it has for the answers of people, 280 kB of
 * other packages: no tool asks people anything.
 */
export const mcpLibraries: Plugin = {
  name: "mcp-libraries",
  resolveId: (source) => (source === "@modelcontextprotocol/server/_shims" ? withoutValidator : undefined),
  load: (id) => (id === withoutValidator ? text : undefined),
};

const withoutValidator = "\0mcp-shims";

const text = 'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}';
