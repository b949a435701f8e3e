import { attempt } from "../contract/failures.ts";
import { credentialVariable, type SecurityScheme } from "../contract/security.ts";
import { joinFields, type Exchange } from "../exchange/exchange.ts";
import { mask, maskHeader, maskValues, type IsSecret, type Secrets } from "../exchange/secrets.ts";
import { curlCommand } from "../samples/curlCommand.ts";
import { parseJson } from "../spec/json.ts";
import { essenceOf } from "../spec/mediaTypes.ts";

/** The fields of a request that curl or a browser adds by itself. */
const addedByClient = ["host", "connection", "content-length", "accept-encoding", "user-agent"];

function isAddedByClient(name: string): boolean {
  return addedByClient.includes(name) || name.startsWith("sec-");
}

/** What fits into 80 columns of the report, with its indentation of 4 and ` \\` at the end. */
const longestCurl = 74;

/**
 * A command line that sends the request of an exchange, without secrets. In place of the credentials of a generation, it
 * has the environment variables from which the run reads them.
 */
export function exchangeCommand(
  { method, url, request }: Exchange,
  secrets: Secrets,
  generation: string,
  schemes: Iterable<SecurityScheme>,
): string {
  const headers = request.headers
    .filter(([name]) => !isAddedByClient(name.toLowerCase()))
    .map(([name, value]) => [name, maskHeader(name, value, secrets.isSecretParameter)] as const);
  const mimeType = joinFields(headers)["content-type"] ?? "";
  const text = request.body && maskContent(Buffer.from(request.body).toString(), mimeType, secrets.isSecretProperty);
  const body = text === undefined || text === "" ? undefined : ({ kind: "text", text } as const);
  const sent = { method, url: secrets.maskUrl(url), headers: Object.fromEntries(headers), body };
  const masked = curlCommand(sent, undefined, longestCurl);
  return [...schemes].reduce((line, scheme) => nameCredential(line, scheme, generation), masked);
}

/** Writes the environment variable of a credential in place of its mask. The body, which may contain the same, comes last. */
function nameCredential(command: string, { name, in: place, parameter, prefix }: SecurityScheme, generation: string) {
  const variable = `"$${credentialVariable(generation, name)}"`;
  const starts = {
    query: [`?${parameter}=`, `&${parameter}=`],
    header: [`-H '${parameter}: ${prefix}`, `-H '${parameter.toLowerCase()}: ${prefix}`],
    cookie: [],
    connection: [],
  }[place];
  const start = starts.find((text) => command.includes(`${text}${mask}`));
  if (start === undefined) return command;
  // The variable has the user and the password.
  if (prefix === "Basic ") return command.replace(`${start}${mask}'`, () => `-u ${variable}`);
  return command.replace(`${start}${mask}`, () => `${start}'${variable}'`).replace(`${variable}''`, () => variable);
}

/** The text of a body without secrets. `undefined` if secrets in it can't be recognized. */
function maskContent(text: string, mimeType: string, isSecret: IsSecret): string | undefined {
  if (essenceOf(mimeType) === "application/x-www-form-urlencoded") {
    const pairs = [...new URLSearchParams(text)];
    return new URLSearchParams(pairs.map(([name, value]) => [name, isSecret(name) ? mask : value])).toString();
  }
  const value = parseJson(text);
  if (text === "") return "";
  // A value that is nested too deeply can't be written.
  return value === undefined ? undefined : attempt(() => JSON.stringify(maskValues(value, isSecret)));
}
