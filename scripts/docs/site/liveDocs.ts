import { bundleScript, stylesExpression } from "./assets.ts";
import { loadSite, onlyHere, type SiteHandler } from "./siteServer.ts";
import { isUpToDate, type WriteOptions } from "./siteStamp.ts";

const scriptPath = "/-/docs/follow.js";
const statePath = "/-/docs/state";

/**
 * Docs that are rendered into a folder repeatedly. Open pages poll their state. They reload after each
 * rendering, and show a problem while there is one, with the addresses that `linksIn` finds for places in it. Requests before
 * the first rendering wait for it.
 */
export async function createLiveDocs(folder: string, linksIn: (text: string) => Readonly<Record<string, string>>) {
  const define = { noticeStyles: await stylesExpression("follow-docs.css") };
  const script = await bundleScript("followDocs.ts", { define });
  const first = Promise.withResolvers<SiteHandler>();
  let site = first.promise;
  let isRendered = false;
  // The number changes after a restart, too.
  const state = { build: Date.now(), problem: "", since: 0, links: {} };
  const handle: SiteHandler = async (request, response) => {
    const path = request.url?.split("?")[0];
    if (request.method !== "GET" || (path !== scriptPath && path !== statePath)) return (await site)(request, response);
    const mediaType = path === scriptPath ? "text/javascript" : "application/json";
    const headers = { ...onlyHere, "content-type": `${mediaType}; charset=utf-8`, "cache-control": "no-store" };
    response.writeHead(200, headers);
    response.end(path === scriptPath ? script : JSON.stringify(state));
    return true;
  };
  return {
    handle,
    /** Renders the docs if they are outdated. Resolves to `true` if they were. */
    render: async (options: Pick<WriteOptions, "generations" | "mockUrl">): Promise<boolean> => {
      const isStale = !(await isUpToDate({ ...options, folder }));
      if (isStale) {
        const { writeSite } = await import("./writeSite.ts");
        await writeSite({ ...options, folder });
      }
      if (isStale || !isRendered) {
        const { generations } = options;
        const build = state.build + 1;
        const head = `<script src="${scriptPath}" data-build="${build}" defer></script>`;
        const handler = loadSite({ generations, folder, head });
        first.resolve(handler);
        site = Promise.resolve(handler);
        isRendered = true;
        state.build = build;
      }
      return isStale;
    },
    /** Shows a problem on open pages, even if they have closed the same one. An empty text removes it. */
    show: (text: string) => {
      Object.assign(state, { problem: text, since: Date.now(), links: linksIn(text) });
      // Requests for the docs no longer wait for the first rendering, which may never come.
      if (text !== "") first.resolve(() => Promise.resolve(false));
    },
  };
}
