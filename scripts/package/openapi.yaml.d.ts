/** The result of importing YAML depends on the loader: a text, an address or a document. */
declare const description: unknown;
export default description;
