import { loadSite } from "../../scripts/docs/site/siteServer.ts";
import { serveHttp, type HttpServer } from "../fixtures/serveHttp.ts";

/** Serves a folder with the site on a free port, without a mock beside it. */
export async function serveSite(folder: string): Promise<HttpServer> {
  const serve = loadSite({ folder });
  const served = await serveHttp((request, response) => {
    void serve(request, response);
  });
  // After a pause longer than the timeout, a client would send its next request on a closing connection.
  served.server.keepAliveTimeout = 0;
  return served;
}
