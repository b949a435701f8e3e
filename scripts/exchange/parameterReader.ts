import type { Parameter } from "../contract/generation.ts";
import { groupBy, splitOnce } from "../contract/text.ts";
import { parseJson } from "../spec/json.ts";
import { isJson } from "../spec/mediaTypes.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { notationOf } from "../spec/parameterStyles.ts";
import { propertySchemas } from "../spec/schemas.ts";
import { createValueReader, type Parts, type ReadValue } from "./valueReader.ts";

/** Values of parameters by name: path, query, headers or a form. A repeated name has a list. */
export type Carrier = Readonly<Record<string, string | readonly string[]>>;

interface StyledParameter extends Pick<Parameter, "explode" | "mediaType" | "name" | "style"> {
  readonly schema: unknown;
}

/**
 * Thrown for text without the form that its style requires. The message continues a sentence about the
 * parameter.
 */
class StyleError extends Error {}

/**
 * Creates a function that reads a parameter by its style (OpenAPI 3.1.1, section 4.8.12.6) and validates it.
 * The function returns `undefined` if the parameter is missing. Numbers and other literals are those of JSON.
 * If a schema allows several types, the value has the first type that makes it valid.
 */
export function createReader(
  parameter: StyledParameter,
  document: OpenApiDocument,
): (carrier: Carrier) => ReadValue | undefined {
  const { name, mediaType = "", schema } = parameter;
  const { choose, read } = createValueReader(schema, document);
  const names = [...propertySchemas(document, schema).keys()];
  return (carrier) => {
    try {
      const sent = Object.hasOwn(carrier, name) ? carrier[name] : undefined;
      if (isJson(mediaType)) return sent === undefined ? undefined : choose([parseSent(sent)]);
      return read(sent, {
        text: (whole) => splitText(parameter, whole),
        list: (whole) => splitList(parameter, whole),
        members: () => splitMembers(parameter, carrier, names),
      });
    } catch (error) {
      if (!(error instanceof StyleError)) throw error;
      const { message } = error;
      const violation = { pointer: "", keyword: "style", expected: undefined, value: undefined, message };
      return { value: undefined, violations: [violation] };
    }
  };
}

function parseSent(sent: string | readonly string[]): unknown {
  const value = typeof sent === "string" ? parseJson(sent) : sent;
  if (value === undefined) throw new StyleError("must be JSON");
  return value;
}

function splitText(parameter: StyledParameter, text: string): string {
  const { prefix } = notationOf(parameter.style);
  return withoutName(parameter, withoutPrefix(text, prefix));
}

function splitParts(parameter: StyledParameter, text: string): readonly string[] {
  const { prefix, delimiter, explodedDelimiter = delimiter } = notationOf(parameter.style);
  const rest = parameter.explode ? withoutPrefix(text, prefix) : splitText(parameter, text);
  return rest === "" ? [] : rest.split(parameter.explode ? explodedDelimiter : delimiter);
}

function splitList(parameter: StyledParameter, sent: string | readonly string[]): readonly string[] {
  const texts = [sent].flat();
  const { explodedDelimiter } = notationOf(parameter.style);
  if (parameter.explode && explodedDelimiter === undefined) return texts;
  const parts = texts.flatMap((text) => splitParts(parameter, text));
  return parts.map((part) => (parameter.explode ? withoutName(parameter, part) : part).trim());
}

/** The members of an object. `undefined` if the request has none. `names` are the names in its schema. */
function splitMembers(parameter: StyledParameter, carrier: Carrier, names: readonly string[]): Parts | undefined {
  const { name, style, explode } = parameter;
  if (style === "deepObject") return splitBrackets(name, carrier);
  if (style === "form" && explode) {
    const sent = names.flatMap((key) => (Object.hasOwn(carrier, key) ? [[key, carrier[key] ?? ""] as const] : []));
    return sent.length === 0 ? undefined : Object.fromEntries(sent);
  }
  const sent = Object.hasOwn(carrier, name) ? [carrier[name] ?? ""].flat().at(-1) : undefined;
  if (sent === undefined) return undefined;
  const parts = splitParts(parameter, sent);
  const pairs = explode
    ? parts.map((part) => splitOnce(part, "="))
    : parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]]] : []));
  return Object.fromEntries(pairs.map(([key = "", value = ""]) => [key, value]));
}

/** In levels. */
const deepest = 32;

/** Collects `name[a]=1` and `name[b][c]=2`. */
function splitBrackets(name: string, carrier: Carrier): Parts | undefined {
  const members = Object.entries(carrier)
    .filter(([key]) => key.startsWith(`${name}[`) && key.endsWith("]"))
    .map(([key, value]): Member => [key.slice(name.length + 1, -1).split("]["), value]);
  if (members.some(([path]) => path.length > deepest)) throw new StyleError(`must have at most ${deepest} levels`);
  return members.length === 0 ? undefined : nest(members);
}

type Member = readonly [path: readonly string[], value: string | readonly string[]];

function nest(members: readonly Member[]): Parts {
  const [, value] = members.find(([path]) => path.length === 0) ?? [];
  if (value !== undefined) return value;
  const groups = groupBy(members, ([[key = ""]]) => key);
  return Object.fromEntries(
    [...groups].map(([key, group]) => [key, nest(group.map(([path, text]) => [path.slice(1), text]))]),
  );
}

/** In some styles, a value follows its name: `;color=blue`. */
function withoutName({ name, style }: StyledParameter, text: string): string {
  return notationOf(style).isNamed ? withoutPrefix(text, `${name}=`) : text;
}

function withoutPrefix(text: string, prefix: string): string {
  if (text.startsWith(prefix)) return text.slice(prefix.length);
  throw new StyleError(`must begin with ${JSON.stringify(prefix)}`);
}
