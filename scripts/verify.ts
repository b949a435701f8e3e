import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { Generation, Operation } from "./contract/generation.ts";
import type { VerifiedGeneration } from "./exchange/checkExchange.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { Finding } from "./verify/gatherFindings.ts";
import type { Values } from "./command/commandLine.ts";
import type { LocatedFinding } from "./verify/findingReport.ts";
import type { RequestCheck, WrongRequest } from "./verify/wrongRequests.ts";

enableCompileCache();
const { listGenerations, readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { printLine, printProgress, readChoice, readChoices, readServers, runCommand, serversOption, untilStopped } =
  await import("./command/commandLine.ts");
const { readText, readYaml } = await import("./command/files.ts");
const { terminalStyle } = await import("./command/terminal.ts");
const { selectByName } = await import("./contract/generation.ts");
const { credentialVariable, credentialVariables, describeSources, readCredentials } =
  await import("./contract/security.ts");
const { defaultMockUrl } = await import("./contract/defaultAddress.ts");
const { UserError } = await import("./contract/failures.ts");
const { suggestNames } = await import("./values/similarName.ts");
const { countOf, listInWords } = await import("./values/text.ts");
const { isObject, roundedValues } = await import("./values/json.ts");
const { callOperations, estimateRun } = await import("./verify/callOperations.ts");
const { describeLastingChange, describePlannedChange, describeRefusedCredential } =
  await import("./verify/describeCalls.ts");
const { createVerification } = await import("./verify/findings.ts");
const { reportFindings } = await import("./verify/findingReport.ts");
const { unusedValues } = await import("./verify/givenValues.ts");
const { readHar } = await import("./verify/har.ts");
const { faultKinds } = await import("./exchange/observation.ts");
const { deletesCreated, planCalls } = await import("./verify/planCalls.ts");
const { hideCopies } = await import("./exchange/secrets.ts");
const { createSender } = await import("./exchange/sender.ts");
const { askedKinds, judgeRun, verdictLine } = await import("./verify/verdict.ts");
const { writeReport } = await import("./report/writeReport.ts");
const { isRequestCheck, requestChecks } = await import("./verify/wrongRequests.ts");

// The help lists the variables. If there are no generations, the command says why.
const built = await readBuiltGenerations().catch(() => []);
const variables = credentialVariables(built);
const formats = ["text", "markdown", "json", "junit"] as const;
const checkNames = Object.keys(requestChecks).filter(isRequestCheck);

const callingOptions = {
  values: { type: "string", value: "FILE", description: "a YAML or JSON file with parameter values by name" },
  "allow-changes": { type: "boolean", description: "also create resources, and change and delete these" },
  "allow-lasting-changes": { type: "boolean", description: "also change what --values names, for good" },
  "allow-deletes": { type: "boolean", description: "also delete what --values names" },
  checks: {
    type: "string",
    value: "NAME,NAME",
    description: "also send wrong requests: all, or some of those above",
  },
  rate: { type: "string", value: "N", default: "5", description: "requests per second" },
  timeout: {
    type: "string",
    value: "SECONDS",
    description: "limit of the run (default: 300, or twice the estimate); a tenth of it for each request",
  },
} as const;

const summary = [
  "Checks a server, or recorded traffic, against the contract, as last built.\n",
  "It sends only GET requests, unless you allow others. Credentials come from the",
  "environment:",
  ...variables.map((name) => `  ${name}`),
  "Without any, it sends the contract's example credentials to servers on this machine.\n",
  "With --checks, it also sends wrong requests, which the server must reject. If they",
  "could change something, they need --allow-changes, and use only resources of this run.",
  "Without --checks, the only wrong requests are GETs without credentials. The checks:",
  ...checkNames.map((name) => `  ${name.padEnd(13)}${requestChecks[name]}`),
  "",
  "Exit codes:",
  "  1  A response contradicts the contract, the server failed (5xx), or a finding",
  "     has one of the kinds in --fail-on. With --require, too little was seen.",
  "  2  Otherwise, there is no result: no operation succeeded, all responses were",
  "     empty lists, the run ended early, a check sent nothing, or credentials were",
  "     refused (401 or 403), and no call that requires them succeeded.",
  "  0  Otherwise.",
].join("\n");

const options = {
  server: serversOption,
  har: { type: "string", value: "FILE", description: "read recorded traffic (HAR); --server selects a server's" },
  generation: { type: "string", value: "NAME", description: "verify only this generation" },
  operation: { type: "string", multiple: true, value: "ID", description: "verify only this operationId" },
  ...callingOptions,
  "fail-on": {
    type: "string",
    value: "KIND,KIND",
    description: `also fail with these findings: ${askedKinds.join(", ")}`,
  },
  "max-time": { type: "string", value: "MS", description: "doubt responses that take longer (milliseconds)" },
  require: {
    type: "string",
    value: "PERCENT",
    description: "also fail if fewer operations, statuses or fields were seen",
  },
  format: { type: "string", value: "FORMAT", default: "text", description: `one of ${formats.join(", ")}` },
} as const;

const examples = [
  `npm run verify -- --server ${defaultMockUrl}`,
  "npm run verify -- --server v1=https://one.example --server v2=https://two.example --format json",
  "npm run verify -- --har traffic.har --server https://api.example.com",
];

await runCommand({ name: "npm run verify", errorCode: 2, summary, options, examples, run: verify });

async function verify(given: Values<typeof options>): Promise<void> {
  const format = readChoice("format", given.format, formats);
  checkSource(given);
  const { server = [], har } = given;
  const failing = [...faultKinds, ...readChoices("fail-on", given["fail-on"], askedKinds)];
  const required = readPercent(given.require);
  const generations = selectByName(await readBuiltGenerations(), given.generation);
  const operations = selectOperations(generations, given.operation);
  const servers = readServers(server, generations);
  const sources = generations
    .map((generation) => {
      const address = servers.get(generation.name);
      return { generation, server: address, credentials: readCredentials(generation, address, process.env) };
    })
    .filter((source) => server.length === 0 || source.server !== undefined);
  const maxTime = given["max-time"] === undefined ? undefined : readPositive("max-time", given["max-time"]);
  const verification = createVerification(sources, operations, har === undefined, maxTime);
  const result = await readExchanges(sources, operations, given, verification.add);
  const lack = verification.lackOfProof();
  const causes = [...causesOf(result, given.checks), ...(lack === undefined ? [] : [`No result: ${lack}`])];
  const findings = await locateFindings(verification.findings(result?.reasons));
  const verdict = judgeRun({ findings, failing, causes, shares: verification.shares(), required });
  const notes = [...notesOf(result, given.checks), ...verdict.coverage];
  const report = reportFindings({ findings, verdict, tested: verification.cases(), failing, notes });
  const hide = hideCopies(variables.map((name) => process.env[name] ?? "").filter((value) => value !== ""));
  printLine(hide(writeReport(report, format, terminalStyle(process.stdout))));
  // For programs, only the report is on stdout.
  if (format !== "text")
    for (const line of [...verdict.causes, ...notes, verdictLine(verdict)]) printProgress(hide(line));
  process.exitCode = verdict.code;
}

/** Throws {@link UserError} for a wrong combination of options. */
function checkSource({ server = [], har, checks }: Values<typeof options>): void {
  if (har === undefined && server.length === 0) throw new UserError("give --server, or --har to read recorded traffic");
  if (har !== undefined && checks !== undefined) throw new UserError("--checks can't be combined with --har");
}

/** The results of calling operations. */
type CallResult = Awaited<ReturnType<typeof callOperations>>;

/** Adds the exchanges of calls, or of recorded traffic. Returns the results of calls. */
async function readExchanges(
  sources: readonly Required<VerifiedGeneration>[],
  operations: ReadonlySet<Operation>,
  given: Values<typeof options>,
  add: (exchange: Exchange, wrong?: WrongRequest) => void,
): Promise<CallResult | undefined> {
  const { har } = given;
  if (har === undefined) return callServers(sources, operations, given, add);
  for (const exchange of readHar(await readText(har), har)) add(exchange);
  return undefined;
}

/**
 * Why the run has no result, or only a part of one: refused credentials, checks that sent nothing, an early
 * end.
 */
function causesOf(result: CallResult | undefined, asked: string | undefined): readonly string[] {
  if (result === undefined) return [];
  const { refused, unsent, ended, isSilent } = result;
  const lines = refused.map((use) => {
    const variable = credentialVariable(use.generation, use.scheme);
    const isGiven = (process.env[variable] ?? "") !== "";
    return `Refused credentials: ${describeRefusedCredential(use, variable, isGiven)}`;
  });
  // `all` means all that apply.
  lines.push(...unsent.filter(({ isPossible }) => isPossible || asked !== "all").map(({ reason }) => reason));
  if (ended !== undefined) lines.push(`Ended early: ${ended}`);
  if (isSilent) lines.push("Check that the server runs, and its address in --server");
  return [...new Set(lines)];
}

/** The lasting changes of a run, and the checks that have nothing to send. */
function notesOf(result: CallResult | undefined, asked: string | undefined): readonly string[] {
  const { lasting = [], unsent = [] } = result ?? {};
  const lines = lasting.map((change) => `Finally, ${describeLastingChange(change)}`);
  if (asked === "all") lines.push(...unsent.filter(({ isPossible }) => !isPossible).map(({ reason }) => reason));
  return [...new Set(lines)];
}

/** Calls operations, after listing the planned changes. */
async function callServers(
  sources: readonly Required<VerifiedGeneration>[],
  operations: ReadonlySet<Operation>,
  options: Values<typeof callingOptions>,
  onExchange: (exchange: Exchange, wrong?: WrongRequest) => void,
) {
  const { values: file, "allow-changes": allowsChanges = false } = options;
  const { "allow-lasting-changes": allowsLastingChanges = false, "allow-deletes": allowsDeletes = false } = options;
  if ((allowsLastingChanges || allowsDeletes) && !allowsChanges)
    throw new UserError("--allow-lasting-changes and --allow-deletes need --allow-changes");
  const rate = readPositive("rate", options.rate);
  const checks = readChecks(options.checks);
  const values = file === undefined ? undefined : await readValues(file);
  const called = sources.flatMap(({ generation, server, credentials }) =>
    server === undefined ? [] : [{ generation, server, credentials }],
  );
  const permissions = { selected: operations, values, allowsChanges, allowsLastingChanges, allowsDeletes };
  const plan = planCalls(called, permissions);
  for (const { generation, server, credentials } of called) {
    const calls = plan.filter((one) => one.generation === generation && one.reason === undefined);
    const pace = `${countOf(calls.length, "operation")}, ${rate} requests per second`;
    printProgress(`${generation.name} at ${server}: ${pace}, ${describeSources(credentials)}`);
    for (const one of calls.filter(({ change }) => change !== undefined)) {
      const isDeleted = plan.some((other) => deletesCreated(other, one));
      printProgress(`  ${describePlannedChange(one, isDeleted)}`);
    }
  }
  const given = options.timeout === undefined ? undefined : readPositive("timeout", options.timeout);
  const { requests, seconds, limit } = estimateRun(plan, checks, rate, given);
  printProgress(`About ${countOf(requests, "request")} in ${seconds} s, with a time limit of ${limit} s\n`);
  const stopping = new AbortController();
  const stop = (reason: string) => {
    stopping.abort(new Error(reason));
  };
  void untilStopped().then(() => {
    stop("it was interrupted");
  });
  setTimeout(stop, limit * 1_000, `the time limit of ${limit} s was reached`).unref();
  const send = createSender({ rate, callTime: Math.min(10_000, limit * 100) });
  return callOperations(plan, { values, checks, send, stop: stopping.signal, onExchange });
}

/** Adds the source lines of findings, or of the nearest element around them. */
async function locateFindings(findings: readonly Finding[]): Promise<readonly LocatedFinding[]> {
  const { createSourceLocator } = await import("./redocly/sourceFiles.ts");
  const sources = await listGenerations(resolve("redocly.yaml"));
  const locators = new Map(sources.map(({ name, root }) => [name, createSourceLocator(resolve(root))]));
  const locate = <T extends Pick<Finding, "generation" | "place">>(one: T) => ({
    ...one,
    ...locators.get(one.generation)?.(one.place),
  });
  return findings.map((finding) => ({ ...locate(finding), operations: finding.operations.map(locate) }));
}

function selectOperations(generations: readonly Generation[], ids?: readonly string[]): ReadonlySet<Operation> {
  const all = generations.flatMap(({ operations }) => operations);
  const unknown = ids?.find((id) => !all.some(({ operationId }) => operationId === id));
  const names = listInWords(
    generations.map(({ name }) => name),
    "disjunction",
  );
  if (unknown !== undefined) {
    const known = all.flatMap(({ operationId = [] }) => operationId);
    throw new UserError(`no operation of ${names} has the operationId "${unknown}": ${suggestNames(unknown, known)}`);
  }
  return new Set(all.filter(({ operationId = "" }) => ids?.includes(operationId) ?? true));
}

/** Reads `--require`: `80%`, or `80`. */
function readPercent(text = "0"): number {
  const digits = /^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1];
  if (digits !== undefined && Number(digits) <= 100) return Number(digits);
  throw new UserError(`--require must be a percentage from 0% to 100%, not "${text}"`);
}

/** Reads `--checks`. */
function readChecks(text: string | undefined): ReadonlySet<RequestCheck> {
  const names = readChoices("checks", text, ["all", ...checkNames]);
  return new Set(checkNames.filter((name) => names.includes("all") || names.includes(name)));
}

function readPositive(option: string, text: string): number {
  if (Number(text) >= 0.001 && Number(text) < 1e6) return Number(text);
  throw new UserError(`--${option} must be a number from 0.001 to 999999, not "${text}"`);
}

async function readValues(file: string): Promise<unknown> {
  const values = await readYaml(file);
  if (!isObject(values)) throw new UserError(`${file} must contain values by name`);
  for (const unused of unusedValues(values, built))
    throw new UserError(`${file}: no parameter, operationId or generation is called ${unused}`);
  for (const rounded of roundedValues(values))
    throw new UserError(`${file}: ${rounded} is beyond 2^53, and would be rounded. Write it in quotes`);
  return values;
}
