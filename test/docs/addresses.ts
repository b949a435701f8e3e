import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import type { Generation } from "../../scripts/contract/generation.ts";

/** The addresses of a generation's pages, each list in the model's order; webhooks come after the operations. */
export function addressesOf(generation: Generation): {
  readonly generation: string;
  readonly groups: readonly string[];
  readonly operations: readonly string[];
  readonly schemas: readonly string[];
} {
  const { generation: own, groups, operations, schemas } = readAddresses(generation);
  return {
    generation: own,
    groups: generation.groups.map((group) => groups.get(group) ?? ""),
    operations: [...generation.operations, ...generation.webhooks].map((one) => operations.get(one) ?? ""),
    schemas: [...schemas.values()],
  };
}
