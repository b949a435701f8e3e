import { exchangeTitle, type OperationExamples, type SampledExchange } from "../model/sampledExchanges.ts";
import { codeSpan, escapeMarkdown, fencedCode, joinBlocks } from "./markdownText.ts";

/** The named examples of an operation: each request in every language, and the response to it. */
export function markdownExamples({ server, hasCredentials, exchanges }: OperationExamples): string {
  const shown = exchanges
    .map((exchange, index) => markdownExchange(exchange, exchanges.slice(0, index)))
    .filter((exchange) => exchange !== "");
  if (shown.length === 0) return "";
  return joinBlocks(["## Examples", markdownTarget({ server, hasCredentials }), ...shown]);
}

/** Where the samples' requests go. */
export function markdownTarget({
  server,
  hasCredentials,
}: Pick<OperationExamples, "server" | "hasCredentials">): string | undefined {
  const credentials = hasCredentials ? " with example credentials" : "";
  return (
    server && `Requests go to ${server.isMock ? "the mock" : "the server"} at ${codeSpan(server.url)}${credentials}.`
  );
}

/** A request in every language and the response to it, without what an earlier one has said. */
export function markdownExchange(
  { request, response, samples }: SampledExchange,
  earlier: readonly SampledExchange[],
): string {
  const isRepeated = earlier.some((exchange) => exchange.response?.name === response?.name);
  const title = (kind: string, example: typeof request) => `### ${escapeMarkdown(exchangeTitle(kind, example))}`;
  return joinBlocks([
    samples.length > 0 || request !== undefined ? title("Request", request) : undefined,
    ...samples.map(({ label, highlight, source }) =>
      joinBlocks([`${escapeMarkdown(label)}:`, fencedCode(source, highlight)]),
    ),
    samples.length === 0 && request?.value !== undefined ? payload(request.value) : undefined,
    response && isRepeated ? "The response is the one above." : undefined,
    response && !isRepeated ? title(`Response ${response.status}`, response) : undefined,
    response && !isRepeated ? payload(response.value) : undefined,
  ]);
}

function payload(value: unknown): string {
  return typeof value === "string" ? fencedCode(value, "") : fencedCode(JSON.stringify(value, null, 2), "json");
}
