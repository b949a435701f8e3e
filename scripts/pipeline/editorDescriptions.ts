import type { NormalizedNodeType } from "@redocly/openapi-core";

const specification = "https://spec.openapis.org/oas/v3.1.1.html";

/** Types of Redocly that have the name of an object of OpenAPI, without "Object". */
const objects = [
  ..."Callback Components Contact Discriminator Encoding Example Header Info License Link MediaType".split(" "),
  ..."Operation Parameter PathItem Paths RequestBody Response Responses Schema SecurityRequirement".split(" "),
  ..."SecurityScheme Server ServerVariable Tag".split(" "),
];

/** The objects that types with other names describe. */
const otherNames: Readonly<Record<string, string>> = {
  AuthorizationCode: "OAuth Flow",
  ClientCredentials: "OAuth Flow",
  ExternalDocs: "External Documentation",
  ImplicitFlow: "OAuth Flow",
  OAuth2Flows: "OAuth Flows",
  PasswordFlow: "OAuth Flow",
  Root: "OpenAPI",
  Xml: "XML",
};

/** Extensions that Redocly knows too. */
const extensions: Readonly<Record<string, string>> = {
  "x-codeSamples": "Samples that the docs show beside the generated ones.",
  "x-displayName": "The name of the group in the docs.",
};

/** A text for all editors, and a link for those that read Markdown. */
interface Description {
  readonly description: string | undefined;
  readonly markdownDescription?: string;
}

/** Describes a type by its name in the specification, or by Redocly's documentation. */
export function describeType({ name, documentationLink }: NormalizedNodeType): Description {
  const object = otherNames[name] ?? (objects.includes(name) ? wordsOf(name) : undefined);
  if (object === undefined) return { description: documentationLink };
  const title = `${object} Object`;
  const link = `${specification}#${title.toLowerCase().replaceAll(" ", "-")}`;
  return { description: title, markdownDescription: `[${title}](${link})` };
}

/** Describes a field by the object that it belongs to, or by Redocly's documentation. */
export function describeField(type: NormalizedNodeType, field: string): Description {
  const extension = extensions[field];
  if (extension !== undefined) return { description: extension };
  const { description, markdownDescription } = describeType(type);
  return markdownDescription === undefined
    ? { description }
    : { description: `A field of the ${description}`, markdownDescription: `A field of the ${markdownDescription}` };
}

/** The words of a name in PascalCase. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
}
