import { flattenFields } from "../model/fields.ts";
import type { GenerationModel } from "../model/generationModel.ts";
import { firstLevel } from "../model/site.ts";
import { section, table } from "../parts/blocks.ts";
import { unspecifiedMarks } from "../parts/fieldList.ts";
import { html, type Html } from "../parts/html.ts";
import { placeLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { groupBy } from "../../contract/text.ts";

/** What the contract says of failures, and what it leaves open. `notes`, in Markdown, tell of the client and the mock. */
export function errorsPage(contents: readonly GenerationModel[], notes: string): Page {
  return {
    ...firstLevel.errors,
    description: "What is specified about failures, which errors the client throws, and how the mock refuses requests.",
    content: html`<h1>Errors</h1>
      <p>
        What is specified about failures, what the TypeScript client makes of them, and when the mock fails a request.
      </p>
      ${contents.map((content) => section(content.generation.name, content.generation.title, failures(content)))}
      ${renderDescription(notes, 1)}`,
  };
}

/** Stands for the failures of an operation that lists none. */
const unlisted = { status: "none listed", anchor: "responses", description: "", unspecified: [], media: [] };

/** The failures that a generation's operations list: those of the same status and description are one. */
function failures({ generation, operations }: GenerationModel): Html {
  const uses = generation.operations.flatMap((operation) => {
    const own = operations.get(operation)?.responses.filter(({ status }) => !/^[123]/.test(status)) ?? [];
    return (own.length === 0 ? [unlisted] : own).map((response) => ({ operation, ...response }));
  });
  const others = uses.some(({ status }) => status !== "default") ? "any other" : "any";
  const rows = [...groupBy(uses, ({ status, description }) => `${status}\n${description}`)].map(([key, same]) => {
    const [status = "", description = ""] = key.split(/\n([^]*)/);
    const fields = flattenFields(same.flatMap(({ media }) => media.map(({ field }) => field)));
    const gaps = new Set([...same, ...fields].flatMap(({ unspecified }) => unspecified));
    return html`<tr>
      <th scope="row">${status === "default" ? others : status}</th>
      <td>${renderDescription(description, 3)} ${unspecifiedMarks([...gaps])}</td>
      <td>${placeLinks(generation, same)}</td>
    </tr> `;
  });
  return table("stacked", ["Status", "Meaning", "Operations"], rows);
}
