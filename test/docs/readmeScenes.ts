import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { printLine } from "../../scripts/command/commandLine.ts";
import { launchBrowser } from "../launchBrowser.ts";
import { defaultMockUrl } from "../../scripts/contract/defaultAddress.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import { bundleScript } from "../../scripts/docs/site/assets.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { html } from "../../scripts/values/html.ts";
import { type MockServer, startServer } from "../../scripts/mock/server/server.ts";
import { objectsOf, parseJson } from "../../scripts/values/json.ts";
import { newestCompiler } from "../package/project.ts";
import { findOldPictures, type Picture, showAll, takePictures } from "./readmePictures.ts";

/** Tells which of the README's pictures are old, by throwing a {@link UserError}, or takes all of them. */
export async function showReadme(
  site: string,
  docsPage: string,
  generations: readonly Generation[],
  check: boolean,
): Promise<void> {
  await using mock = await startServer({ generations, port: 0 });
  const all = [
    await showDocs(site, docsPage),
    await showMock(mock),
    await showVerify(site, generations),
    await showClient(site),
  ];
  if (check) {
    const old = await findOldPictures(all);
    const advice = "run npm run docs:screenshots -- --readme";
    if (old.length > 0) throw new UserError(`these pictures of the README are old: ${old.join(", ")}; ${advice}`);
    return;
  }
  await using browser = await launchBrowser();
  for (const path of await takePictures(browser, all)) printLine(path);
}

/** A page of the docs. It names its styles, scripts and font by their digests, so its text tells all that it shows. */
async function showDocs(site: string, page: string): Promise<Picture> {
  const file = join(site, page);
  const source = await readFile(file, "utf8");
  return {
    name: "docs",
    url: pathToFileURL(file).href,
    source,
    width: 1440,
    prepare: (shown) => shown.evaluate(showAll),
  };
}

/** The mock's page, after a change, a fault and a request that it rejects, which is open. */
async function showMock({ url }: MockServer): Promise<Picture> {
  const send = createSender(url);
  const team = "/v2/organizations/42/teams/7";
  await send("PUT", "/-/mock/overrides", [{ operation: "listOrganizationSchedules", respond: { example: "none" } }]);
  await send("PUT", "/-/mock/faults", [{ operation: "deleteTeam", status: 503, times: 1 }]);
  await send("GET", team);
  await send("PATCH", `${team}/memberships/88`, { accepted: true });
  await send("PATCH", `${team}/memberships/89`, { accepted: "yes", role: "OWNER", disableImpersonation: 0 });
  await send("GET", "/v2/organizations/42/schedules?take=10");
  await send("DELETE", "/v2/teams/7");
  const requests = objectsOf(await (await send("GET", "/-/mock/requests")).json());
  const shown = requests.map(({ method, target, status, reason, note }) => [method, target, status, reason, note]);
  const files = ["mock/server/page.html", "mock/server/page.css", "docs/site/base.css"];
  const texts = await Promise.all(files.map((file) => readFile(`scripts/${file}`, "utf8")));
  const source = [JSON.stringify(shown), await bundleScript("mockPage/mockPage.ts"), ...texts].join("\n");
  return {
    name: "mock",
    url: `${url}/-/mock/`,
    source,
    width: 960,
    prepare: (page) => page.locator("#requests summary", { hasText: "422" }).click(),
  };
}

/** What `npm run verify` prints about a server with a wrong type and an unlisted property. */
async function showVerify(folder: string, generations: readonly Generation[]): Promise<Picture> {
  await using server = await startServer({ generations, port: 0 });
  const send = createSender(server.url);
  const operation = "getOrganizationTeam";
  const team = await (await send("GET", "/v2/organizations/42/teams/7")).text();
  const body = parseJson(team.replace('"id":7', '"id":"7","color":"teal"'));
  await send("PUT", "/-/mock/overrides", [{ operation, respond: { body, unchecked: true } }]);
  const options = ["--server", server.url, "--operation", operation];
  const output = await run(["scripts/verify.ts", ...options, "--rate", "100"]);
  const command = `npm run verify -- ${options.join(" ")}`;
  return await showTerminal(folder, "verify", `$ ${command}\n${output}`.replaceAll(server.url, defaultMockUrl));
}

/** What the compiler says about a call of the client that the contract doesn't allow. */
async function showClient(folder: string): Promise<Picture> {
  const own = resolve(folder, "../client");
  await mkdir(own, { recursive: true });
  const code = `import { createClient } from "scheduling-service-api/v2";

const client = createClient({ baseUrl: "${defaultMockUrl}", auth: { apiKey: "svc_example_key" } });

const { data } = await client.GET("/v2/organizations/{orgId}/teams/{teamId}", {
  params: { path: { orgId: 42, teamId: "seven" } },
});
console.log(data?.data.title);
`;
  await writeFile(join(own, "call.mts"), code);
  const paths = { "scheduling-service-api/*": [`./${relative(own, "generated")}/*/client.ts`] };
  const compilerOptions = { paths, typeRoots: [resolve("node_modules/@types")] };
  const config = { extends: resolve("tsconfig.json"), compilerOptions, include: ["*.mts"], exclude: [] };
  await writeFile(join(own, "tsconfig.json"), JSON.stringify(config));
  const output = await run([...newestCompiler, "--project", "."], own);
  return showTerminal(folder, "client", `$ cat call.mts\n${code}\n$ npx tsc\n${output}`);
}

function createSender(url: string) {
  const headers = { authorization: "Bearer svc_example_key", "content-type": "application/json" };
  return (method: string, path: string, body?: unknown) =>
    fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** Runs a program of this project with Node.js, whatever its exit code. Resolves to its output, without its progress. */
function run(args: readonly string[], cwd = "."): Promise<string> {
  return new Promise((settle) => {
    execFile(process.execPath, args, { cwd }, (_, stdout) => {
      settle(stdout);
    });
  });
}

/** A page that looks like a terminal, with a text that a command has printed. */
async function showTerminal(folder: string, name: string, text: string): Promise<Picture> {
  const source = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${name}</title>
        <style>
          :root {
            color-scheme: light dark;
            background: light-dark(#fafaf8, #16181c);
            color: light-dark(#24262b, #dfe1e5);
          }
          pre {
            margin: 28px;
            font:
              14px/1.45 "DejaVu Sans Mono",
              Menlo,
              Consolas,
              monospace;
            white-space: pre-wrap;
          }
        </style>
      </head>
      <body>
        <pre>${text}</pre>
      </body>
    </html>`.toString();
  const file = resolve(folder, `../${name}.html`);
  await writeFile(file, source);
  return {
    name,
    url: pathToFileURL(file).href,
    source,
    width: 960,
    prepare: (page: Page) => page.locator("pre").waitFor(),
  };
}
