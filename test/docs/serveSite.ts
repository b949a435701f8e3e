import { once } from "node:events";
import { createServer } from "node:http";
import { loadSite } from "../../scripts/docs/site/siteServer.ts";

export interface ServedSite extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
}

/** Serves a folder with the site on a free port, without a mock beside it. */
export async function serveSite(folder: string): Promise<ServedSite> {
  const serve = loadSite({ folder });
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  // Whoever is busy for longer than a timeout would send the next request on a connection that is just being closed.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
