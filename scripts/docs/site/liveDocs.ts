import type { ServerResponse } from "node:http";
import { bundleScript } from "./assets.ts";
import { loadSite, type SiteHandler } from "./siteServer.ts";
import { isUpToDate, type WriteOptions } from "./siteStamp.ts";

const scriptPath = "/-/docs/follow.js";
const statePath = "/-/docs/state";

/**
 * Docs that are rendered into a folder again and again. Pages that are open load themselves again each time, and show why
 * the docs could not be rendered; they learn it from server-sent events (HTML, section 9.2), which only pages of the same
 * origin can read. Requests that come before the docs are rendered first wait for them.
 */
export async function createLiveDocs(folder: string) {
  const script = await bundleScript("followDocs.ts");
  const readers = new Set<ServerResponse>();
  const begin = Date.now();
  const first = Promise.withResolvers<SiteHandler>();
  let site = first.promise;
  let count = 0;
  let problem = "";
  // After a restart, the number differs too.
  const send = (reader: ServerResponse) =>
    reader.write(`data: ${JSON.stringify({ build: `${begin}-${count}`, problem })}\n\n`);
  const handle: SiteHandler = async (request, response) => {
    const { method, url = "" } = request;
    const path = method === "GET" ? url.replace(/\?.*/, "") : "";
    if (path === scriptPath) {
      const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };
      response.writeHead(200, headers).end(script);
    } else if (path === statePath) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.once("close", () => readers.delete(response));
      readers.add(response);
      send(response);
    } else return (await site)(request, response);
    return true;
  };
  return {
    handle,
    /** Renders the docs if they are out of date. Resolves to `true` if they were. */
    render: async (options: Pick<WriteOptions, "generations" | "mockUrl">): Promise<boolean> => {
      const isStale = !(await isUpToDate({ ...options, folder }));
      if (isStale) {
        const { writeSite } = await import("./writeSite.ts");
        await writeSite({ ...options, folder });
      }
      if (isStale || count === 0) {
        const { generations } = options;
        const handler = loadSite({ generations, folder, head: `<script src="${scriptPath}" defer></script>` });
        first.resolve(handler);
        site = Promise.resolve(handler);
        count += 1;
        problem = "";
        readers.forEach(send);
      }
      return isStale;
    },
    /** Shows a problem on open pages; an empty text takes an earlier one away. */
    show: (text: string) => {
      problem = text;
      readers.forEach(send);
      // Whoever asks for the docs gets no answer yet, but the mock's users do.
      if (text !== "") first.resolve(() => Promise.resolve(false));
    },
    [Symbol.dispose]: () => {
      for (const reader of readers) reader.end();
    },
  };
}
