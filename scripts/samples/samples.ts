import { curlCommand } from "./curlCommand.ts";
import { sampleRequest, sentContent } from "./exampleRequest.ts";
import { extensionOf, resolveSchema } from "../spec/openapi.ts";
import { readingOf, sentMediaType, successReadings } from "../contract/bodies.ts";
import { successResponses, type Operation } from "../contract/generation.ts";
import { savedFile } from "./sampleFiles.ts";
import { objectsOf, pointerKeys, stringMembersOf, valueAt } from "../values/json.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { distinctName, asciiSlugOf } from "../values/text.ts";
import { serializeRequest, type SampleOptions, type SampleRequest, type SampleText } from "./serializeRequest.ts";
import { singleValuedHeaders } from "../contract/singleValuedHeaders.ts";
import { fetchSample } from "./fetchSample.ts";
import { pythonSample } from "./pythonSample.ts";
import { typeScriptSample } from "./typeScriptSample.ts";

/** Code that sends a request to an operation. */
export interface Sample {
  /**
   * The language for identifiers and addresses: `typescript`. Samples in the same language share it, except
   * for those in the description.
   */
  readonly language: string;
  readonly label: string;
  /** The language's name in code blocks: `python`. */
  readonly highlight: string;
  /** The name of the body's example. `undefined` if the body has no examples, or if it is unknown. */
  readonly example: string | undefined;
  readonly source: string;
  /** The number of characters before the call: imports and preparation. */
  readonly callAt: number;
}

interface Language extends Pick<Sample, "language" | "label" | "highlight"> {
  readonly write: (request: SampleRequest, options: SampleOptions) => SampleText;
  readonly canSend?: (request: SampleRequest, options: SampleOptions) => boolean;
}

const languages: readonly Language[] = [
  {
    language: "typescript",
    label: "TypeScript",
    highlight: "typescript",
    write: typeScriptSample,
    canSend: (request, { module }) => module !== "" && isFetchable(request),
  },
  { language: "fetch", label: "JavaScript (fetch)", highlight: "javascript", write: fetchSample, canSend: isFetchable },
  { language: "curl", label: "curl", highlight: "bash", write: writeCurl },
  { language: "python", label: "Python", highlight: "python", write: pythonSample },
];

/**
 * The samples of an operation: one in each language for each named example of the request body, and then
 * those in the description. `module` is the import path of the client, or empty if there is none. `server` is the URL without a trailing
 * slash.
 */
export function samplesOf(
  operation: Operation,
  { module, server }: { readonly module: string; readonly server: string },
): readonly Sample[] {
  const options = sampleOptions(operation, module);
  const examples = sentContent(operation)?.examples.map(({ name }) => name) ?? [];
  const written = (examples.length > 0 ? examples : [undefined]).flatMap((example) =>
    samplesOfRequest(sampleRequest(operation, server, { body: example }), options, example),
  );
  const ours = languages.flatMap(({ language }) => written.filter((sample) => sample.language === language));
  return [...ours, ...describedSamples(operation)];
}

/** A request in each language that can send it. */
export function samplesOfRequest(request: SampleRequest, options: SampleOptions, example?: string): readonly Sample[] {
  return languages
    .filter(({ canSend = () => true }) => canSend(request, options))
    .map(({ write, canSend: _canSend, ...language }) => {
      const { setup, call } = write(request, options);
      return { ...language, example, source: setup + call, callAt: setup.length };
    });
}

function writeCurl(request: SampleRequest, { saved }: SampleOptions): SampleText {
  return { setup: "", call: curlCommand(serializeRequest(request), saved) };
}

/** The samples in curl, which can send every request, and those in the description. */
export function curlSamples(samples: readonly Sample[]): readonly Sample[] {
  const others = new Set(languages.map(({ language }) => language).filter((language) => language !== "curl"));
  return samples.filter(({ language }) => !others.has(language));
}

/** Reads the options for samples of an operation. */
export function sampleOptions(operation: Operation, module: string): SampleOptions {
  const answer = answerOf(operation);
  const [file] = successResponses(operation).filter(({ content }) => content.length > 0);
  return {
    module,
    clientHeaders: singleValuedHeaders(operation).map(([name]) => name),
    contentType: sentMediaType(operation),
    answer,
    saved: answer === "file" && file !== undefined ? savedFile(operation, file) : undefined,
    isReadAsText: successReadings(operation).some(([, as]) => as === "text"),
  };
}

/** fetch can't send TRACE, or a body with GET or HEAD (Fetch Standard, sections 2.2.1 and 5.4). */
function isFetchable({ method, body }: SampleRequest): boolean {
  return method !== "TRACE" && (body === undefined || (method !== "GET" && method !== "HEAD"));
}

function answerOf(operation: Operation): SampleOptions["answer"] {
  const contents = successResponses(operation).map(({ content }) => content[0]);
  const isEmpty = contents.length > 0 && contents.every((content) => content === undefined);
  if (operation.method === "head" || isEmpty) return "none";
  const kinds = contents.map((content): SampleOptions["answer"] => {
    // A missing body can be read as text, but not as JSON.
    if (content === undefined) return "none";
    const reading = readingOf(operation, content);
    if (reading === "blob") return "file";
    if (reading === "text" || !isJson(content.mediaType)) return "text";
    return isUntyped({ ...resolveSchema(operation.document, content.schema) }) ? "unknown" : "json";
  });
  const [kind = "unknown", ...others] = new Set(kinds.filter((one) => one !== "none"));
  return others.length > 0 || (kind === "json" && kinds.includes("none")) ? "unknown" : kind;
}

/** The samples in the operation's description (`x-codeSamples`), each with a unique name. */
function describedSamples({ document, pointer }: Operation): readonly Sample[] {
  const operation = valueAt(document, pointerKeys(pointer));
  const written = [extensionOf(operation, "x-codeSamples"), extensionOf(operation, "x-code-samples")];
  const taken = new Set(languages.map(({ language }) => language));
  return written.flatMap(objectsOf).flatMap((sample) => {
    const { lang, label, source } = stringMembersOf(sample);
    if (lang === undefined || source === undefined) return [];
    const language = distinctName(asciiSlugOf(label ?? lang) || "sample", taken);
    return { language, label: label ?? lang, highlight: lang.toLowerCase(), example: undefined, source, callAt: 0 };
  });
}
