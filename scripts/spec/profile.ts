/**
 * What of OpenAPI is supported: the fields on which types, client, server, mock, docs, `diff` and `verify` agree. A field
 * on which they don't is a no, and so is one that costs a part more than the contract needs.
 */

/** A row: an object of the specification with some of its fields, or with some of a field's values. */
export interface ProfileRow {
  /** As the specification names it. `Content`, `Schemas` and `Properties` are maps, whose fields are names. */
  readonly object: string;
  /** A media type may be a range, or a suffix such as `+json`. Any field of a map if empty. */
  readonly fields: readonly string[];
  /** The values that the row is about. Without them, all that no earlier row is about. */
  readonly values?: readonly (string | boolean)[];
  /** `shown`: it's on the page, or passed on, and nothing more. */
  readonly verdict: "yes" | "shown" | "no";
  /** What to write instead of a no. */
  readonly instead?: string;
  /** True for what is also an error in other people's descriptions: without it, what is sent would be misread. */
  readonly isRefused?: boolean;
}

type Values = readonly (string | boolean)[];

function yes(object: string, fields: readonly string[], values?: Values): ProfileRow {
  return { object, fields, verdict: "yes", ...(values && { values }) };
}

function shown(object: string, fields: readonly string[]): ProfileRow {
  return { object, fields, verdict: "shown" };
}

function no(object: string, fields: readonly string[], instead: string, values?: Values): ProfileRow {
  return { object, fields, verdict: "no", instead, ...(values && { values }) };
}

function refused(object: string, fields: readonly string[], instead: string, values?: Values): ProfileRow {
  return { ...no(object, fields, instead, values), isRefused: true };
}

const servers = "list all servers under `servers` at the top";
const link = "write the link into `description`";
const anyValue = "write `{}` for any value, and leave out what can't be there";
const wholeBody = "describe the whole body in `schema`";

/** The rows of the table. Extensions aren't in it, nor objects that only a no contains. */
export const profileRows: readonly ProfileRow[] = [
  yes("OpenAPI", ["openapi", "info", "servers", "paths", "components", "security", "tags"]),
  shown("OpenAPI", ["webhooks"]),
  no("OpenAPI", ["externalDocs"], "write the link into the `description` of `info`"),
  no("OpenAPI", ["jsonSchemaDialect"], "leave it out: schemas are those of OpenAPI 3.1"),
  refused("OpenAPI", ["$self"], "leave it out: references lead to files"),

  yes("Info", ["title", "version", "summary", "description"]),
  shown("Info", ["termsOfService", "contact", "license"]),

  yes("Server", ["url", "description", "variables"]),
  no("Server", ["name"], "write it into `description`"),
  yes("Server Variable", ["default", "description"]),
  no("Server Variable", ["enum"], "list the values in `description`"),

  yes("Path Item", ["$ref", "parameters", "get", "put", "post", "delete", "patch"]),
  no("Path Item", ["summary", "description"], "write it at each operation"),
  no("Path Item", ["servers"], servers),
  no("Path Item", ["options", "head", "trace"], "leave it out: servers answer these methods without a description"),
  refused("Path Item", ["query", "additionalOperations"], "describe a `post` with a path of its own"),

  yes("Operation", ["tags", "summary", "description", "operationId", "parameters", "requestBody", "responses"]),
  yes("Operation", ["deprecated", "security"]),
  no("Operation", ["externalDocs"], link),
  no("Operation", ["callbacks"], "describe what the service sends under `webhooks`"),
  no("Operation", ["servers"], servers),

  no("Parameter", ["schema"], anyValue, [true, false]),
  no("Parameter", ["explode"], "leave it out: a list in the query is a parameter for each item", [false]),
  yes("Parameter", ["name", "description", "required", "deprecated", "schema", "example", "examples", "explode"]),
  yes("Parameter", ["in"], ["path", "query", "header", "cookie"]),
  refused("Parameter", ["in"], "list the parameters, each with its name", ["querystring"]),
  yes("Parameter", ["style"], ["form", "simple"]),
  no("Parameter", ["style"], "leave it out: values are written in the default style"),
  no("Parameter", ["allowEmptyValue"], "leave it out, and list the values that have a meaning", [true]),
  no("Parameter", ["allowReserved"], "leave it out: reserved characters are percent-encoded", [true]),
  no("Parameter", ["content"], "write `schema`, or send the value in a body"),

  yes("Request Body", ["description", "content", "required"]),
  yes("Content", ["application/json", "+json", "multipart/form-data", "application/x-www-form-urlencoded"]),
  no("Content", ["application/xml", "text/xml", "+xml"], "use JSON, or pass the XML on as a `text/plain` string"),
  no("Content", ["multipart/*"], "use `multipart/form-data`"),
  yes("Content", []),
  no("Media Type", ["schema"], anyValue, [true, false]),
  yes("Media Type", ["schema", "example", "examples", "encoding"]),
  refused("Media Type", ["itemSchema", "prefixEncoding", "itemEncoding"], wholeBody),
  yes("Encoding", ["contentType"]),
  no("Encoding", ["headers", "style", "explode", "allowReserved"], "leave it out: a list is a field for each item"),

  yes("Response", ["description", "headers", "content"]),
  no("Response", ["summary"], "write it into `description`"),
  no("Response", ["links"], "name the next operation in `description`, or write a workflow"),
  no("Header", ["schema"], anyValue, [true, false]),
  yes("Header", ["description", "required", "deprecated", "schema", "example", "examples"]),
  yes("Header", ["style"], ["simple"]),
  no("Header", ["style", "explode", "allowReserved", "allowEmptyValue"], "leave it out: a header is one value"),
  no("Header", ["content"], "write `schema`"),
  yes("Example", ["summary", "description", "value"]),
  shown("Example", ["externalValue"]),
  refused("Example", ["dataValue", "serializedValue"], "write `value`"),

  yes("Components", ["schemas", "responses", "parameters", "examples", "requestBodies", "headers"]),
  yes("Components", ["securitySchemes", "pathItems"]),
  no("Components", ["links", "callbacks"], "leave it out, with the references to it"),
  refused("Components", ["mediaTypes"], "write the content where it belongs"),
  yes("Tag", ["name", "description"]),
  shown("Tag", ["summary", "parent", "kind"]),
  no("Tag", ["externalDocs"], link),

  yes("Security Scheme", ["description", "name", "bearerFormat"]),
  no("Security Scheme", ["type"], "describe it in the `description` of `info`", ["mutualTLS"]),
  yes("Security Scheme", ["type"]),
  yes("Security Scheme", ["scheme"], ["basic", "bearer"]),
  no("Security Scheme", ["scheme"], "use `bearer`, `basic`, or an `apiKey` in a header"),
  no("Security Scheme", ["in"], "send the key in a header", ["cookie"]),
  yes("Security Scheme", ["in"]),
  shown("Security Scheme", ["flows"]),
  no("Security Scheme", ["openIdConnectUrl"], "describe the flow with `type: oauth2`"),
  no("Security Scheme", ["deprecated", "oauth2MetadataUrl"], "write it into `description`"),
  shown("OAuth Flows", ["authorizationCode", "clientCredentials", "implicit", "password"]),
  refused("OAuth Flows", ["deviceAuthorization"], "describe how to get a token in `description`"),

  no("Schema", ["items"], anyValue, [true, false]),
  no("Schemas", [], anyValue, [true, false]),
  no("Properties", [], anyValue, [true, false]),
  yes("Schema", ["type", "enum", "const", "format", "title", "description", "default", "example", "examples"]),
  yes("Schema", ["nullable", "readOnly", "writeOnly", "deprecated", "contentMediaType"]),
  yes("Schema", ["pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
  yes("Schema", ["multipleOf", "items", "minItems", "maxItems", "uniqueItems"]),
  yes("Schema", ["properties", "required", "additionalProperties", "minProperties", "maxProperties"]),
  yes("Schema", ["$ref", "allOf", "anyOf", "oneOf", "discriminator"]),
  shown("Schema", ["contentEncoding", "$comment"]),
  no("Schema", ["not"], "describe what is allowed, or say it in `description`"),
  no("Schema", ["if", "then", "else", "dependentSchemas"], "write a schema for each case, and `anyOf` of them"),
  no("Schema", ["dependentRequired"], "say it in `description`"),
  no("Schema", ["patternProperties", "propertyNames"], "list the properties, or write `additionalProperties`"),
  no("Schema", ["prefixItems"], "write an object with a property for each item"),
  no("Schema", ["contains", "minContains", "maxContains"], "say it in `description`"),
  no("Schema", ["unevaluatedProperties"], "write `additionalProperties` in a schema that lists all properties"),
  no("Schema", ["unevaluatedItems"], "write `items`"),
  no("Schema", ["$defs", "definitions"], "write the schemas under `components`"),
  no("Schema", ["$id", "id", "$anchor", "$dynamicRef", "$dynamicAnchor"], "refer to a component by its JSON Pointer"),
  no("Schema", ["$schema", "$vocabulary"], "leave it out: schemas are those of OpenAPI 3.1"),
  no("Schema", ["contentSchema"], "say in `description` what the text contains"),
  no("Schema", ["xml"], "use JSON"),
  no("Schema", ["externalDocs"], link),
  yes("Discriminator", ["propertyName", "mapping"]),
  refused("Discriminator", ["defaultMapping"], "map a value to each alternative"),
];
