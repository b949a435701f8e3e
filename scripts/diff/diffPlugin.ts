import type { Plugin } from "@redocly/openapi-core";

/** A rule of `redocly diff`: it is called for each change. */
type DiffRule = () => {
  readonly any: (
    change: unknown,
    context: {
      readonly report: (problem: { readonly message: string }) => void;
      /** The directions in which a value of the place travels; none outside of requests and responses. */
      readonly getDirections: () => readonly string[];
    },
  ) => void;
};

/** The one rule that `redocly diff` needs of us: its report leaves out what only rules can ask for. */
const directions: DiffRule = () => ({
  any(_, { report, getDirections }) {
    report({ message: getDirections().join(" ") });
  },
});

export default function house(): Plugin & { readonly diff: object } {
  return { id: "house", diff: { oas3: { directions } } };
}
