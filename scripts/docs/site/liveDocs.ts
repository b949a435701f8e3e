import { bundleScript } from "./assets.ts";
import { loadSite, type SiteHandler } from "./siteServer.ts";
import { isUpToDate, type WriteOptions } from "./siteStamp.ts";

const scriptPath = "/-/docs/follow.js";
const statePath = "/-/docs/state";

/**
 * Docs that are rendered into a folder repeatedly. Open pages poll their state. They reload after each
 * rendering, and show the reason if it failed. Requests before the first rendering wait for it.
 */
export async function createLiveDocs(folder: string) {
  const script = await bundleScript("followDocs.ts");
  const first = Promise.withResolvers<SiteHandler>();
  let site = first.promise;
  let isRendered = false;
  // The number changes after a restart, too.
  const state = { build: Date.now(), problem: "" };
  const handle: SiteHandler = async (request, response) => {
    const path = request.url?.split("?")[0];
    if (request.method !== "GET" || (path !== scriptPath && path !== statePath)) return (await site)(request, response);
    const mediaType = path === scriptPath ? "text/javascript" : "application/json";
    response.writeHead(200, { "content-type": `${mediaType}; charset=utf-8`, "cache-control": "no-store" });
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
        const handler = loadSite({ generations, folder, head: `<script src="${scriptPath}" defer></script>` });
        first.resolve(handler);
        site = Promise.resolve(handler);
        isRendered = true;
        Object.assign(state, { build: state.build + 1, problem: "" });
      }
      return isStale;
    },
    /** Shows a problem on open pages. An empty text removes it. */
    show: (text: string) => {
      state.problem = text;
      // Requests for the docs wait, but requests to the mock don't.
      if (text !== "") first.resolve(() => Promise.resolve(false));
    },
  };
}
