import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { Generation, Operation } from "./contract/generation.ts";
import type { VerifiedGeneration } from "./verify/checkExchange.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { Finding } from "./verify/gatherFindings.ts";
import type { Values } from "./command/commandLine.ts";
import type { LocatedFinding } from "./verify/formatFindings.ts";
import type { Observation } from "./verify/observation.ts";
import type { RequestCheck, WrongRequest } from "./verify/wrongRequests.ts";

enableCompileCache();
const { listGenerations, readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { listen, printLine, printProgress, readServers, runCommand, serversOption, untilStopped } =
  await import("./command/commandLine.ts");
const { readNamedFile, readYaml } = await import("./command/files.ts");
const { selectByName } = await import("./contract/generation.ts");
const { credentialVariable, credentialVariables, readCredentials } = await import("./contract/security.ts");
const { defaultHost, defaultMockUrl } = await import("./contract/defaultAddress.ts");
const { UserError } = await import("./contract/failures.ts");
const { countOf } = await import("./contract/text.ts");
const { isObject } = await import("./spec/json.ts");
const { callOperations, estimateRun } = await import("./verify/callOperations.ts");
const { describeLastingChange, describePlannedChange, describeRefusedCredential } =
  await import("./verify/describeCalls.ts");
const { describeShares, percentOf } = await import("./verify/coverage.ts");
const { createVerification } = await import("./verify/findings.ts");
const { findingFormats, formatFindings } = await import("./verify/formatFindings.ts");
const { unusedValues } = await import("./verify/givenValues.ts");
const { readHarFile } = await import("./verify/har.ts");
const { checkHarFile } = await import("./verify/harFile.ts");
const { askedKinds, faultKinds } = await import("./verify/observation.ts");
const { deletesCreated, planCalls } = await import("./verify/planCalls.ts");
const { hideSecrets, secretsOf } = await import("./exchange/secrets.ts");
const { recordHar } = await import("./verify/recordHar.ts");
const { createSender } = await import("./verify/sender.ts");
const { isRequestCheck, requestChecks } = await import("./verify/wrongRequests.ts");

// For the help, too, which names the variables. If there are none, the command says why.
const built = await readBuiltGenerations().catch(() => []);
const variables = credentialVariables(built);
const checkNames = Object.keys(requestChecks).filter(isRequestCheck);

const callingOptions = {
  values: { type: "string", value: "FILE", description: "YAML or JSON with values of parameters by their names" },
  "allow-changes": { type: "boolean", description: "also change what this creates, or what --values names" },
  "allow-deletes": { type: "boolean", description: "also delete what --values names" },
  checks: {
    type: "string",
    value: "NAME,NAME",
    description: "also send wrong requests, which the server has to refuse: all, or some of those above",
  },
  rate: { type: "string", value: "N", default: "5", description: "requests a second" },
  timeout: {
    type: "string",
    value: "SECONDS",
    description: "for all (default: 300, or twice what the rate needs); each request has a tenth of it",
  },
} as const;

await runCommand({
  name: "npm run verify",
  errorCode: 2,
  summary:
    "Checks a server, or recorded traffic, against the contract, as last built.\n\n" +
    "Only GET requests are sent, unless you allow others; --proxy passes on everything. Credentials come from the " +
    "environment:\n" +
    `${variables.map((name) => `  ${name}`).join("\n")}\n` +
    "Without any, the contract's example credentials are sent, if the server is on this machine.\n\n" +
    "With --checks, wrong requests are sent, too. Where they would change something, they need --allow-changes, and are only\n" +
    "about what the run has created. Without it, no request is wrong, except that each GET is also sent without credentials:\n" +
    `${checkNames.map((name) => `  ${name.padEnd(13)}${requestChecks[name]}`).join("\n")}\n\n` +
    "Exit code: 1 if something contradicts the contract, if the server failed (5xx), or if a finding has a kind that\n" +
    "--fail-on names. Otherwise 2 if it can't tell: if no operation succeeded, or all that came were empty lists; if it ended\n" +
    "early; or if credentials were refused, which means that calls with them were answered with 401 or 403, and none that\n" +
    "requires them succeeded. Otherwise 0.",
  options: {
    server: serversOption,
    har: {
      type: "string",
      value: "FILE",
      description: "read recorded traffic (HTTP Archive, .har or .har.zip): with --server, what went there",
    },
    proxy: { type: "boolean", description: "pass requests on to the server, and verify them, until Ctrl-C" },
    port: { type: "string", value: "PORT", default: "0", description: "the proxy's port; 0 picks a free one" },
    "har-out": {
      ...{ type: "string", value: "FILE", default: "traffic.har" },
      description: "where the proxy's traffic is at the end, with secrets masked, unless something else is there",
    },
    force: { type: "boolean", description: "let the proxy replace any file with its traffic" },
    generation: { type: "string", value: "NAME", description: "verify only this generation" },
    operation: { type: "string", multiple: true, value: "ID", description: "verify only this operationId" },
    ...callingOptions,
    "fail-on": {
      ...{ type: "string", value: "KIND,KIND" },
      description: `also fail with findings of these kinds: ${askedKinds.join(", ")}`,
    },
    "max-time": { type: "string", value: "MS", description: "doubt responses that take longer, in milliseconds" },
    require: {
      ...{ type: "string", value: "PERCENT" },
      description: "also fail unless so much was seen of operations, of listed statuses and of response fields",
    },
    format: { type: "string", value: "FORMAT", default: "text", description: `one of ${findingFormats.join(", ")}` },
  },
  examples: [
    `npm run verify -- --server ${defaultMockUrl}`,
    "npm run verify -- --server v1=https://one.example --server v2=https://two.example --format json",
    "npm run verify -- --har traffic.har --server https://api.example.com",
    `npm run verify -- --proxy --server ${defaultMockUrl} --port 4020`,
  ],
  run: async (options) => {
    const { server = [], har, proxy: isProxy = false } = options;
    const format = findingFormats.find((one) => one === options.format);
    if (format === undefined) throw new UserError(`--format must be one of ${findingFormats.join(", ")}`);
    if (har === undefined && server.length === 0)
      throw new UserError("give --server to call one or to pass requests on to, or --har to read traffic");
    if (isProxy && har !== undefined)
      throw new UserError("--har reads recorded traffic, and --proxy listens: give one");
    const failing = [...faultKinds, ...readKinds(options["fail-on"])];
    const required = readPercent(options.require);
    const generations = selectByName(await readBuiltGenerations(), options.generation);
    const operations = selectOperations(generations, options.operation);
    const servers = readServers(server, generations);
    const sources = generations
      .map((generation) => ({ generation, server: servers.get(generation.name) }))
      .filter((source) => server.length === 0 || source.server !== undefined);
    const maxTime = options["max-time"] === undefined ? undefined : readPositive("max-time", options["max-time"]);
    const verification = createVerification(sources, operations, har === undefined, maxTime);
    const isSent = har === undefined && !isProxy;
    if (!isSent && options.checks !== undefined)
      throw new UserError("--checks sends requests of its own: leave out --har and --proxy");
    const result = isSent ? await callServers(sources, operations, options, verification.add) : undefined;
    if (isProxy) await passOnTraffic(sources, options, verification.add);
    if (har !== undefined)
      for (const exchange of readHarFile(await readNamedFile(har), har)) verification.add(exchange);
    const findings = verification.findings(result?.reasons);
    const given = variables.map((name) => process.env[name] ?? "").filter((value) => value !== "");
    const hide = hideSecrets(given);
    printLine(hide(formatFindings(await locateFindings(findings), format, failing)));
    for (const line of result === undefined ? [] : outcomeOf(result)) printProgress(hide(line));
    const { ended, refused = [] } = result ?? {};
    const shares = verification.shares();
    printProgress(describeShares(shares));
    const missed = shares.filter((share) => percentOf(share) < required);
    for (const { noun } of missed)
      printProgress(
        `Seen too little: less than ${required}% of ${noun === "listed status" ? "listed statuses" : `${noun}s`}`,
      );
    const hasProof = verification.hasProof();
    if (!hasProof) printProgress("Can't tell: no operation succeeded, or all that came were empty lists");
    const isUncertain = ended !== undefined || refused.length > 0 || !hasProof;
    const isFailed = missed.length > 0 || findings.some(({ kind }) => failing.includes(kind));
    process.exitCode = isFailed ? 1 : isUncertain ? 2 : 0;
  },
});

/** What a run has left behind, and why it can tell nothing, in lines. */
function outcomeOf({ lasting, refused, ended }: Awaited<ReturnType<typeof callOperations>>): readonly string[] {
  const lines = lasting.map((change) => `At the end, ${describeLastingChange(change)}`);
  for (const use of refused) {
    const variable = credentialVariable(use.generation, use.scheme);
    const isGiven = (process.env[variable] ?? "") !== "";
    lines.push(`Refused credentials: ${describeRefusedCredential(use, variable, isGiven)}`);
  }
  if (ended !== undefined) lines.push(`Ended early: ${ended}`);
  return [...new Set(lines)];
}

/** Calls operations, and says before what it calls. */
async function callServers(
  sources: readonly VerifiedGeneration[],
  operations: ReadonlySet<Operation>,
  options: Values<typeof callingOptions>,
  onExchange: (exchange: Exchange, wrong?: WrongRequest) => void,
) {
  const { values: file, "allow-changes": allowsChanges = false, "allow-deletes": allowsDeletes = false } = options;
  const rate = readPositive("rate", options.rate);
  const checks = readChecks(options.checks);
  const values = file === undefined ? undefined : await readValues(file);
  const called = sources.flatMap(({ generation, server }) =>
    server === undefined ? [] : [{ generation, server, credentials: readCredentials(generation, server, process.env) }],
  );
  const plan = planCalls(called, { selected: operations, values, allowsChanges, allowsDeletes });
  for (const { generation, server } of called) {
    const calls = plan.filter((one) => one.generation === generation && one.reason === undefined);
    printProgress(`${generation.name} at ${server}: ${countOf(calls.length, "operation")}, ${rate} requests a second`);
    for (const one of calls.filter(({ change }) => change !== undefined)) {
      const isDeleted = plan.some((other) => deletesCreated(other, one));
      printProgress(`  ${describePlannedChange(one, isDeleted)}`);
    }
  }
  const given = options.timeout === undefined ? undefined : readPositive("timeout", options.timeout);
  const { requests, seconds, limit } = estimateRun(plan, checks, rate, given);
  printProgress(`About ${countOf(requests, "request")}, in ${seconds} s; it ends after ${limit} s at the latest`);
  const stopping = new AbortController();
  const stop = (reason: string) => {
    stopping.abort(new Error(reason));
  };
  void untilStopped().then(() => {
    stop("it was stopped");
  });
  setTimeout(stop, limit * 1_000, `the time of ${limit} s is over`).unref();
  const send = createSender({ rate, callTime: Math.min(10_000, limit * 100) });
  return callOperations(plan, { values, allowsDeletes, checks, send, stop: stopping.signal, onExchange });
}

/** Passes requests on until it is stopped, tells what each exchange says, and writes them all. */
async function passOnTraffic(
  sources: readonly VerifiedGeneration[],
  {
    port,
    "har-out": file,
    force = false,
  }: { readonly port: string; readonly "har-out": string; readonly force?: boolean },
  add: (exchange: Exchange) => readonly Observation[] | undefined,
): Promise<void> {
  const [server, ...others] = new Set(sources.flatMap((source) => source.server ?? []));
  if (server === undefined || others.length > 0) throw new UserError("--proxy needs one --server for all generations");
  const secrets = secretsOf(sources.map(({ generation }) => generation));
  const coming: Promise<void>[] = [];
  const har = { name: file, isForced: force };
  await checkHarFile(har);
  const recording = await recordHar(har, secrets);
  const tell = (exchange: Exchange) => {
    recording.add(exchange);
    const { method, url, response, failure = "" } = exchange;
    printProgress(`${method} ${secrets.maskUrl(url)} ${response?.status ?? failure}`);
    const told = add(exchange) ?? [];
    for (const { kind, message, received } of told.filter((one) => one.kind !== "evidence")) {
      printProgress(`  ${kind}: ${message}${received === undefined ? "" : `; received ${received}`}`);
    }
  };
  // Without a contract, it passes on everything.
  const onExchange = (exchange: Promise<Exchange>) => void coming.push(exchange.then(tell));
  const common = { generations: [], upstream: server, onExchange, bodyLimit: 2 ** 24 };
  const proxy = await listen({ ...common, host: defaultHost, port: Number(port) }).catch(async (error: unknown) => {
    await recording.discard();
    throw error;
  });
  printProgress(`Listening on ${proxy.url}, and passing requests on to ${server}, until Ctrl-C`);
  printProgress(`Recording to ${recording.aside}, which becomes ${file} at the end`);
  await untilStopped();
  await proxy.close();
  await Promise.all(coming);
  await recording.finish();
  printProgress(`Wrote ${countOf(coming.length, "exchange")} to ${file}`);
}

/** Adds the lines of the sources that findings are about, or what is around them there. */
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
  const names = generations.map(({ name }) => name).join(" or ");
  if (unknown !== undefined) throw new UserError(`no operation of ${names} has the operationId "${unknown}"`);
  return new Set(all.filter(({ operationId = "" }) => ids?.includes(operationId) ?? true));
}

/** Reads `--require`: `80%`, or `80`. */
function readPercent(text = "0"): number {
  const digits = /^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1];
  if (digits !== undefined && Number(digits) <= 100) return Number(digits);
  throw new UserError(`--require must be a percentage from 0% to 100%, not "${text}"`);
}

/** Reads `--fail-on`. */
function readKinds(text: string | undefined): readonly Finding["kind"][] {
  const names = text === undefined ? [] : text.split(",").map((name) => name.trim());
  const kinds = askedKinds.filter((kind) => names.includes(kind));
  if (names.every((name) => kinds.some((kind) => kind === name))) return kinds;
  throw new UserError(`--fail-on must be one or more of ${askedKinds.join(", ")}, with commas between them`);
}

/** Reads `--checks`. */
function readChecks(text: string | undefined): ReadonlySet<RequestCheck> {
  if (text === "all") return new Set(checkNames);
  const names = text === undefined ? [] : text.split(",").map((name) => name.trim());
  const checks = names.filter(isRequestCheck);
  if (checks.length === names.length) return new Set(checks);
  throw new UserError(`--checks must be all, or some of ${checkNames.join(", ")}, with commas between them`);
}

function readPositive(option: string, text: string): number {
  if (Number(text) >= 0.001 && Number(text) < 1e6) return Number(text);
  throw new UserError(`--${option} must be a number from 0.001 to 999999, not "${text}"`);
}

async function readValues(file: string): Promise<unknown> {
  const values = await readYaml(file);
  if (!isObject(values)) throw new UserError(`${file} has no values by their names`);
  for (const unused of unusedValues(values, built))
    throw new UserError(`${file}: no parameter, operationId or generation is called ${unused}`);
  return values;
}
