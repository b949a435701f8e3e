import { carriedSchemes, neededCredentials } from "../contract/security.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { propertyName } from "../samples/javaScriptText.ts";
import { interfaceOfOperation, nameOperationTypes } from "./clientModule.ts";
import { docComment, moduleText, operationType } from "./moduleText.ts";

/**
 * Generates a generation's server module: the types of its operations and credentials for the runtime, which gets the
 * document. All logic is in the runtime.
 */
export function generateServer(generation: Generation): string {
  const { title, operations } = generation;
  const nameOf = nameOperationTypes(generation);
  const example = 'const handle = createHandler({ authenticate: "none", handlers: {} });';
  const hasPrincipal = operations.some((operation) => needOf(operation) !== "none");
  // The compiler rejects type parameters that nothing uses.
  const [parameters, args] = hasPrincipal
    ? ["Principal = undefined, Context = unknown", "Principal, Context"]
    : ["Context = unknown", "Context"];
  const [principal, operationsType] = hasPrincipal
    ? ["Principal", "Operations<Principal>"]
    : ["undefined", "Operations"];
  const credentials = carriedSchemes(generation).map(({ name, description, prefix }) => {
    const type = prefix === "Basic " ? "{ readonly username: string; readonly password: string }" : "string";
    return `${docComment(description, "", 2)}  readonly ${propertyName(name)}?: ${type};\n`;
  });
  return moduleText({
    imports: [
      'import * as runtime from "../../scripts/server/index.ts";',
      'import document from "./openapi.json" with { type: "json" };',
      operations.length > 0 ? 'import type { paths } from "./types.ts";' : "",
    ],
    // Declaration files for a consumer's exports refer to these types.
    exports: [
      "export { createHandler };",
      "export type { Credentials, HandlerOptions, Handlers, Operations };",
      'export { Problem } from "../../scripts/server/index.ts";',
      `export type { ${inferredTypes.join(", ")} } from "../../scripts/server/index.ts";`,
    ],
    parts: [
      `${docComment(
        `Creates a server of ${title}, as a function from a request to its response. It finds the operation, checks the ` +
          "credentials, the parameters and the body, and calls the operation's handler. Throws `TypeError` if a handler is " +
          "for no operation.",
        example,
      )}\
function createHandler<${parameters}, Given = object>(
  options: HandlerOptions<${args}> & { readonly handlers: Given & runtime.ListedHandlers<Given, ${operationsType}> },
): runtime.RequestHandler<Context> {
  return runtime.createContractHandler<${operationsType}, Credentials, ${principal}, Context>(document, options);
}`,
      `${docComment(`The options of a server of ${title}.`, 'const options: HandlerOptions = { authenticate: "none", handlers: {} };')}\
type HandlerOptions<${parameters}> = runtime.HandlerOptions<
  ${operationsType},
  Credentials,
  ${principal},
  Context
>;`,
      `${docComment("The handlers of operations, to write them in modules of their own.", "const handlers: Handlers = {};")}\
type Handlers<${parameters}> = runtime.ServedHandlers<${operationsType}, Context>;`,
      `${docComment("The credentials of one alternative of an operation.", "const credentials: Credentials = {};")}\
interface Credentials {
${credentials.join("")}}`,
      `${docComment("The operations, and the principal of each.", `type Id = keyof ${operationsType.replace("Principal", "undefined")};`)}\
interface ${operationsType} {
${operations.map((operation) => operationMember(operation, nameOf(operation))).join("")}}`,
      "// The compiler's errors show these names instead of whole operations.",
      ...operations.map((operation) =>
        interfaceOfOperation(operation, nameOf(operation), `DeclaredOperation<${operationType(operation)}>`),
      ),
    ],
  });
}

/** The types that the compiler infers for what consumers write. */
const inferredTypes = [
  ...["Authenticate", "HandledRequest", "OperationHandler", "OperationResponse", "PlatformResponse", "ProblemDetails"],
  ...["RequestHandler", "ServedOperationRequest", "ServedRequest", "Violation"],
];

function operationMember(operation: Operation, interfaceName: string): string {
  const { operationId, name, title } = operation;
  const type = { required: "Principal", none: "undefined", optional: "Principal | undefined" }[needOf(operation)];
  const comment = docComment(title === name ? `\`${name}\`` : `${title}: \`${name}\``, "", 2);
  return `${comment}  ${propertyName(operationId ?? name)}: runtime.ServedOperation<${interfaceName}, ${type}>;\n`;
}

/** Returns whether an operation needs credentials. It may need some if that is not specified. */
function needOf(operation: Operation) {
  const { need } = neededCredentials(operation);
  return need === "unspecified" ? "optional" : need;
}
