import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { ExampleRequest } from "../samples/exampleRequest.ts";

export interface Contender {
  readonly name: string;
  /** The arguments for Node. `folder` has the document as openapi.json, and as the bundle that a build would make. */
  readonly args: (folder: string, port: number) => readonly string[];
  readonly environment: (folder: string) => NodeJS.ProcessEnv;
}

interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** From the start of the process to the first answer, in milliseconds. */
  readonly firstAnswer: number;
}

const prism = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");

export const stock: Contender = {
  name: "prism mock",
  args: (folder, port) => [prism, "mock", join(folder, "openapi.json"), "-p", String(port), "-v", "silent"],
  environment: () => process.env,
};

export const own: Contender = {
  name: "npm run mock",
  args: (_, port) => [resolve("scripts/mock.ts"), "--quiet", "--port", String(port)],
  environment: (folder) => ({ ...process.env, NODE_COMPILE_CACHE: join(folder, "cache") }),
};

export const logging: Contender = { ...own, args: (_, port) => [resolve("scripts/mock.ts"), "--port", String(port)] };

/** With a heap so small that garbage is collected early: otherwise V8 lets it grow, whatever is kept. */
export const confined: Contender = {
  ...own,
  args: (folder, port) => ["--max-semi-space-size=1", "--max-old-space-size=48", ...own.args(folder, port)],
};

/** Reads a request's body, and sends the same bytes each time. */
export function bareServer({ status, headers, body }: Answered): Contender {
  const program = `
    const { createServer } = require("node:http");
    const body = Buffer.from(${JSON.stringify(body)}, "base64");
    createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(${status}, ${JSON.stringify(headers)}).end(body));
    }).listen(Number(process.argv[1]), "127.0.0.1");`;
  return { name: "node:http", args: (_, port) => ["-e", program, String(port)], environment: () => process.env };
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In Base64. */
  readonly body: string;
}

/** Starts a server and asks it until it answers. */
export async function start(contender: Contender, folder: string, request: ExampleRequest): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const begin = performance.now();
  const child = spawn(process.execPath, contender.args(folder, port), {
    cwd: folder,
    env: contender.environment(folder),
    stdio: "ignore",
  });
  const exit = once(child, "exit");
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  for (;;) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`${contender.name} did not start`);
    const { method, headers, target } = request;
    const response = await fetch(`${url}${target}`, { method, headers, ...body }).catch(() => undefined);
    if (response === undefined) {
      await wait(5);
      continue;
    }
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${contender.name} answers ${response.status} to ${method} ${target}`);
    const firstAnswer = performance.now() - begin;
    return {
      pid: child.pid,
      url,
      firstAnswer,
      [Symbol.asyncDispose]: async () => {
        child.kill();
        await exit;
      },
    };
  }
}

/** For servers that cannot be asked to find one, such as `prism mock`. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}

export async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) / 1024;
}
