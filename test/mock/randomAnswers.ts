import type { Generation } from "../../scripts/contract/generation.ts";
import { isRefusal } from "../../scripts/exchange/refusal.ts";
import { createResponseMaker } from "../../scripts/mock/content/describedResponse.ts";
import { isJson } from "../../scripts/spec/mediaTypes.ts";
import { responseOf } from "../../scripts/spec/openapi.ts";
import { createValidator, type Validate } from "../contract/validator.ts";
import { contracts } from "../fixtures/contracts.ts";
import { keywords } from "./fixtures/keywords.ts";

/** Those whose random answers are checked. */
export const generations: readonly Generation[] = [keywords, ...contracts];

/** The first of the random answers of a generation's operations that don't keep the contract. */
export async function brokenAnswers(generation: Generation, seeds: number): Promise<readonly string[]> {
  const validator = createValidator(generation.document);
  const broken: string[] = [];
  for (const operation of generation.operations) {
    const { describe: describeResponse } = createResponseMaker(operation);
    const checks = new Map<string, Validate>();
    for (const seed of Array.from({ length: seeds }, (_, index) => String(index))) {
      const response = await describeResponse({ preferences: {}, accept: "", dynamic: true, seed });
      const declared = isRefusal(response) ? undefined : responseOf(operation.responses, response.status);
      if (isRefusal(response) || declared === undefined) {
        broken.push(`${operation.name} with seed ${seed}: ${JSON.stringify(response)}`);
      } else if (response.mediaType !== undefined && isJson(response.mediaType)) {
        const check = checks.get(declared.status) ?? validator.ofResponse(operation, declared.status);
        checks.set(declared.status, check);
        const violation = check(response.value);
        if (violation !== undefined) broken.push(`${operation.name} with seed ${seed}: ${violation}`);
      }
    }
  }
  return broken.slice(0, 5);
}
