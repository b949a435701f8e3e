import { needText } from "../../contract/security.ts";
import { unspecifiedMarks, type FieldContext } from "./fieldList.ts";
import { html, type Html } from "./html.ts";
import type { OperationContent } from "../model/operationContent.ts";
import { authenticationPath } from "../model/site.ts";

/** What an operation needs for authentication: the alternatives, and whether any is needed. */
export function credentialsLine({ root, generation }: FieldContext, { credentials }: OperationContent): Html {
  const { need, alternatives, unspecified: own } = credentials;
  if (need === "none") return html`none${unspecifiedMarks(own)}`;
  const link = (name: string) =>
    html`<a href="${root}${authenticationPath}#${generation.name}-${name}"><code>${name}</code></a>`;
  const listed = alternatives.map((schemes, index) => {
    const together = schemes.map(
      ({ name, unspecified }, position) =>
        html`${position === 0 ? "" : " with "}${link(name)}${unspecifiedMarks(unspecified)}`,
    );
    return html`${index === 0 ? "" : ", or "}${together}`;
  });
  return html`${listed}${needText[need]}${unspecifiedMarks(own)}`;
}
