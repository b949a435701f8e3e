import { firstAlternative } from "../../samples/exampleRequest.ts";
import { isDefaultStatus } from "../../spec/statusKeys.ts";
import type { Example } from "../../contract/generation.ts";
import { responseOf } from "../../spec/openapi.ts";
import type { ExampleExchange, OperationModel } from "./operationModel.ts";
import type { WorkflowStep } from "../../workflows/readWorkflows.ts";
import { clientModule, type SampleServer, type Site } from "./site.ts";
import { samplesOf, type Sample } from "../../samples/samples.ts";

/** The examples of an operation, or of a step of a workflow. */
export interface OperationExamples {
  /** The server of the samples. `undefined` for a webhook, which readers receive. */
  readonly server: SampleServer | undefined;
  /** True if the samples send credentials. */
  readonly hasCredentials: boolean;
  readonly exchanges: readonly SampledExchange[];
}

/** A request with samples, and its response. */
export interface SampledExchange extends ExampleExchange {
  readonly samples: readonly Sample[];
}

/** The title of a request or a response. Steps of workflows have no names. */
export function exchangeTitle(kind: string, example: Example | undefined): string {
  return example === undefined || example.summary === "" ? kind : `${kind}: ${example.summary}`;
}

/** The named examples of an operation, with samples. */
export function readExamples(
  site: Site,
  content: Pick<OperationModel, "generation" | "operation" | "isWebhook" | "examples">,
): OperationExamples {
  const { generation, operation, isWebhook, examples } = content;
  const server = isWebhook ? undefined : site.serverOf(operation);
  const module = clientModule(site, generation);
  const samples = server === undefined ? [] : samplesOf(operation, { module, server: server.url });
  const exchanges: readonly ExampleExchange[] =
    examples.length > 0 ? examples : [{ request: undefined, response: undefined }];
  return {
    server,
    hasCredentials: firstAlternative(operation).length > 0,
    exchanges: exchanges.map((exchange, index) => ({
      ...exchange,
      // Samples in the description, and those without a body, belong to the first example.
      samples: samples.filter(({ example }) =>
        example === undefined ? index === 0 : example === exchange.request?.name,
      ),
    })),
  };
}

/** The request of a workflow's step, with its response. */
export function readStepExamples(site: Site, { generation, example: operation, response }: WorkflowStep) {
  const untitled = { summary: "", description: "" };
  const described = responseOf(operation.responses, response.status)?.status ?? "default";
  const status = isDefaultStatus(described) ? String(response.status) : described;
  const [sent] = operation.requestBody?.content.flatMap(({ examples }) => examples) ?? [];
  return readExamples(site, {
    generation,
    operation,
    isWebhook: false,
    examples: [
      {
        request: sent && { ...sent, ...untitled },
        response: response.body === undefined ? undefined : { ...untitled, name: "", status, value: response.body },
      },
    ],
  });
}
