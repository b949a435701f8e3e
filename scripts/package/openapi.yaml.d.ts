/** What comes of importing YAML depends on who loads it: a text, an address or a document. */
declare const description: unknown;
export default description;
