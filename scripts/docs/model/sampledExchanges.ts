import { firstAlternative } from "../../samples/exampleRequest.ts";
import type { Example, Generation } from "../../contract/generation.ts";
import { responseOf } from "../../spec/openapi.ts";
import type { ExampleExchange, OperationModel } from "./operationModel.ts";
import type { WorkflowStep } from "../../workflows/readWorkflows.ts";
import type { SampleServer, Site } from "./site.ts";
import { samplesOf, type Sample } from "../../samples/samples.ts";

/** The examples of an operation, or of a step of a workflow. */
export interface OperationExamples {
  /** Where the requests of the samples go; `undefined` for a webhook, which readers receive. */
  readonly server: SampleServer | undefined;
  /** True if the samples send credentials. */
  readonly hasCredentials: boolean;
  readonly exchanges: readonly SampledExchange[];
}

/** A request and the response to it, with the samples that send it. */
export interface SampledExchange extends ExampleExchange {
  /** The position of the first exchange that has the same request. */
  readonly requestOf: number;
  /** The position of the first exchange that has the same response. */
  readonly responseOf: number;
  readonly samples: readonly Sample[];
}

/** Title of a request or a response: the steps of workflows have no names of their own. */
export function exchangeTitle(kind: string, example: Example | undefined): string {
  return example === undefined || example.summary === "" ? kind : `${kind}: ${example.summary}`;
}

/** The named examples of an operation, each with its samples. */
export function readExamples(
  site: Site,
  generation: Generation,
  { operation, isWebhook, examples }: Pick<OperationModel, "operation" | "isWebhook" | "examples">,
): OperationExamples {
  const server = isWebhook ? undefined : site.serverOf(operation);
  const module = `${site.packageName}/${generation.name}`;
  const samples = server === undefined ? [] : samplesOf(operation, { module, server: server.url });
  const exchanges: readonly ExampleExchange[] =
    examples.length > 0 ? examples : [{ request: undefined, response: undefined }];
  return {
    server,
    hasCredentials: firstAlternative(operation).length > 0,
    exchanges: exchanges.map((exchange, index) => ({
      ...exchange,
      requestOf: exchanges.findIndex(({ request }) => request === exchange.request),
      responseOf: exchanges.findIndex(({ response }) => response === exchange.response),
      // Samples of the description's own belong to no example. They come with the first, as does all without a body.
      samples: samples.filter(({ example }) =>
        example === undefined ? index === 0 : example === exchange.request?.name,
      ),
    })),
  };
}

/** The request of a workflow's step, with the response to it. */
export function readStepExamples(site: Site, { generation, example: operation, response }: WorkflowStep) {
  const untitled = { summary: "", description: "" };
  const described = responseOf(operation.responses, response.status)?.status ?? "default";
  const status = described === "default" ? String(response.status) : described;
  const [sent] = operation.requestBody?.content.flatMap(({ examples }) => examples) ?? [];
  return readExamples(site, generation, {
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
