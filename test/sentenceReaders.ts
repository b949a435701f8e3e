import { join } from "node:path";
import ts from "typescript";
import { readFolder } from "../scripts/command/files.ts";

/** Functions that look for something in a text. */
const readers = new Set([
  ...["startsWith", "endsWith", "includes", "indexOf", "lastIndexOf", "split", "splitOnce", "withoutEnd"],
  ...["replace", "replaceAll", "match", "matchAll", "search", "test", "exec"],
]);

/** What variables, members and functions with a sentence are named. */
const sentenceNames =
  /^(?:message|detail|reason|suggestion|advice|sentence|violation|note|doubt|finding|remark|rule)(?:s|Of|Text)?$/;

/** Two words, a word before or after a separator of sentences, or that separator. A regular expression has other separators. */
const words = /[a-z]{2,} [a-z]{2,}/i;
const partOfSentence = /[a-z]{2,}[.:;]? $|^[.:;] (?:[a-z]{2,}|$)/i;

/**
 * The places under scripts/ that look for words in a text, compare a text with a sentence, or look for anything in what is
 * named as a sentence: each as `path: source`.
 */
export async function findSentenceReaders(): Promise<readonly string[]> {
  const files = (await readFolder("scripts")).filter(({ path }) => /\.[jt]s$/.test(path) && !path.endsWith(".d.ts"));
  const modules = files.map(({ path, content }) =>
    ts.createSourceFile(join("scripts", path), content, ts.ScriptTarget.Latest, true),
  );
  // Where two rooms export the same name, the later one is taken.
  const exported = new Map(modules.flatMap((module) => constantsIn(module, true)));
  return modules.flatMap((module) => readersIn(module, new Map([...exported, ...constantsIn(module, false)])));
}

/** The constants at the top of a module, or only those that it exports. */
function constantsIn(module: ts.SourceFile, areExported: boolean): readonly (readonly [string, ts.Expression])[] {
  const statements = module.statements.filter(ts.isVariableStatement);
  const isMeant = ({ modifiers }: ts.VariableStatement) =>
    !areExported || modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  return statements
    .filter(isMeant)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer !== undefined ? [[name.text, initializer] as const] : [],
    );
}

function readersIn(module: ts.SourceFile, constants: ReadonlyMap<string, ts.Expression>): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isReader(node, constants))
      found.push(`${module.fileName}: ${node.getText().replaceAll(/\s+/g, " ").slice(0, 100)}`);
    ts.forEachChild(node, visit);
  };
  visit(module);
  return found;
}

function isReader(node: ts.Node, constants: ReadonlyMap<string, ts.Expression>): boolean {
  const isWordy = (one: ts.Expression) =>
    textsOf(one, constants).some((text) => words.test(text) || partOfSentence.test(text));
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isEquality = [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
      kind,
    );
    return isEquality && sentenceNames.test(nameOf(node.left)) && isWordy(node.right);
  }
  if (!ts.isCallExpression(node) || !readers.has(nameOf(node.expression))) return false;
  const { expression: called, arguments: given } = node;
  const [text, part] = ts.isPropertyAccessExpression(called) ? [called.expression, given[0]] : [given[0], given[1]];
  const isPattern = ["test", "exec"].includes(nameOf(called));
  const [searched, wanted] = isPattern ? [part, text] : [text, part];
  return (searched !== undefined && sentenceNames.test(nameOf(searched))) || (wanted !== undefined && isWordy(wanted));
}

/** The name of a variable or member, or of a function that is called. */
function nameOf(node: ts.Expression): string {
  if (ts.isCallExpression(node)) return nameOf(node.expression);
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : "";
}

/** The texts and patterns that an expression consists of, also as a constant. Those of a call are left out. */
function textsOf(node: ts.Node, constants: ReadonlyMap<string, ts.Expression>): readonly string[] {
  if (ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text);
  if (ts.isCallExpression(node) || ts.isFunctionLike(node)) return [];
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant === undefined ? [] : textsOf(constant, new Map());
  }
  if (ts.isPropertyAccessExpression(node)) return textsOf(node.expression, constants);
  const inner: string[] = [];
  ts.forEachChild(node, (child) => {
    inner.push(...textsOf(child, constants));
  });
  return inner;
}
