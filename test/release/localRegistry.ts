import { randomUUID } from "node:crypto";
import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { json } from "node:stream/consumers";
import { isObject, membersOf, stringOf, valueAt } from "../../scripts/values/json.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { runIn } from "../package/project.ts";

/** What npm sends to publish a version: its packument, with the tarball. */
type Packument = Readonly<Record<string, unknown>>;

/** A registry of npm packages on this machine, as much as publishing, staging and installing need. */
export interface LocalRegistry extends AsyncDisposable {
  /** The environment in which npm uses it, and keeps nothing that it downloads from there. */
  readonly env: Readonly<Record<string, string>>;
  /** The versions of a package that can be installed. */
  readonly versionsOf: (name: string) => readonly string[];
}

/** Starts a registry that has some of the installed packages. */
export async function startRegistry(folder: string, installed: readonly string[]): Promise<LocalRegistry> {
  const published = new Map<string, Packument[]>();
  const staged = new Map<string, Packument>();
  const publish = (name: string, packument: Packument) =>
    published.set(name, [...(published.get(name) ?? []), packument]);
  for (const name of installed) publish(name, await packInstalled(name));

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const target = decodeURIComponent(request.url ?? "").slice(1);
    const [, stagedName] = /^-\/stage\/package\/(.+)$/.exec(target) ?? [];
    const [, approved] = /^-\/stage\/([^/]+)\/approve$/.exec(target) ?? [];
    const [, name = target, file] = /^(.+?)\/-\/([^/]+)$/.exec(target) ?? [];
    const end = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (stagedName !== undefined && published.has(stagedName)) {
      const stageId = randomUUID();
      staged.set(stageId, readPackument(await json(request)));
      end(201, { stageId });
    } else if (approved !== undefined && staged.has(approved)) {
      const packument = staged.get(approved) ?? {};
      publish(String(packument["name"]), packument);
      end(200, {});
    } else if (request.method === "PUT") {
      publish(name, readPackument(await json(request)));
      end(201, {});
    } else if (!published.has(name)) {
      end(404, { error: "not found" });
    } else if (file === undefined) {
      end(200, mergePackuments(published.get(name) ?? [], `http://${request.headers.host ?? ""}`));
    } else {
      const data = published.get(name)?.map((one) => stringOf(valueAt(one, ["_attachments", file, "data"])));
      response.end(Buffer.from(data?.find((one) => one !== undefined) ?? "", "base64"));
    }
  };
  const served = await serveHttp((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const configuration = join(folder, "npmrc");
  await writeFile(configuration, `//${new URL(served.url).host}/:_authToken=none\n`);
  return {
    env: {
      npm_config_registry: served.url,
      npm_config_userconfig: configuration,
      npm_config_cache: join(folder, "npm-cache"),
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
    },
    versionsOf: (name) =>
      (published.get(name) ?? []).flatMap(({ versions }) => membersOf(versions).map(([key]) => key)),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

/** One packument for all versions of a package, which is what npm asks for. */
function mergePackuments(packuments: readonly Packument[], url: string): Packument {
  const versions = packuments.flatMap((packument) =>
    membersOf(packument["versions"]).map(([version, manifest]) => {
      const [file = ""] = membersOf(packument["_attachments"]).map(([key]) => key);
      const dist = Object.fromEntries(membersOf(valueAt(manifest, ["dist"])));
      const tarball = `${url}/${String(packument["name"])}/-/${file}`;
      return [version, { ...(isObject(manifest) && manifest), dist: { ...dist, tarball } }] as const;
    }),
  );
  const [latest] = versions.at(-1) ?? [];
  return { name: packuments[0]?.["name"], "dist-tags": { latest }, versions: Object.fromEntries(versions) };
}

async function packInstalled(name: string): Promise<Packument> {
  await using packed = await mkdtempDisposable(join(tmpdir(), "packed-"));
  const folder = resolve("node_modules", name);
  await runIn(packed.path, "npm", ["pack", folder, "--ignore-scripts", "--silent"]);
  const [file = ""] = await readdir(packed.path);
  const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const data = await readFile(join(packed.path, file), "base64");
  const version = String(valueAt(manifest, ["version"]));
  return { name, versions: { [version]: manifest }, _attachments: { [file]: { data } } };
}

function readPackument(body: unknown): Packument {
  if (!isObject(body)) throw new Error("npm sent no packument");
  return body;
}
