import { messageOf } from "../../scripts/contract/failures.ts";
import { readGeneration, type Generation } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/engine.ts";
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
import type { Mutant } from "./mutants.ts";

/** Makes what tells which test catches a mutant of a generation; `undefined` if none does. */
export function createHunt(generation: Generation): (mutant: Mutant) => Promise<string | undefined> {
  // Those of the unchanged bundle.
  const checks = [...checksOf(generation), ...valueChecksOf(generation)];
  const responseChecks = responseChecksOf(generation);
  return async ({ apply }) => {
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
  return ({ method, target, headers, body }) =>
    fetch(`http://localhost${target}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}
