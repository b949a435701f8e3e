/**
 * The documents of the package's bundles, by generation. This module is empty: packaging replaces it with the
 * documents.
 */
export const packagedDocuments: Readonly<Record<string, unknown>> = {};
