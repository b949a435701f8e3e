import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { Values } from "./command/commandLine.ts";
import type { Generation, Operation } from "./contract/generation.ts";
import type { LocatedFinding } from "./verify/findingReport.ts";
import type { Finding } from "./verify/gatherFindings.ts";
import type { VerifyTask } from "./verify/runVerification.ts";

enableCompileCache();
const { listGenerations, readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { printLine, printProgress, readChoice, readChoices, readServers, runCommand, serversOption, untilStopped } =
  await import("./command/commandLine.ts");
const { readText, readYaml } = await import("./command/files.ts");
const { terminalStyle } = await import("./command/terminal.ts");
const { selectByName } = await import("./contract/generation.ts");
const { credentialVariables, readCredentials } = await import("./contract/security.ts");
const { defaultMockUrl } = await import("./contract/defaultAddress.ts");
const { UserError } = await import("./contract/failures.ts");
const { readPermissions } = await import("./exchange/dataChanges.ts");
const { faultKinds } = await import("./exchange/observation.ts");
const { hideCopies } = await import("./exchange/secrets.ts");
const { writeReport } = await import("./report/writeReport.ts");
const { isObject, roundedValues } = await import("./values/json.ts");
const { suggestNames } = await import("./values/similarName.ts");
const { listInWords } = await import("./values/text.ts");
const { unusedValues } = await import("./verify/givenValues.ts");
const { readHar } = await import("./verify/har.ts");
const { runVerification } = await import("./verify/runVerification.ts");
const { askedKinds } = await import("./verify/findingReport.ts");
const { checkNames, requestChecks } = await import("./verify/wrongRequests.ts");

// The help lists the variables. If there are no generations, the command says why.
const built = await readBuiltGenerations().catch(() => []);
const variables = credentialVariables(built);
const formats = ["text", "markdown", "json", "junit"] as const;

const summary = [
  "Checks a server, or recorded traffic, against the contract, as last built.\n",
  "It sends only GET requests, unless you allow others. Credentials come from the",
  "environment:",
  ...variables.map((name) => `  ${name}`),
  "Without any, it sends the contract's example credentials to servers on this machine.\n",
  "With --checks, it also sends wrong requests, which the server must reject. If they",
  "could change something, they need --allow-changes, and use only resources of this run.",
  "Without --checks, the only wrong requests are GETs without credentials. The checks:",
  ...checkNames.map((name) => `  ${name.padEnd(13)}${requestChecks[name].sends}`),
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
  const task = await readTask(given);
  const tools = { tell: printProgress, whenStopped: untilStopped, locate: locateFindings };
  const { report, code } = await runVerification(task, tools);
  const hide = hideCopies(variables.map((name) => process.env[name] ?? "").filter((value) => value !== ""));
  printLine(hide(writeReport(report, format, terminalStyle(process.stdout))));
  const { causes, notes = [], verdict } = report;
  // For programs, only the report is on stdout.
  if (format !== "text")
    for (const line of [...(causes?.texts ?? []), ...notes, verdict?.heading ?? ""]) printProgress(hide(line));
  process.exitCode = code;
}

/** Reads the options. Throws {@link UserError} for wrong ones, and for a wrong combination. */
async function readTask(given: Values<typeof options>): Promise<VerifyTask> {
  const { server = [], har, checks, operation: ids, "max-time": maxTime } = given;
  if (har === undefined && server.length === 0) throw new UserError("give --server, or --har to read recorded traffic");
  if (har !== undefined && checks !== undefined) throw new UserError("--checks can't be combined with --har");
  const failing = [...faultKinds, ...readChoices("fail-on", given["fail-on"], askedKinds)];
  const required = readPercent(given.require);
  const generations = selectByName(await readBuiltGenerations(), given.generation);
  const servers = readServers(server, generations);
  const sources = generations
    .map((generation) => {
      const address = servers.get(generation.name);
      return { generation, server: address, credentials: readCredentials(generation, address, process.env) };
    })
    .filter((source) => server.length === 0 || source.server !== undefined);
  const verified = sources.map(({ generation }) => generation);
  const selected = selectOperations(verified, ids);
  return {
    ...{ sources, selected, failing, required },
    maxTime: maxTime === undefined ? undefined : readPositive("max-time", maxTime),
    traffic: har === undefined ? { calls: await readCalls(given) } : { recorded: readHar(await readText(har), har) },
  };
}

/** Reads the options for calls. */
async function readCalls({ values: file, timeout, ...given }: Values<typeof options>) {
  const allowed = readPermissions(given);
  if (allowed.size > 0 && !allowed.has("allow-changes"))
    throw new UserError("--allow-lasting-changes and --allow-deletes need --allow-changes");
  const rate = readPositive("rate", given.rate);
  const asked = readChoices("checks", given.checks, ["all", ...checkNames]);
  const checks = new Set(checkNames.filter((name) => asked.includes("all") || asked.includes(name)));
  return {
    ...{ allowed, checks, rate },
    // `all` means all that apply.
    expected: given.checks === "all" ? new Set<never>() : checks,
    values: file === undefined ? undefined : await readValues(file),
    limit: timeout === undefined ? undefined : readPositive("timeout", timeout),
  };
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
