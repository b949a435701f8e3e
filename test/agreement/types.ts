/** Comparisons of the generated types, and of what clients validate with, with values of made contracts. */
import { join, resolve } from "node:path";
import ts from "typescript";
import { ContractError, type ContractSchemas } from "../../scripts/client/contractSchemas.ts";
import { withFormats } from "../../scripts/client/withFormats.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { generateFiles } from "../../scripts/pipeline/generateFiles.ts";
import { isObject, membersOf } from "../../scripts/values/json.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { diagnose } from "../client/checkModules.ts";
import { loadContractSchemas } from "../client/loadContractSchemas.ts";
import { createLog, type Comparison } from "./comparisons.ts";
import type { MadeContract, MadeOperation, Piece, Values } from "./contracts.ts";

/** A contract with its generated modules, by their names. */
interface Generated {
  readonly contract: MadeContract;
  readonly modules: Readonly<Record<string, string>>;
}

/** The types take valid values and refuse mistyped ones, and so does what clients validate with. */
export async function compareGenerated(contracts: readonly MadeContract[]): Promise<readonly Comparison[]> {
  const generated = contracts.map((contract): Generated => {
    const { document } = contract;
    if (!isDocument(document)) throw new Error("this is no description");
    const files = generateFiles(readGeneration("made", document));
    return { contract, modules: Object.fromEntries(files.map(({ path, content }) => [path, content])) };
  });
  return [compareTypes(generated), await compareValidation(generated)];
}

/** A body of an operation, with the type of `types.ts`. */
interface Body {
  readonly status: number | undefined;
  readonly mediaType: string;
  readonly type: string;
  readonly piece: Piece;
  readonly values: Values;
}

function bodiesOf({ method, path, body, answer }: MadeOperation): readonly Body[] {
  const operation = `paths[${JSON.stringify(path)}]["${method}"]`;
  const contentOf = (mediaType: string) => `["content"][${JSON.stringify(mediaType)}]`;
  const { status, mediaType, piece } = answer;
  const key = /^\d+$/.test(status) ? status : JSON.stringify(status);
  const sent = body && {
    status: undefined,
    mediaType: body.mediaType,
    type: `NonNullable<${operation}["requestBody"]>${contentOf(body.mediaType)}`,
    piece: body.piece,
    values: body.piece.request,
  };
  const received = piece &&
    mediaType !== undefined && {
      status: key === status ? Number(status) : 200,
      mediaType,
      type: `${operation}["responses"][${key}]${contentOf(mediaType)}`,
      piece,
      values: piece.response,
    };
  return [...(sent ? [sent] : []), ...(received ? [received] : [])];
}

/** A line of a program that uses the types of a contract. */
interface Use {
  readonly text: string;
  readonly body: Body;
  readonly value: unknown;
  readonly isValid: boolean;
}

/** All contracts are compiled at once. */
function compareTypes(generated: readonly Generated[]): Comparison {
  const { check, result } = createLog();
  const programs = generated.map(({ contract, modules }, index) => {
    const uses = contract.operations.flatMap(bodiesOf).flatMap((body) => usesOf(body));
    const start = `import type { paths } from "./types${String(index)}.ts";`;
    const text = [start, ...uses.map((use, at) => `export const v${String(at)}: ${use.text};`)].join("\n");
    return { uses, types: modules["made/types.ts"] ?? "", text };
  });
  const wrong = linesWithErrors(programs);
  for (const [index, { uses }] of programs.entries()) {
    for (const [at, { body, value, isValid }] of uses.entries()) {
      const error = wrong.get(`use${String(index)}.ts:${String(at + 1)}`);
      const comparison = isValid ? "the types take a valid value" : "the types refuse a mistyped value";
      check((error === undefined) === isValid, comparison, body.piece.kinds, {
        schema: body.piece.schema,
        value,
        error,
      });
    }
    const own = [...wrong].filter(([place]) => place.startsWith(`types${String(index)}.ts`));
    check(own.length === 0, "the types compile", [], own);
  }
  return result();
}

function usesOf(body: Body): readonly Use[] {
  const use = (value: unknown, isValid: boolean): Use => {
    return { text: `${body.type} = ${textOf(value)}`, body, value, isValid };
  };
  if (body.values.valid.length === 0) return [];
  const mistyped = body.values.broken.filter(({ by }) => by === "type");
  const valid = body.values.valid.filter((one) => !isMistaken(one));
  return [...valid.map((one) => use(one, true)), ...mistyped.map((one) => use(one.value, false))];
}

/** The compiler takes a member such as `isPrototypeOf`, inside a member of such a name, for the inherited method. */
function isMistaken(value: unknown, isInside = false): boolean {
  if (Array.isArray(value)) return value.some((one) => isMistaken(one, isInside));
  return membersOf(value).some(
    ([name, member]) => (isInside && name in {}) || isMistaken(member, isInside || name in {}),
  );
}

/**
 * A value in TypeScript. An object takes nothing from a map's type for a member such as `isPrototypeOf`, which all objects
 * have, so texts and lists say themselves that they aren't just any.
 */
function textOf(value: unknown): string {
  if (value instanceof File) return "file";
  if (Array.isArray(value)) return `tuple(${value.map(textOf).join(", ")})`;
  if (!isObject(value)) return value === null ? "null" : `${JSON.stringify(value)} as const`;
  const members = membersOf(value).map(([name, member]) => `${JSON.stringify(name)}: ${textOf(member)}`);
  return `{ ${members.join(", ")} }`;
}

const declarations = `interface Blob { readonly size: number }
declare const file: Blob;
declare function tuple<Items extends unknown[]>(...items: Items): Items;`;

/** What the compiler says first to each line, by file and line. */
function linesWithErrors(programs: readonly { readonly types: string; readonly text: string }[]) {
  const folder = resolve("made");
  const texts = new Map(
    programs.flatMap(({ types, text }, index) => [
      [join(folder, `types${String(index)}.ts`), types],
      [join(folder, `use${String(index)}.ts`), text],
    ]),
  );
  texts.set(join(folder, "declarations.d.ts"), declarations);
  const options: ts.CompilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ lib: ["lib.es2022.d.ts"], target: ts.ScriptTarget.ES2022, allowImportingTsExtensions: true },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  };
  const wrong = new Map<string, string>();
  for (const { file, start = 0, messageText } of diagnose(folder, texts, options)) {
    const name = file?.fileName.slice(folder.length + 1) ?? "";
    const place = `${name}:${String(file?.getLineAndCharacterOfPosition(start).line ?? 0)}`;
    if (!wrong.has(place)) wrong.set(place, ts.flattenDiagnosticMessageText(messageText, "\n"));
  }
  return wrong;
}

/** Clients refuse what the server and the mock refuse. */
async function compareValidation(generated: readonly Generated[]): Promise<Comparison> {
  const { check, result } = createLog();
  for (const { contract, modules } of generated) {
    const schemas = withFormats(await loadContractSchemas(modules["made/schemas.ts"] ?? ""));
    for (const operation of contract.operations) {
      for (const { status, mediaType, piece, values } of bodiesOf(operation)) {
        if (mediaType.startsWith("text/")) continue;
        const takes = (value: unknown) => isTaken(schemas, operation, status, value);
        const kinds = [mediaType, ...piece.kinds];
        const { schema } = piece;
        for (const value of values.valid) check(takes(value), "clients take a valid value", kinds, { schema, value });
        for (const { value } of values.broken)
          check(!takes(value), "clients refuse a mutation", kinds, { schema, value });
      }
    }
  }
  return result();
}

function isTaken(
  schemas: ContractSchemas<string>,
  { method, path }: MadeOperation,
  status: number | undefined,
  value: unknown,
) {
  try {
    schemas({ method: method.toUpperCase(), path }, status, value, { validate: "throw" });
    return true;
  } catch (error) {
    if (error instanceof ContractError) return false;
    throw error;
  }
}
