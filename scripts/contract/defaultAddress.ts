/** Where commands listen unless told otherwise. The contract's servers, the guides and the READMEs name the same address. */
export const defaultHost = "127.0.0.1";
export const defaultPort = 4010;
export const defaultMockUrl = `http://${defaultHost}:${defaultPort}`;
