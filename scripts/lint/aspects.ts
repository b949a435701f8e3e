import { isObject } from "../contract/document.ts";
import { elementsOf, hasProperties, membersOf, saysNothingOfType, typesOf, type Node } from "./nodes.ts";

/** What a place in a description says of one aspect; `because` is a clause that explains it. */
export type Verdict =
  | { readonly is: "missing" | "stated"; readonly because: string }
  /** Whether a phrase is there or not, both are fine. */
  | { readonly is: "open" };

/** The aspects that `x-unspecified` knows at one kind of place. A phrase begins with one, and may go on in words. */
export type Aspects<Place> = Readonly<Record<string, (place: Place) => Verdict>>;

export interface OperationPlace {
  readonly operation: Node;
  /** The document's `security`, which holds where an operation has none of its own. */
  readonly rootSecurity: unknown;
}

export interface ParameterPlace {
  readonly parameter: Node;
  readonly schema: Node;
}

export interface ResponsePlace {
  /** The keys under which operations list it: status codes, ranges like `4XX`, `default`. */
  readonly keys: ReadonlySet<string>;
}

export interface TagPlace {
  /** Whether any operation has the tag. */
  readonly isUsed: boolean;
}

export interface SchemaPlace {
  readonly schema: Node;
  /** It describes the whole JSON body of a response. */
  readonly isResponseBody: boolean;
  /** It describes the body of a request, or something inside it. */
  readonly isRequestData: boolean;
  /** It is one of the alternatives of an `anyOf` or `oneOf`. */
  readonly isAlternative: boolean;
}

const open: Verdict = { is: "open" };
const missing = (because: string): Verdict => ({ is: "missing", because });
const stated = (because: string): Verdict => ({ is: "stated", because });

/** What keywords that may be left out say of a value; `unit`, `lifetime` and `exchange` have none. */
function valueAspects<Place extends { readonly schema: Node }>(): Aspects<Place> {
  const statedBy =
    (...keywords: readonly string[]) =>
    ({ schema }: Place) => {
      const keyword = keywords.find((name) => name in schema);
      return keyword === undefined ? open : stated(`\`${keyword}\` is there`);
    };
  return {
    unit: () => open,
    lifetime: () => open,
    exchange: () => open,
    default: statedBy("default"),
    minimum: statedBy("minimum", "exclusiveMinimum"),
    maximum: statedBy("maximum", "exclusiveMaximum"),
    format: statedBy("format"),
    "allowed values": (place) => {
      const types = typesOf(place.schema);
      return types.length === 0 || types.some((type) => ["string", "integer", "number"].some((name) => name === type))
        ? statedBy("enum", "const", "x-extensible-enum")(place)
        : stated("only strings and numbers have them (those of an array stand on its `items`)");
    },
  };
}

export const operationAspects: Aspects<OperationPlace> = {
  "success status code": ({ operation }) =>
    membersOf(operation["responses"]).some(([key]) => key.toUpperCase() === "2XX")
      ? missing("the response `2XX` leaves the status code open")
      : stated("there is no response `2XX`"),
  authentication: ({ operation, rootSecurity }) =>
    elementsOf(operation["security"] ?? rootSecurity).some(
      (requirement) => isObject(requirement) && Object.keys(requirement).length === 0,
    )
      ? missing("`{}` in `security` leaves open whether a credential is needed")
      : stated("`security` has no `{}`"),
};

export const parameterAspects: Aspects<ParameterPlace> = {
  required: ({ parameter }) => (parameter["required"] === true ? stated("`required` is true") : open),
  ...valueAspects<ParameterPlace>(),
};

export const responseAspects: Aspects<ResponsePlace> = {
  "failure status codes": ({ keys }) =>
    keys.has("default")
      ? missing("the response `default` leaves the failure status codes open")
      : stated("it is no operation's `default` response"),
};

export const tagAspects: Aspects<TagPlace> = {
  operations: ({ isUsed }) =>
    isUsed ? stated("there are operations with this tag") : missing("no operation has this tag"),
};

export const securitySchemeAspects: Aspects<Node> = { lifetime: () => open };

export const schemaAspects: Aspects<SchemaPlace> = {
  type: ({ schema, isResponseBody }) => {
    if (!saysNothingOfType(schema)) return stated("the schema's keywords say it");
    return isResponseBody
      ? stated('this is a whole response body, where the phrase is "response body"')
      : missing("the schema says nothing of the value's type");
  },
  "response body": ({ schema, isResponseBody }) => {
    if (!isResponseBody) return stated("this is not the whole body of a JSON response");
    return saysNothingOfType(schema) ? missing("the schema lets any body through") : stated("the schema describes it");
  },
  "required fields": ({ schema, isRequestData }) => {
    if ("required" in schema) return stated("`required` lists them");
    return isRequestData && hasProperties(schema) ? missing("no `required` says which fields a request needs") : open;
  },
  fields: ({ schema, isAlternative }) => {
    if (hasProperties(schema)) return stated("`properties` lists them");
    const types = typesOf(schema);
    if (types.length > 0 && !types.includes("object")) return stated("only an object has fields");
    return isAlternative && isOpenObject(schema) ? missing("this alternative lets any object through") : open;
  },
  "further values": ({ schema }) =>
    "x-extensible-enum" in schema
      ? missing("`x-extensible-enum` lists only the values seen so far")
      : stated("there is no `x-extensible-enum`"),
  ...valueAspects<SchemaPlace>(),
};

/** An object of which nothing is known: neither the names of its fields, nor what they hold. */
function isOpenObject(schema: Node): boolean {
  const { additionalProperties = true } = schema;
  const limits = ["properties", "patternProperties", "propertyNames", "required", "unevaluatedProperties"];
  return typesOf(schema).includes("object") && additionalProperties === true && !limits.some((name) => name in schema);
}
