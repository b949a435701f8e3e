import type { TextFile } from "../../command/files.ts";
import type { SentCredential } from "../../contract/security.ts";
import type { ArazzoStep, WorkflowInput } from "../../workflows/arazzo.ts";
import { neededValues } from "../../workflows/expressions.ts";
import { stepRequest, type WorkflowStep } from "../../workflows/readWorkflows.ts";
import { findFirstCall, firstCallId } from "./firstCall.ts";
import { guidePath, type SampledSite, type Site } from "./site.ts";
import { dataScript, readExchangeData, type ExchangeData, type PageMock } from "./tryItData.ts";

/** The requests that a page runs with the mock in the page, in their order. Plain data, stored as JSON. */
export interface StepsData {
  readonly pageMock: PageMock;
  /** The inputs of the requests, with their examples. */
  readonly inputs: readonly Pick<WorkflowInput, "name" | "default" | "isText">[];
  readonly steps: readonly RunnableStep[];
}

/** A request whose values may be runtime expressions. */
export interface RunnableStep extends ExchangeData, Pick<ArazzoStep, "id" | "successCriteria" | "outputs"> {
  /** Its name at the beginning of a sentence. */
  readonly name: string;
  readonly credentials: readonly StepCredentialData[];
  /** The inputs and outputs of earlier steps that its request and its criteria need. */
  readonly needs: ReturnType<typeof neededValues>;
}

/** A credential, and the values of its parts, which may be runtime expressions. */
interface StepCredentialData {
  readonly credential: SentCredential;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The data of the pages that run requests with the mock in the page, each in a script beside its page. */
export function stepsFiles(site: Site, pageMock: PageMock): readonly TextFile[] {
  const file = (path: string, data: Omit<StepsData, "pageMock">): TextFile => ({
    path: `${path}steps.js`,
    content: dataScript("takeSteps", { ...data, pageMock }),
  });
  const guides = site.workflows.map(({ id, inputs, steps }) =>
    file(guidePath(id), {
      inputs: inputs.map(({ name, default: value, isText }) => ({ name, default: value, isText })),
      steps: steps.map((step, index) => readRunnableStep(site, step, index + 1)),
    }),
  );
  const call = findFirstCall(site);
  if (call === undefined) return guides;
  const { request, ...data } = readExchangeData(site, call.generation, call.operation);
  const credentials = request.credentials.map((credential) => ({ credential, values: {} }));
  const needs = neededValues(undefined);
  const step = { ...data, id: firstCallId, name: "The request", successCriteria: [], outputs: [] };
  return [...guides, file("", { inputs: [], steps: [{ ...step, request, credentials, needs }] })];
}

/** Reads a step of a workflow. Positions count from 1. */
export function readRunnableStep(site: SampledSite, step: WorkflowStep, number: number): RunnableStep {
  const { id, generation, successCriteria, outputs } = step;
  const operation = stepRequest(step, (literal) => literal);
  const { request, ...data } = readExchangeData(site, generation, operation);
  const credentials = step.credentials.flatMap(({ schemeName, values }) => {
    const credential = generation.securitySchemes.get(schemeName);
    return credential === undefined || credential.in === "connection" ? [] : [{ credential, values }];
  });
  const sent = [request.parameters.map(({ value }) => value), request.body, credentials];
  const needs = neededValues([sent, successCriteria.map(({ condition }) => condition)]);
  return { ...data, id, name: `Step ${String(number)}`, successCriteria, outputs, request, credentials, needs };
}
