import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../test/fixtures/freePort.ts";
import { writeBundle } from "../../test/fixtures/writeBundle.ts";
import { UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import type { ExampleRequest } from "../samples/exampleRequest.ts";
import { runProgram, startNode, temporaryFolder } from "./programs.ts";

/** A server that Node runs. */
export interface Contender {
  readonly name: string;
  /** The arguments for Node. `folder` is made by {@link writeGenerations}. */
  readonly args: (folder: string, port: number) => readonly string[];
  /** The folder itself by default. */
  readonly cwd?: string;
  readonly environment?: (folder: string) => NodeJS.ProcessEnv;
}

const prism = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");

export const stock: Contender = {
  name: "prism mock",
  args: (folder, port) => [prism, "mock", join(folder, "openapi.json"), "-p", String(port), "-v", "silent"],
};

/** The mock of this project. Its compiled code is kept in the folder. */
export function ownMock(options: readonly string[], nodeOptions: readonly string[] = []): Contender {
  return {
    name: "npm run mock",
    args: (_, port) => [...nodeOptions, resolve("scripts/mock.ts"), "--port", String(port), ...options],
    environment: (folder) => ({ NODE_COMPILE_CACHE: join(folder, "cache") }),
  };
}

/** Reads a request's body, and sends the same JSON each time, by the method. */
export function bareServer(answers: Readonly<Record<string, string>>): Contender {
  const program = `
    const answers = ${JSON.stringify(answers)};
    for (const method in answers) answers[method] = Buffer.from(answers[method]);
    require("node:http").createServer((request, response) => {
      const body = answers[request.method];
      request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(body));
    }).listen(Number(process.argv[1]), "127.0.0.1");`;
  return { name: "node:http", args: (_, port) => ["-e", program, String(port)] };
}

/** Writes what a build would into a temporary folder, and the first document alone for those that take only one. */
export async function writeGenerations(generations: readonly Generation[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const { name, document } of generations) await writeBundle(folder, name, document);
  await writeFile(join(folder, "openapi.json"), JSON.stringify(generations[0]?.document));
  return folder;
}

/** Starts a server, and asks it until it answers. */
export async function startServer(contender: Contender, folder: string, request: ExampleRequest, givenPort?: number) {
  const { name, args, cwd = folder, environment } = contender;
  const { method, target, headers } = request;
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const port = givenPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const begin = performance.now();
  const child = startNode(args(folder, port), cwd, environment?.(folder));
  const exit = once(child, "exit");
  let response: Response | undefined;
  while (response === undefined) {
    if (child.exitCode !== null) throw new UserError(`${name} did not start`);
    response = await fetch(url + target, { method, headers, ...body }).catch(() => wait(5, undefined));
  }
  await response.arrayBuffer();
  if (!response.ok) throw new UserError(`${name} answers ${response.status} to ${method} ${target}`);
  return {
    url,
    /** From the start of the process, in milliseconds. */
    firstAnswer: performance.now() - begin,
    /** The resident memory, in megabytes. */
    memory: async () => Number(await runProgram("ps", ["-o", "rss=", "-p", String(child.pid)], folder)) / 1024,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exit;
    },
  };
}
