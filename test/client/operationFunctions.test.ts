import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { firstAlternative } from "../../scripts/samples/exampleRequest.ts";
import { isObject } from "../../scripts/values/json.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { exampleCall, exampleCredentials, loadClient, type DynamicClient, type Init, type Result } from "./dynamic.ts";

const generations = await readBuiltGenerations();

describe.each(generations)("the functions of $name", ({ name, operations }) => {
  it("are those of its operations, and call them", async () => {
    await using mock = await startServer({ generations, stateless: true });
    const { createClient } = await loadClient(name);
    const functions: unknown = await import(pathToFileURL(`generated/${name}/operations.ts`).href);
    if (!isObject(functions)) throw new Error("no module");
    expect(new Set(Object.keys(functions))).toEqual(new Set(operations.map(({ operationId }) => operationId)));
    for (const operation of operations) {
      const client = createClient({ baseUrl: mock.url, auth: exampleCredentials(firstAlternative(operation)) });
      const init = exampleCall(operation);
      const call = functions[operation.operationId ?? ""];
      if (!isCall(call)) throw new Error(`${operation.name} has no function`);
      const { data, response } = await call(client, init);
      expect(response.ok).toBe(true);
      expect(data).toEqual((await client.request(operation.method, operation.path, init)).data);
    }
  });
});

function isCall(value: unknown): value is (client: DynamicClient, init: Init) => Promise<Result> {
  return typeof value === "function";
}

describe("an editor", () => {
  const program = `
    import { createClient } from "./client.ts";
    import { rescheduleBooking } from "./operations.ts";
    await rescheduleBooking(createClient({ baseUrl: "" }), { params: { path: { bookingUid: "9dKs" } }, body: {} });
  `;
  const file = resolve("generated/v2/program.ts");
  const call = program.lastIndexOf("rescheduleBooking");
  const service = languageService(file, program);

  it("shows the operation's description at a function's name", () => {
    const info = service.getQuickInfoAtPosition(file, call);
    const documentation = ts.displayPartsToString(info?.documentation);
    expect(documentation).toContain("Reschedule a booking\n\nMoves a booking to another time.");
    expect(documentation).toContain("`POST /v2/bookings/{bookingUid}/reschedule`");
    expect(documentation).toContain("Credentials: `apiKey`, if needed.");
    expect(documentation).toContain("Not specified:\n- authentication\n");
    expect(documentation).toContain("\n- Booking.duration: unit");
    // What precedes it is no longer than a few lines: nobody has to scroll.
    expect(ts.displayPartsToString(info?.displayParts).length).toBeLessThan(300);
  });

  it("shows the same while arguments are typed, and describes each field", () => {
    const help = service.getSignatureHelpItems(file, program.indexOf("{ params"), undefined);
    expect(ts.displayPartsToString(help?.items[0]?.documentation)).toContain("Credentials: `apiKey`, if needed.");
    const field = service.getQuickInfoAtPosition(file, program.indexOf("bookingUid"));
    expect(ts.displayPartsToString(field?.documentation)).toContain("The booking's `uid`");
  });
});

/** What editors ask about a program, which need not be on the disk. */
function languageService(file: string, program: string): ts.LanguageService {
  const options: ts.CompilerOptions = {
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  const read = (path: string) => (path === file ? program : ts.sys.readFile(path));
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => resolve("."),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getScriptVersion: () => "1",
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
  });
}
