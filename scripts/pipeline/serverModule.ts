import { neededCredentials } from "../contract/security.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { propertyName } from "../samples/javaScriptText.ts";
import { docComment } from "./moduleText.ts";

/**
 * Generates a generation's server module: the types of its operations and credentials for the runtime, which gets the
 * document. All logic is in the runtime.
 */
export function generateServer(generation: Generation): string {
  const { title, operations, securitySchemes } = generation;
  const example = 'const handle = createHandler({ authenticate: "none", handlers: {} });';
  const schemes = [...securitySchemes.values()].filter(({ in: place }) => place !== "connection");
  const credentials = schemes.map(({ name, description, prefix }) => {
    const type = prefix === "Basic " ? "{ readonly username: string; readonly password: string }" : "string";
    return `${docComment(description, "", 2)}  readonly ${propertyName(name)}?: ${type};\n`;
  });
  return `import * as runtime from "../../scripts/server/index.ts";
import document from "./openapi.json" with { type: "json" };
import type { paths } from "./types.ts";

export { createHandler };
export type { Credentials, HandlerOptions, Handlers, Operations };
export { Problem } from "../../scripts/server/index.ts";

${docComment(
  `Creates a server of ${title}, as a function from a request to its response. It finds the operation, checks the ` +
    "credentials, the parameters and the body, and calls the operation's handler. Throws `TypeError` if a handler is " +
    "for no operation.",
  example,
)}\
function createHandler<Principal = undefined, Context = unknown>(
  options: HandlerOptions<Principal, Context>,
): runtime.RequestHandler<Context> {
  return runtime.createContractHandler<Operations<Principal>, Credentials, Principal, Context>(document, options);
}

${docComment(`The options of a server of ${title}.`, 'const options: HandlerOptions = { authenticate: "none", handlers: {} };')}\
type HandlerOptions<Principal = undefined, Context = unknown> = runtime.HandlerOptions<
  Operations<Principal>,
  Credentials,
  Principal,
  Context
>;

${docComment("The handlers of operations, to write them in modules of their own.", "const handlers: Handlers = {};")}\
type Handlers<Principal = undefined, Context = unknown> = runtime.ServedHandlers<Operations<Principal>, Context>;

${docComment("The credentials of one alternative of an operation.", "const credentials: Credentials = {};")}\
interface Credentials {
${credentials.join("")}}

${docComment("The operations, and the principal of each.", "type Id = keyof Operations<undefined>;")}\
interface Operations<Principal> {
${operations.map(operationMember).join("")}}
`;
}

function operationMember(operation: Operation): string {
  const { operationId, name, title, method, path } = operation;
  const { need } = neededCredentials(operation);
  const principal = { required: "Principal", none: "undefined", optional: "Principal | undefined" };
  const type = principal[need === "unspecified" ? "optional" : need];
  const comment = docComment(title === name ? `\`${name}\`` : `${title}: \`${name}\``, "", 2);
  const operationType = `paths[${JSON.stringify(path)}]["${method}"]`;
  return `${comment}  ${propertyName(operationId ?? name)}: runtime.ServedOperation<${operationType}, ${type}>;\n`;
}
