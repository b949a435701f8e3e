import ajv from "@redocly/ajv/dist/core.js";
import { readPattern } from "../spec/patterns.ts";

/**
 * Makes Redocly's checks of examples compare texts with patterns as ours do. Otherwise, lint never ends if JavaScript
 * takes exponential time for an example. Redocly (2.64) has no option for that, but adds formats to each validator.
 */
export function limitRedocly(): void {
  const { prototype } = ajv.default;
  // oxlint-disable-next-line typescript/unbound-method -- It's called with its validator.
  const { addFormat } = prototype;
  prototype.addFormat = function (...args) {
    this.opts.code.regExp = limitedExpression;
    return addFormat.apply(this, args);
  };
}

const limitedExpression = Object.assign(
  (source: string) => {
    const pattern = readPattern(source);
    if (pattern === undefined) throw new SyntaxError(`${JSON.stringify(source)} is not a regular expression`);
    // The validator keeps expressions by their texts.
    return { test: (text: string) => pattern.test(text), toString: () => `/${source}/` };
  },
  { code: "new RegExp" },
);
