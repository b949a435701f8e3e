import type { SampleRequest } from "../../samples/serializeRequest.ts";
import { fillExpressions, type ExpressionContext } from "../../workflows/expressions.ts";
import { fillBody, fillCredential } from "../../workflows/stepValues.ts";
import type { RunnableStep } from "../model/stepsData.ts";

/** Replaces the runtime expressions in the request of a step with values. */
export function fillRequest({ request, credentials }: RunnableStep, context: ExpressionContext): SampleRequest {
  const fill = (literal: unknown) => fillExpressions(literal, context);
  const parameters = request.parameters.map((parameter) => ({ ...parameter, value: fill(parameter.value) }));
  return {
    ...request,
    parameters: parameters.filter(({ value }) => value !== undefined),
    credentials: credentials.map(({ credential, values }) => fillCredential(credential, values, fill)),
    body: fillBody(request.body, fill),
  };
}
