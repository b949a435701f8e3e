import { expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { generateClient } from "../../scripts/pipeline/clientModule.ts";
import { generateTypes } from "../../scripts/pipeline/typesModule.ts";
import { syntheticDocument } from "../fixtures/syntheticContract.ts";
import { checkModules } from "./checkModules.ts";

it("the client of another contract compiles with 1,000 operations, still checked", () => {
  const large = syntheticDocument(1_000);
  const calls = `
    import { createClient } from "./client.ts";
    const client = createClient({ baseUrl: "", auth: { token: "t" } });
    await client.PATCH("/api/Resource249/{id}", { params: { path: { id: 7 } }, body: { id: 7, name: "Seven" } });
    // @ts-expect-error -- a misspelt field
    await client.POST("/api/Resource249", { body: { id: 7, name: "Seven", tgas: [] } });
  `;
  const modules = {
    "types.ts": generateTypes(large),
    "client.ts": generateClient(readGeneration("large", large)),
    "use.ts": calls,
  };
  expect(checkModules(modules)).toEqual([]);
});
