/**
 * The documents of the bundles in the package, by the names of their generations. Here are none: they take the place of this
 * module when the package is bundled.
 */
export const packagedDocuments: Readonly<Record<string, unknown>> = {};
