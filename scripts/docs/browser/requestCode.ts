import { samplesOfRequest } from "../../samples/samples.ts";
import type { SampleOptions, SampleRequest } from "../../samples/writeRequest.ts";
import { requestSamples } from "../parts/requestSamples.ts";
import { element, fromTemplate } from "./elements.ts";
import { markLanguages } from "./languages.ts";

/** A request as code in several languages. What shows it returns the code, which tells a request from others. */
export function requestCode(name: string, options: SampleOptions) {
  const code = element("div");
  return {
    element: code,
    show: (request: SampleRequest | undefined) => {
      const samples = request && requestSamples(name, samplesOfRequest(request, options));
      code.replaceChildren(samples ? fromTemplate(samples) : "Something is missing from the request.");
      markLanguages(code);
      return samples?.toString() ?? "";
    },
  };
}
