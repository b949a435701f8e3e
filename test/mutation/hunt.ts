import { messageOf } from "../../scripts/contract/failures.ts";
import { readGeneration, type Generation } from "../../scripts/contract/generation.ts";
import { createOperationFinder } from "../../scripts/diff/operationUses.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import {
  checksOf,
  createJudge,
  failureOf,
  misjudgedOf,
  responseChecksOf,
  valueChecksOf,
  type Send,
} from "../contract/checks.ts";
import { requestTo } from "../fixtures/exampleRequest.ts";
import type { Mutant } from "./mutants.ts";

/** Makes what tells which test catches a mutant of a generation; `undefined` if none does. */
export async function createHunt(generation: Generation): Promise<(mutant: Mutant) => Promise<string | undefined>> {
  // Those of the unchanged bundle.
  const allChecks = [...checksOf(generation), ...valueChecksOf(generation)];
  const allResponseChecks = await responseChecksOf(generation);
  const findOperations = createOperationFinder(generation);
  return async ({ pointer, apply }) => {
    // Others cannot notice what they do not refer to.
    const names = findOperations(pointer);
    const subjects = new Set(
      generation.operations
        .filter(({ name }) => names.length === 0 || names.includes(name))
        .flatMap(({ operationId, name, path }) => [operationId ?? name, path]),
    );
    const checks = allChecks.filter(({ subject }) => subjects.has(subject));
    const responseChecks = allResponseChecks.filter(({ subject }) => subjects.has(subject));
    const document: unknown = structuredClone(generation.document);
    if (!isDocument(document)) throw new Error("the bundle is no OpenAPI description");
    apply(document);
    try {
      const mutant = readGeneration(generation.name, document);
      const judge = createJudge(mutant);
      for (const check of responseChecks) {
        if (misjudgedOf(check, judge) !== undefined) return `verify, of ${check.subject}, ${check.title}`;
      }
      const send = sendTo(mutant);
      for (const check of checks) {
        if ((await failureOf(check, send)) !== undefined) return `${check.subject} ${check.title}`;
      }
    } catch (error) {
      return `fails: ${messageOf(error)}`;
    }
    return undefined;
  };
}

function sendTo(generation: Generation): Send {
  const { fetch } = createEngine({ generations: [generation], stateless: true });
  return (request) => fetch(requestTo("http://localhost", request));
}
