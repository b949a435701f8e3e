import { curlCommand } from "../../samples/curlCommand.ts";
import { writeRequest, type SampleRequest } from "../../samples/writeRequest.ts";
import { typeScriptSample } from "../../samples/typeScriptSample.ts";
import type { TryItData } from "../model/tryItData.ts";
import { button, element } from "./elements.ts";

/** The request as a command line and as a program. */
export function requestCode({ options }: TryItData) {
  const [curl, typeScript] = [element("code"), element("code")];
  const figure = (label: string, code: HTMLElement) =>
    element(
      "figure",
      {},
      element("figcaption", {}, label, button("Copy", { "data-copy-code": true })),
      element("pre", { tabindex: "0", role: "region", "aria-label": `This request in ${label}` }, code),
    );
  return {
    element: element(
      "section",
      { class: "request-code", "aria-label": "This request as code" },
      ...[element("h3", {}, "This request as code"), figure("curl", curl), figure("TypeScript", typeScript)],
    ),
    show: (request: SampleRequest | undefined) => {
      const missing = "Something is missing from the request.";
      curl.textContent = request ? curlCommand(writeRequest(request)) : missing;
      typeScript.textContent = request ? typeScriptSample(request, options) : missing;
    },
  };
}
