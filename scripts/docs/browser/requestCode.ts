import { curlCommand } from "../../samples/curlCommand.ts";
import { writeRequest, type SampleRequest } from "../../samples/writeRequest.ts";
import { typeScriptSample } from "../../samples/typeScriptSample.ts";
import type { TryItData } from "../model/tryItData.ts";
import { button, element } from "./elements.ts";

interface RequestCode {
  readonly element: HTMLElement;
  /** `undefined` if there is no request that could be sent. */
  readonly show: (request: SampleRequest | undefined) => void;
}

/** The request as a command line and as a program. */
export function requestCode({ options }: Pick<TryItData, "options">): RequestCode {
  const languages = [
    { label: "curl", write: (request: SampleRequest) => curlCommand(writeRequest(request)) },
    { label: "TypeScript", write: (request: SampleRequest) => typeScriptSample(request, options) },
  ].map((language) => ({ ...language, code: element("code") }));
  const figures = languages.map(({ label, code }) =>
    element(
      "figure",
      {},
      element("figcaption", {}, label, button("Copy", { "data-copy-code": true })),
      element("pre", { tabindex: "0", role: "region", "aria-label": `This request in ${label}` }, code),
    ),
  );
  return {
    element: element(
      "section",
      { class: "request-code", "aria-label": "This request as code" },
      element("h3", {}, "This request as code"),
      ...figures,
    ),
    show: (request) => {
      for (const { code, write } of languages) {
        code.textContent = request === undefined ? "Something is missing from the request." : write(request);
      }
    },
  };
}
