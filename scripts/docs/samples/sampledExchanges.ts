import { firstAlternative } from "../../contract/exampleRequest.ts";
import type { Generation } from "../../contract/generation.ts";
import type { ExampleExchange, OperationContent } from "../operationContent.ts";
import type { SampleServer, Site } from "../site.ts";
import { samplesOf, type Sample } from "./samples.ts";

/** What an operation's examples are, in HTML and in Markdown alike. */
export interface OperationExamples {
  /** Where the requests of the samples go; `undefined` for a webhook, which readers receive. */
  readonly server: SampleServer | undefined;
  /** Whether the requests have example credentials. */
  readonly hasCredentials: boolean;
  readonly exchanges: readonly SampledExchange[];
}

/** An exchange, and programs that send its request. */
export interface SampledExchange extends ExampleExchange {
  readonly samples: readonly Sample[];
}

/** The named examples of an operation, each with its samples. */
export function readExamples(
  site: Site,
  generation: Generation,
  { operation, isWebhook, examples }: OperationContent,
): OperationExamples {
  const server = isWebhook ? undefined : site.serverOf(operation);
  const module = `${site.packageName}/${generation.name}`;
  const samples = server === undefined ? [] : samplesOf(operation, { module, server: server.url });
  const exchanges = examples.length > 0 ? examples : [{ request: undefined, response: undefined }];
  return {
    server,
    hasCredentials: firstAlternative(operation).length > 0,
    exchanges: exchanges.map((exchange, index) => {
      // Without a request body there is one request, whichever response comes.
      const isRepeated = index > 0 && exchange.request === undefined;
      return {
        ...exchange,
        samples: isRepeated ? [] : samples.filter(({ example }) => example === exchange.request?.name),
      };
    }),
  };
}
