/* What can be made of an entry: a command line, the same request, and an override with its response. */
import { listedViolations } from "../../../exchange/refusal.ts";
import { mask } from "../../../exchange/secrets.ts";
import { curlCommand, type ShellText } from "../../../samples/curlCommand.ts";
import { isJson } from "../../../spec/mediaTypes.ts";
import { isViolation, type RequestEntry } from "./requestFacts.ts";

/** Header fields that belong to a connection or a client rather than to a request. */
const incidental = new Set(
  "accept-encoding accept-language connection content-length host keep-alive transfer-encoding user-agent".split(" "),
);

export function hasBody({ headers = {} }: RequestEntry): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Why an entry doesn't tell the whole request. `undefined` if it does. */
export function missingPart(entry: RequestEntry): string | undefined {
  const { target, headers, body, findings = [], described } = entry;
  if (headers === undefined) return "the mock keeps headers and bodies only if an operation has the path and method";
  if (!isWhole(target)) return "its path isn't kept whole";
  if (!hasBody(entry)) return undefined;
  if (body === undefined) return "its body isn't kept";
  const wrong = findings.filter(({ direction }) => direction === "request");
  if (wrong.length >= listedViolations)
    return "the mock hides its texts and numbers, because it doesn't list all violations";
  if (described?.includes("body")) return "its body is too large to be kept";
  const isText = typeof body === "string" || hasJson(headers);
  return isText ? undefined : "its body is kept as values, not as text";
}

/** Why this page can't send a request again. `undefined` if it can. */
export function whyNotAgain(entry: RequestEntry): string | undefined {
  const { target } = entry;
  const url = URL.parse(location.origin + target);
  // Browsers resolve dot segments, which could turn the request into one for the mock itself.
  const isChanged = url === null || url.pathname + url.search !== target;
  return isChanged && isWhole(target) ? "browsers would change its path" : missingPart(entry);
}

function isWhole(target: string): boolean {
  return target.startsWith("/") && !target.endsWith("…");
}

function hasJson(headers: Readonly<Record<string, string>>): boolean {
  return isJson(headers["content-type"] ?? "");
}

export function sendAgain(entry: RequestEntry): Promise<Response> {
  const { method, target, headers = {} } = entry;
  const body = method === "GET" || method === "HEAD" ? undefined : textOfBody(entry);
  const init = { method, headers, ...(body !== undefined && { body }), redirect: "manual" } as const;
  return fetch(location.origin + target, { ...init, credentials: "omit", cache: "no-store" });
}

function textOfBody({ body, headers = {} }: RequestEntry): string | undefined {
  return typeof body === "string" && !hasJson(headers) ? body : JSON.stringify(body);
}

/** A command line for POSIX shells that sends a request. Secrets are variables of the shell. */
export function curlOf(entry: RequestEntry) {
  const { method, target, headers = {} } = entry;
  const variables = new Set<string>();
  const withVariables = (text: string): ShellText => {
    const [first = "", ...others] = text.split(mask);
    let before = first;
    const rest = others.flatMap((part) => {
      const variable = variableFor(before);
      variables.add(variable);
      before = part;
      return [{ variable }, part];
    });
    return [first, ...rest];
  };
  const sent = Object.entries(headers).filter(([name]) => !incidental.has(name) && !name.startsWith("sec-"));
  const text = textOfBody(entry);
  const url = withVariables(location.origin + target);
  const command = curlCommand({
    ...{ method, url },
    headers: Object.fromEntries(sent.map(([name, value]) => [name, withVariables(value)])),
    body: text === undefined ? undefined : { kind: "text", text: withVariables(text) },
  });
  return { command, variables: [...variables] };
}

/**
 * A variable for a secret, named by the last word before it: `token=` makes `SECRET_TOKEN`. A request can't name
 * other variables of the shell.
 */
function variableFor(before: string): string {
  const word = before.match(/\w+/g)?.at(-1) ?? "";
  return word.toLowerCase() === "bearer" ? "API_KEY" : `SECRET_${word.toUpperCase()}`;
}

/**
 * An override that answers the next such request as this one was answered. `undefined` if the request isn't for
 * an operation, or if it got no response.
 */
export function overrideLike(entry: RequestEntry) {
  const { operation, generation, path = {}, status, responseBody, fault, described, findings = [] } = entry;
  const delivery = fault?.delivery;
  if (operation === undefined || (delivery !== undefined && delivery !== "truncated")) return undefined;
  const isKept = responseBody !== undefined && described?.includes("responseBody") !== true;
  const violates = findings.some((one) => isViolation(one) && one.direction === "response");
  const isProblem = typeof responseBody === "object" && responseBody !== null && "detail" in responseBody;
  return {
    ...{ operation, generation },
    ...(Object.keys(path).length > 0 && { when: { path } }),
    respond: {
      status,
      ...(isProblem && { headers: { "content-type": "application/problem+json" } }),
      ...(isKept && { body: responseBody }),
      // The contract doesn't describe the problem details of the mock.
      ...((violates || isProblem) && { unchecked: true }),
    },
    times: 1,
  };
}
