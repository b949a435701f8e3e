/** What `redocly diff` gives to a rule: `getDirections` has those in which a value of the place travels, if any. */
interface Context {
  readonly report: (problem: { readonly message: string }) => void;
  readonly getDirections: () => readonly string[];
}

/** The plugin with the one rule that `redocly diff` needs of us: it reports what only rules can ask for. */
export default function house() {
  const any = (_: unknown, { report, getDirections }: Context) => {
    report({ message: getDirections().join(" ") });
  };
  return { id: "house", diff: { oas3: { directions: () => ({ any }) } } };
}
