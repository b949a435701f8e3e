import type { NormalizedNodeType } from "@redocly/openapi-core";

/** What an editor's schema describes. */
export type EditedFile = "openapi" | "arazzo" | "redocly";

const specifications: Readonly<Partial<Record<EditedFile, string>>> = {
  openapi: "https://spec.openapis.org/oas/v3.1.1.html",
  arazzo: "https://spec.openapis.org/arazzo/v1.0.1.html",
};

const roots: Readonly<Partial<Record<EditedFile, string>>> = { openapi: "OpenAPI", arazzo: "Arazzo Specification" };

/** Types of Redocly that have the name of an object of OpenAPI or Arazzo, without "Object". */
const objects = [
  ..."Callback Components Contact Discriminator Encoding Example Header Info License Link MediaType".split(" "),
  ..."Operation Parameter PathItem Paths RequestBody Response Responses Schema SecurityRequirement".split(" "),
  ..."SecurityScheme Server ServerVariable Step Tag Workflow".split(" "),
];

/** The objects that types with other names describe. */
const otherNames: Readonly<Record<string, string>> = {
  ArazzoSourceDescription: "Source Description",
  AuthorizationCode: "OAuth Flow",
  ClientCredentials: "OAuth Flow",
  CriterionObject: "Criterion",
  ExternalDocs: "External Documentation",
  FailureActionObject: "Failure Action",
  ImplicitFlow: "OAuth Flow",
  OAuth2Flows: "OAuth Flows",
  OpenAPISourceDescription: "Source Description",
  PasswordFlow: "OAuth Flow",
  Replacement: "Payload Replacement",
  ReusableObject: "Reusable",
  SuccessActionObject: "Success Action",
  Xml: "XML",
};

/** Extensions that Redocly knows too. */
const extensions: Readonly<Record<string, string>> = {
  "x-codeSamples": "Samples that the docs show beside the generated ones.",
  "x-displayName": "The name of the group in the docs.",
  "x-security": "The credentials of the request, by security scheme.",
};

/** A text for all editors, and a link for those that read Markdown. */
interface Description {
  readonly description: string | undefined;
  readonly markdownDescription?: string;
}

/** Describes a type by its name in the specification, or by Redocly's documentation. */
export function describeType(file: EditedFile, { name, documentationLink }: NormalizedNodeType): Description {
  const specification = specifications[file];
  const object =
    name === "Root" ? roots[file] : (otherNames[name] ?? (objects.includes(name) ? wordsOf(name) : undefined));
  if (specification === undefined || object === undefined) {
    return { description: documentationLink };
  }
  const title = `${object} Object`;
  const link = `${specification}#${title.toLowerCase().replaceAll(" ", "-")}`;
  return { description: title, markdownDescription: `[${title}](${link})` };
}

/** Describes a field by the object that it belongs to, or by Redocly's documentation. */
export function describeField(file: EditedFile, type: NormalizedNodeType, field: string): Description {
  const extension = extensions[field];
  if (extension !== undefined) return { description: extension };
  const part = type.properties[field];
  const link = file === "redocly" && typeof part === "object" ? part?.documentationLink : undefined;
  if (link !== undefined) return { description: link };
  const { description, markdownDescription } = describeType(file, type);
  return markdownDescription === undefined
    ? { description }
    : { description: `A field of the ${description}`, markdownDescription: `A field of the ${markdownDescription}` };
}

/** The words of a name in PascalCase. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
}
