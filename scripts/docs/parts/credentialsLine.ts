import { needText } from "../../contract/security.ts";
import { unspecifiedMarks } from "./fieldList.ts";
import { html, joined, screenOnly, type Html } from "./html.ts";
import type { PageContext } from "./pageContext.ts";
import type { OperationModel } from "../model/operationModel.ts";
import { authenticationPath } from "../model/site.ts";

/** The credentials that an operation needs: the alternatives, and whether any is needed. */
export function credentialsLine({ root, generation }: PageContext, { credentials }: OperationModel): Html {
  const { need, alternatives, unspecified: own } = credentials;
  if (need === "none") return html`none <span ${screenOnly}>needed</span>${unspecifiedMarks(own)}`;
  const link = (name: string) =>
    html`<a href="${root}${authenticationPath}#${generation.name}-${name}"><code>${name}</code></a>`;
  const listed = alternatives.map((schemes) => {
    const together = schemes.map(({ name, unspecified }) => html`${link(name)}${unspecifiedMarks(unspecified)}`);
    return joined(together, " with ");
  });
  return html`${joined(listed, ", or ")}${needText[need]}${unspecifiedMarks(own)}`;
}
