import { samplesOfRequest } from "../../samples/samples.ts";
import type { SampleOptions, SampleRequest } from "../../samples/serializeRequest.ts";
import { requestSamples } from "../parts/requestSamples.ts";
import { element, fromTemplate } from "./elements.ts";
import { markLanguages } from "./languages.ts";

/** A request as code in several languages. `show` returns the code, which identifies the request. */
export function requestCode(name: string, options: SampleOptions) {
  const code = element("div");
  return {
    element: code,
    show: (request: SampleRequest | undefined) => {
      const samples = request && requestSamples(name, samplesOfRequest(request, options));
      code.replaceChildren(samples ? fromTemplate(samples) : "The request is incomplete.");
      markLanguages(code);
      return samples?.toString() ?? "";
    },
  };
}
