import { execFile } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { groupBy } from "../../scripts/values/collections.ts";

/** The first lines of errors that are longer than this are cut in editors, or aren't read. */
const longestLine = 225;

const generations = await readBuiltGenerations();
const imports = generations.map(({ name }) => `import * as ${name} from "${resolve(`generated/${name}/client.ts`)}";`);

const beginning = `
${imports.join("\n")}
import { getOrganizationTeam, listOrganizationSchedules, rescheduleBooking } from "${resolve("generated/v2/operations.ts")}";
import { getOrganizationTeamKey, getOrganizationTeamQuery } from "${resolve("generated/v2/queries.ts")}";
import { createHandler } from "${resolve("generated/v2/server.ts")}";
import { schemas } from "${resolve("generated/v2/schemas.ts")}";
import { schemas as schemasOfV1 } from "${resolve("generated/v1/schemas.ts")}";
declare const key: string | undefined;
const baseUrl = "https://api.example.com";
const auth = { apiKey: "svc_example_key" };
const client = v2.createClient({ baseUrl, auth });
const clientOfV1 = v1.createClient({ baseUrl });
const team = { params: { path: { orgId: 42, teamId: 7 } } };
const params = { path: { bookingUid: "9dKs3nTyBq7WfX1jPv0G" } };
const authenticate = "none";
const status = 200 as const;
const teamPath = "/v2/organizations/{orgId}/teams/{teamId}";
const reschedulePath = "/v2/bookings/{bookingUid}/reschedule";
`;

const paged = generations.find(({ name }) => name === "v2")?.operations.filter(({ pagination }) => pagination);
const isOnlyPaged = paged?.length === 1;

/** Wrong calls. A comment has words of the first line of the compiler's error. */
const wrongCalls = `
v2.createClient({ auth }); // OptionsWithBaseUrl
v2.createClient({ baseUrl, auth, validate: "throw" }); // OptionsWithBaseUrlAndSchemas
v2.createClient({ baseUrl, auth, validate: true, schemas }); // 'true' is not assignable to type
v2.createClient({ baseUrl, auth: "svc_example_key" }); // "svc_example_key"' is not assignable to type
v2.createClient({ baseUrl, auth, schemas: schemasOfV1 }); // 'ContractSchemas<"v1">' is not assignable to type 'ContractSchemas<"v2">'.
v2.createClient({ baseUrl, auth: {} }); // CompleteAuth
v2.createClient({ baseUrl, auth: { apikey: "svc_example_key" } }); // Did you mean to write 'apiKey'?
v2.createClient({ baseUrl, auth: { apiKey: 1 } }); // 'number' is not assignable to type 'Credential'
v2.createClient({ baseUrl, auth: { oauthClientId: "id" } }); // CompleteAuth
v2.createClient({ baseUrl, auth: { apiKey: key } }); // 'string | undefined' is not assignable to type 'Credential'
v2.createClient({ baseUrl, auth, timeout: 5 }); // 'timeout' does not exist
v2.createClient({ baseURL: baseUrl, auth }); // Did you mean to write 'baseUrl'?
v2.createClient(baseUrl); // 'string' is not assignable to parameter
client.TRACE("/v2/teams/{teamId}", team); // "/v2/teams/{teamId}"' is not assignable to parameter
client.GET(); // Expected at least 1 arguments, but got 0.
client.GET(teamPath); // Expected 2 arguments, but got 1.
client.GET(teamPath, { orgId: 42, teamId: 7 }); // RequiredParams<GetOrganizationTeamOperation>
client.GET(teamPath, { path: { orgId: 42, teamId: 7 } }); // RequiredParams<GetOrganizationTeamOperation>
client.GET(teamPath, { params: { orgId: 42, teamId: 7 } }); // 'orgId' does not exist in type '{ query?
client.GET(teamPath, { params: { path: { orgId: 42 } } }); // Property 'teamId' is missing
client.GET(teamPath, { params: { path: { orgId: 42, teamId: "7" } } }); // 'string' is not assignable to type 'number'
client.POST(reschedulePath, { params }); // RequiredBody<RescheduleBookingOperation>
client.POST(reschedulePath, { params, body: { strat: "" } }); // 'strat' does not exist
client.POST(reschedulePath, { params, body: { start: 5 } }); // 'number' is not assignable to type 'string
client.POST("/v2/oauth-clients", { name: "Clinic" }); // RequiredBody<CreateOAuthClientOperation>
client.DELETE("/v2/teams/{teamId}", { params: { path: { teamId: 7 } }, body: {} }); // '{}' is not assignable to type 'undefined'
client.request("trace", "/v2/teams/{teamId}", team); // '"trace"' is not assignable
getOrganizationTeam(clientOfV1, team); // Client' is not assignable to parameter
getOrganizationTeam(client); // Expected 2 arguments, but got 1.
getOrganizationTeam(client, { orgId: 42, teamId: 7 }); // RequiredParams<GetOrganizationTeamOperation>
rescheduleBooking(client, { params }); // RequiredBody<RescheduleBookingOperation>
getOrganizationTeamQuery(client, { ...team, signal: AbortSignal.timeout(1) }); // 'signal' does not exist
getOrganizationTeamKey({ path: { orgID: 42 } }); // Did you mean to write 'orgId'?
v2.paginate(listOrganizationSchedules, client, { params: { path: { orgId: 42 } } }); // ${isOnlyPaged ? "take: number" : "No overload matches this call."}
v2.unwrap(client); // type 'Promise<
createHandler({ authenticate, handlers: { deleteTeam: () => ({ status: 204 }) } }); // OperationHandler<DeleteTeamOperation
createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, body: { status: "success" } }) } }); // OperationHandler<DeleteTeamOperation
createHandler({ authenticate, handlers: { deleteTeam: () => undefined } }); // OperationHandler<DeleteTeamOperation
createHandler({ authenticate, handlers: { getTeem: () => new Response() } }); // 'getTeem' does not exist
`;

/** What a program in an editor has at hand. Cursors are comments. */
const edited = `
client./*client*/;
client.GET(/*call*/);
client.request(/*request*/);
v2.createClient({ /*options*/ });
v2.createClient({ baseUrl, auth: { /*auth*/ } });
v2.paginate(listOrganizationSchedules, client, { params: { path: { orgId: 1 }, query: { take/*take*/: 50, skip/*skip*/: 0 } } });
client.POST(reschedulePath, { params, body/*body*/: {} });
v2.createClient({ baseUrl/*baseUrl*/, auth/*credentials*/: { oauthClientId/*id*/: "", oauthClientSecret/*secret*/: "" } });
v2.createClient({ baseUrl, auth/*none*/: "none", validate: "throw", schemas });
createHandler({ authenticate, handlers: { getOrganizationTeam: () => ({ /*response*/ }) } });
createHandler({ authenticate, handlers: { getOrganizationTeam: () => ({ status, body: { /*sent*/ } }) } });
declare const given: v2.Auth;
given.apiKey/*given*/;
declare const reschedule: v2.RescheduleBookingOperation;
reschedule.parameters.header!["svc-api-version"/*header*/];
`;

/** A call of each operation with parameters, whose names are followed by cursors. */
const calls = generations.flatMap(({ name: generation, operations }) =>
  operations.map(({ name, method, path, parameters }) => {
    const places = [...groupBy(parameters, (parameter) => parameter.in)].map(([place, named]) => {
      const members = named.map((parameter) => `"${parameter.name}"/*${name} ${parameter.name}*/: never`);
      return `${place}: { ${members.join(", ")} }`;
    });
    const params = `{ params: { ${places.join(", ")} }, body: never }`;
    const cursors = parameters.map((parameter) => `${name} ${parameter.name}`);
    return { call: `${generation}.createClient({ baseUrl }).${method.toUpperCase()}("${path}", ${params});`, cursors };
  }),
);

const options = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: [],
};

/** TypeScript's language service for a program that isn't on the disk. */
function openEditor(text: string) {
  const file = resolve("test/client/edited.ts");
  const read = (path: string) => (path === file ? text : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(read(path) ?? ""),
    getCompilationSettings: () => ({ ...options, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024 }),
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
  });
  return { service, file, text };
}

const callsOfAll = calls.map(({ call }) => call).join("\n");
const { service, file, text } = openEditor(
  `${beginning}${wrongCalls}\n{\n${edited}declare const never: never;\n${callsOfAll}\n}`,
);

function completionsAt(cursor: string) {
  const position = text.indexOf(`/*${cursor}*/`);
  const preferences = { includeCompletionsWithInsertText: true };
  const { entries = [] } = service.getCompletionsAtPosition(file, position, preferences) ?? {};
  return entries.map(({ name }) => {
    const details = service.getCompletionEntryDetails(file, position, name, {}, undefined, preferences, undefined);
    const show = (parts: ts.SymbolDisplayPart[] | undefined) => ts.displayPartsToString(parts);
    return { name, type: show(details?.displayParts), comment: show(details?.documentation) };
  });
}

function hoverAt(cursor: string) {
  const info = service.getQuickInfoAtPosition(file, text.indexOf(`/*${cursor}*/`) - 1);
  return { type: ts.displayPartsToString(info?.displayParts), comment: ts.displayPartsToString(info?.documentation) };
}

it.each([
  ["GET", "call", ["path", "init"]],
  ["request", "request", ["method", "path", "init"]],
])("shows one way to call %s, with a comment", (_, cursor, parameters) => {
  const { items = [] } = service.getSignatureHelpItems(file, text.indexOf(`/*${cursor}*/`), {}) ?? {};
  expect(items.map((item) => item.parameters.map(({ name }) => name))).toEqual([parameters]);
  expect(ts.displayPartsToString(items[0]?.documentation)).toContain("its path template");
});

it("completes a client with its methods alone", () => {
  const names = completionsAt("client").map(({ name }) => name);
  expect(names).toContain("GET");
  expect(names.filter((name) => !/^[a-z]+$/i.test(name))).toEqual([]);
});

it("completes what a client takes, each with a comment", () => {
  const completions = completionsAt("options");
  const names = completions.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["baseUrl", "auth", "fetch", "headers", "validate"]));
  expect(names.filter((name) => ["body", "method", "window"].includes(name))).toEqual([]);
  expect(completions.filter(({ comment }) => comment === "").map(({ name }) => name)).toEqual([]);
});

it("completes credentials with one short type and a comment", () => {
  const credentials = completionsAt("auth");
  expect(credentials.map(({ name }) => name)).toContain("apiKey");
  for (const { type, comment } of credentials) {
    expect(type).toMatch(/\?: (?:v1\.)?Credential \| undefined$/);
    expect(comment).not.toBe("");
  }
});

it("completes a handler's response with few members of the platform's", () => {
  const namesAt = (cursor: string) => completionsAt(cursor).map(({ name }) => name);
  expect(namesAt("response").toSorted()).toEqual(["body", "clone", "contentType", "headers", "status"]);
  expect(namesAt("sent")).not.toEqual([]);
  expect(namesAt("sent")).not.toContain("getReader");
});

it("keeps the comments of the parameters that page a list", () => {
  expect(hoverAt("take").comment).not.toBe("");
  expect(hoverAt("skip").comment).not.toBe("");
});

it("shows a comment for every parameter and header of an operation", () => {
  const cursors = calls.flatMap((call) => call.cursors);
  expect(cursors.length).toBeGreaterThan(0);
  expect(cursors.filter((cursor) => hoverAt(cursor).comment === "")).toEqual([]);
});

it.each(["baseUrl", "credentials", "none", "id", "secret", "given", "header"])(
  "shows a comment for an option of a client or a member of a type: %s",
  (cursor) => {
    expect(hoverAt(cursor).comment).not.toBe("");
  },
);

it("names an alternative whose fields aren't specified", () => {
  expect(hoverAt("body").type).toContain("UnspecifiedFields");
  expect(hoverAt("body").type).not.toContain("Symbol");
});

/** The first lines of the errors of TypeScript 5, by line. */
function errorsOfService(): ReadonlyMap<number, string> {
  const lineOf = (position: number) => text.slice(0, position).split("\n").length;
  return new Map(
    service.getSemanticDiagnostics(file).map(({ start = 0, messageText }) => {
      const [first = ""] = ts.flattenDiagnosticMessageText(messageText, "\n").split("\n");
      return [lineOf(start), first];
    }),
  );
}

/** The first lines of the errors of TypeScript 7, by line. */
async function errorsOfCompiler(): Promise<ReadonlyMap<number, string>> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "wrong-calls-"));
  const compilerOptions = { ...options, module: "nodenext", target: "es2024", pretty: false };
  await writeFile(join(folder.path, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["calls.ts"] }));
  await writeFile(join(folder.path, "calls.ts"), beginning + wrongCalls);
  const compiler = resolve("node_modules/typescript-7/bin/tsc");
  const report = await new Promise<string>((done) => {
    execFile(process.execPath, [compiler, "-p", folder.path], { cwd: folder.path }, (_, stdout) => {
      done(stdout);
    });
  });
  const found = report.matchAll(/^calls\.ts\((\d+),\d+\): error TS\d+: (.*)$/gm);
  return new Map([...found].map(([, line = "", message = ""]) => [Number(line), message]));
}

it.each([
  ["TypeScript 5", errorsOfService],
  ["TypeScript 7", errorsOfCompiler],
])("%s says in its first line what is wrong with a call", async (_, errors) => {
  const lines = `${beginning}${wrongCalls}`.split("\n");
  const expected = lines.flatMap((line, index) => {
    const [, words] = line.split("; // ");
    return words === undefined ? [] : [[index + 1, words] as const];
  });
  expect(expected.length).toBeGreaterThanOrEqual(30);
  const found = await errors();
  for (const [line, words] of expected) {
    // Paths differ between machines.
    const first = found.get(line)?.replaceAll(/import\([^)]*\)/g, "") ?? "no error";
    expect(first, lines[line - 1]).toContain(words);
    // The compiler lists some of the paths, whatever they are.
    const fixed = first.replaceAll(/ \| "\/[^"]*"/g, "");
    expect(fixed.length, first).toBeLessThanOrEqual(longestLine);
  }
});
