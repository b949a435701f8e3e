import type { Direction } from "../spec/schemas.ts";
import type { ChangeKind, Listed, Notice } from "./changes.ts";
import { codeList, codeOf, phrase, type Phrase } from "../report/phrase.ts";
import { fieldPhrase, prosePhrase, valueList, type FieldChange } from "./phrases.ts";

/** Whether fewer or more values are allowed than before. `other` if some were removed and some were added. */
export type Extent = "fewer" | "more" | "other" | "same";

/** How a difference was found: who sends the values, if anyone does, and how it changes which are allowed. */
export interface Circumstances {
  readonly direction?: Direction | undefined;
  readonly extent?: Extent | undefined;
}

/** Returns whether a change of the allowed values breaks those who send them, or those who receive them. */
export function isBreaking(extent: Extent, direction: Direction | undefined): boolean {
  if (extent === "same" || direction === undefined) return false;
  return extent === "other" || direction === (extent === "fewer" ? "request" : "response");
}

/** Whose programs a difference breaks. The facts may say that it breaks none. */
type Breaks<Facts> = (circumstances: Circumstances, facts: Facts) => boolean;

const always = () => true;
const forUsers = ({ direction }: Circumstances) => direction !== undefined;
const forSenders = ({ direction }: Circumstances) => direction === "request";
const forReceivers = ({ direction }: Circumstances) => direction === "response";
const byExtent = ({ direction, extent = "same" }: Circumstances) => isBreaking(extent, direction);

/** A kind of difference: its rule, its impact and its sentence. */
export interface DifferenceType<Facts> {
  readonly kind: ChangeKind;
  /** The rule that a breaking difference violates. It may depend on who sends the values. */
  readonly rule?: string | Readonly<Record<Direction, string>>;
  /** Without it, the difference is never breaking. */
  readonly breaks?: Breaks<Facts>;
  /** True for the removal of something that can be deprecated. Its facts say how it was announced. */
  readonly isAnnounced?: true;
  /** True for a note, which changes neither requests nor responses. */
  readonly isNote?: boolean;
  readonly sentence: (facts: Facts) => Phrase;
  readonly listed?: (facts: Facts) => Listed;
}

/** Infers the facts of a kind of difference from its sentence. */
function define<Facts extends object>(type: DifferenceType<Facts>): DifferenceType<Facts> {
  return type;
}

/** A name, and what it became. */
interface Renaming {
  readonly before: string;
  readonly after: string;
}

interface Named {
  readonly name: string;
}

/** The value of a limiting keyword in two states, and the phrases for them. */
interface BoundChange {
  readonly name: string;
  readonly before: Bound;
  readonly after: Bound;
}

interface Bound {
  readonly keyword: string;
  readonly value: number | undefined;
  readonly isExclusive: boolean;
}

function boundPhrase({ name, before, after }: BoundChange): Phrase {
  if (after.value === undefined) return [`${name} was removed.`];
  const isOneKeyword = before.keyword === after.keyword || before.value === undefined;
  if (isOneKeyword) return fieldPhrase({ field: after.keyword, before: before.value, after: after.value });
  return phrase`${name} changed from ${boundValue(before)} to ${boundValue(after)}.`;
}

function boundValue({ value, isExclusive }: Bound): Phrase {
  return phrase`${codeOf(String(value ?? ""))}${isExclusive ? " (not included)" : ""}`;
}

interface Gaps {
  readonly gaps: readonly string[];
}

/** How the removal of something was announced. */
export interface Removal {
  readonly notice?: Notice;
  /** The version that announced it, or else the day. */
  readonly since?: string | undefined;
  readonly sunset?: string | undefined;
}

/** What a sentence on a removal says of its announcement. */
const announcements: Readonly<Record<Notice, (since: string, sunset: string) => string>> = {
  "removed-as-announced": (since, sunset) => `, as announced${since} for ${sunset}`,
  "removed-before-sunset": (since, sunset) => `, before the day announced${since}, ${sunset}`,
  "removed-without-sunset": (since) => `, deprecated${since} without a day of removal`,
  "removed-without-deprecation": () => ", without a deprecation",
};

function announcement({ notice, since, sunset = "" }: Removal): string {
  const beginning = since === undefined ? "" : ` in ${since}`;
  return notice === undefined ? "" : announcements[notice](beginning, sunset);
}

/** The dates of a deprecation. */
interface Deprecation {
  readonly deprecatedOn: string | undefined;
  readonly sunset: string | undefined;
  readonly hasReplacement: boolean;
}

function deprecationText({ deprecatedOn, sunset, hasReplacement }: Deprecation): string {
  const beginning = deprecatedOn === undefined ? "" : ` as of ${deprecatedOn}`;
  const end = sunset === undefined ? "" : `, and due to be removed on ${sunset}`;
  return `Deprecated${beginning}${end}.${hasReplacement ? "" : " No replacement is named."}`;
}

/** The day of a removal in two states. */
interface SunsetChange {
  readonly before: string;
  readonly after: string;
}

const variablePhrase = ({ name, ...change }: Named & FieldChange) =>
  phrase`The variable ${codeOf(name)}: ${fieldPhrase(change)}`;

const credentials = (names: readonly string[]) => codeOf(names.join(" + "));

/** Breaking only if there was something before. */
const replaced = {
  kind: "changed",
  breaks: (_: Circumstances, { before }: FieldChange) => before !== undefined,
} as const;

/** Differences of the lifecycle. */
const lifecycleDifferences = {
  deprecated: define({ kind: "deprecated", sentence: (facts: Deprecation) => [deprecationText(facts)] }),
  "deprecation-dated": define({ kind: "deprecated", sentence: fieldPhrase }),
  undeprecated: define({ kind: "changed", sentence: () => ["No longer deprecated."] }),
  "sunset-set": define({
    kind: "deprecated",
    sentence: ({ after }: Pick<SunsetChange, "after">) => [`Due to be removed on ${after}.`],
  }),
  "sunset-moved": define({
    ...{ kind: "deprecated", rule: "sunset-earlier", breaks: (_, { before, after }: SunsetChange) => after < before },
    sentence: ({ before, after }: SunsetChange) => [`Due to be removed on ${after}, not on ${before}.`],
  }),
  "sunset-removed": define({ kind: "changed", sentence: () => ["No longer due to be removed."] }),
} as const;

/** Differences of generations, paths, operations and servers. */
const operationDifferences = {
  "generation-added": define({
    kind: "added",
    sentence: ({ name }: Named) => [`The generation ${name} was added.`],
  }),
  "generation-removed": define({
    ...{ kind: "removed", rule: "generation-removed", breaks: always },
    sentence: ({ name }: Named) => [`The generation ${name} was removed.`],
  }),
  "path-renamed": define({
    ...{ kind: "changed", rule: "path-removed", breaks: always },
    sentence: ({ before, after }: Renaming) => phrase`Path ${codeOf(before)} was renamed to ${codeOf(after)}.`,
  }),
  "path-parameters-renamed": define({
    ...{ kind: "changed", rule: "name", breaks: always },
    sentence: ({ before, after }: Renaming) =>
      phrase`The path parameters of ${codeOf(before)} have other names: ${codeOf(after)}.`,
  }),
  "webhook-renamed": define({
    ...{ kind: "changed", rule: "path-removed", breaks: always },
    sentence: ({ before, after }: Renaming) => phrase`Webhook ${codeOf(before)} was renamed to ${codeOf(after)}.`,
  }),
  "operation-added": define({
    kind: "added",
    sentence: () => ["The operation was added."],
    listed: ({ title }: { readonly name: string; readonly title: string }) => ({ text: [title] }),
  }),
  "operation-removed": define({
    ...{ kind: "removed", rule: "operation-removed", breaks: always, isAnnounced: true },
    sentence: (removal: Removal) => [`The operation was removed${announcement(removal)}.`],
  }),
  "operation-id-changed": define({ ...{ ...replaced, rule: "operation-id-changed" }, sentence: fieldPhrase }),
  "pagination-changed": define({ ...{ ...replaced, rule: "pagination-changed" }, sentence: fieldPhrase }),
  "server-added": define({
    kind: "added",
    sentence: ({ name }: Named) => phrase`Server ${codeOf(name)} was added.`,
  }),
  "server-removed": define({
    ...{ kind: "removed", rule: "server-removed", breaks: always },
    sentence: ({ name }: Named) => phrase`Server ${codeOf(name)} was removed.`,
  }),
  "server-replaced": define({
    ...{ kind: "changed", rule: "server-removed", breaks: always },
    sentence: ({ before, after }: Renaming) => phrase`Server ${codeOf(before)} became ${codeOf(after)}.`,
  }),
  "server-variable-values-changed": define({
    ...{ kind: "changed", rule: "server-removed", breaks: byExtent },
    sentence: variablePhrase,
  }),
  // Consumers who have filled in the URL are not affected.
  "server-variable-default-changed": define({ kind: "changed", sentence: variablePhrase }),
} as const;

interface NamedValues extends Named {
  readonly values: readonly unknown[];
}

/** Names of security schemes that are required together. */
interface Requirement {
  readonly names: readonly string[];
}

interface ChangedRequirement extends Requirement {
  readonly others: readonly string[];
}

const requirementChanged = { kind: "changed", rule: "security-requirement-changed", breaks: forSenders } as const;
// Receivers of a webhook that check the credentials.
const requirementEased = { kind: "changed", rule: "webhook-credentials-changed", breaks: forReceivers } as const;
const schemeChanged = { kind: "changed", rule: "security-scheme-changed", breaks: always } as const;
const flowChanged = { rule: "oauth-flow-changed", breaks: always } as const;

/** Differences of the credentials that operations accept, and of security schemes. */
const securityDifferences = {
  "credentials-required": define({
    ...requirementChanged,
    sentence: () => ["Credentials are now required."],
  }),
  "credentials-unneeded": define({ ...requirementEased, sentence: () => ["Credentials are no longer needed."] }),
  "credentials-optional": define({ ...requirementEased, sentence: () => ["Credentials are now optional."] }),
  "security-requirement-added": define({
    ...{ ...requirementEased, kind: "added" },
    sentence: ({ names }: Requirement) => phrase`Security requirement ${credentials(names)} is accepted now.`,
  }),
  "security-requirement-removed": define({
    ...requirementChanged,
    sentence: ({ names }: Requirement) => phrase`Security requirement ${credentials(names)} is no longer accepted.`,
  }),
  "security-requirement-extended": define({
    ...requirementChanged,
    sentence: ({ names, others }: ChangedRequirement) =>
      phrase`Security requirement ${credentials(names)} now requires ${codeList(others)}.`,
  }),
  "security-requirement-reduced": define({
    ...requirementEased,
    sentence: ({ names, others }: ChangedRequirement) =>
      phrase`Security requirement ${credentials(names)} no longer requires ${codeList(others)}.`,
  }),
  "required-scopes-added": define({
    ...requirementChanged,
    sentence: ({ name, values }: NamedValues) =>
      phrase`Security scheme ${codeOf(name)} requires new scopes: ${valueList(values)}.`,
  }),
  "required-scopes-removed": define({
    ...requirementEased,
    sentence: ({ names }: Requirement) => phrase`Security requirement ${credentials(names)} requires fewer scopes.`,
  }),
  "security-scheme-added": define({ kind: "added", sentence: () => ["The security scheme was added."] }),
  "security-scheme-removed": define({
    ...schemeChanged,
    kind: "removed",
    sentence: ({ name }: Named) => phrase`Security scheme ${codeOf(name)} was removed.`,
  }),
  "security-scheme-renamed": define({
    ...{ kind: "changed", rule: "name-changed", breaks: always },
    sentence: ({ before, after }: Renaming) => phrase`${codeOf(before)} was renamed to ${codeOf(after)}.`,
  }),
  "security-scheme-changed": define({ ...schemeChanged, sentence: fieldPhrase }),
  // The format of a token is a hint (OpenAPI 3.1.1, section 4.8.27.1), and another type is told once.
  "security-scheme-hint-changed": define({ kind: "changed", sentence: fieldPhrase }),
  "oauth-flow-added": define({
    kind: "added",
    sentence: ({ name }: Named) => phrase`The flow ${codeOf(name)} was added.`,
  }),
  "oauth-flow-removed": define({
    ...flowChanged,
    kind: "removed",
    sentence: ({ name }: Named) => phrase`The flow ${codeOf(name)} was removed.`,
  }),
  "oauth-flow-changed": define({ ...{ ...replaced, rule: "oauth-flow-changed" }, sentence: fieldPhrase }),
  "oauth-scope-added": define({
    kind: "added",
    sentence: ({ name }: Named) => phrase`The scope ${codeOf(name)} was added.`,
  }),
  "oauth-scope-removed": define({
    ...flowChanged,
    kind: "removed",
    sentence: ({ name }: Named) => phrase`The scope ${codeOf(name)} was removed.`,
  }),
} as const;

interface MediaTypeOfBody extends Named {
  readonly isNegotiated: boolean;
}

interface SpecifiedStatuses extends Named {
  readonly statuses: readonly string[];
}

interface NamedParameter extends Named {
  readonly in: string;
}

interface RenamedParameter extends NamedParameter {
  readonly after: string;
}

const parameterRemoved = { rule: "parameter-removed", breaks: always } as const;
const parameterRequired = { rule: "parameter-became-required", breaks: forSenders } as const;

/** Differences of parameters, bodies, responses and headers. */
const messageDifferences = {
  "parameter-added": define({ kind: "added", sentence: () => ["The parameter was added."] }),
  "required-parameter-added": define({
    ...parameterRequired,
    kind: "added",
    sentence: (one: NamedParameter) => phrase`Required ${codeOf(one.name)} ${one.in} parameter was added.`,
  }),
  "parameter-removed": define({
    ...parameterRemoved,
    ...{ kind: "removed", isAnnounced: true },
    sentence: (one: NamedParameter & Removal) =>
      phrase`${codeOf(one.name)} ${one.in} parameter was removed${announcement(one)}.`,
  }),
  "parameter-moved": define({
    ...parameterRemoved,
    kind: "changed",
    sentence: (one: RenamedParameter) =>
      phrase`The ${one.in} parameter ${codeOf(one.name)} is now a ${one.after} parameter.`,
  }),
  "parameter-renamed": define({
    ...parameterRemoved,
    kind: "changed",
    sentence: (one: RenamedParameter) =>
      phrase`The ${one.in} parameter ${codeOf(one.name)} was renamed to ${codeOf(one.after)}.`,
  }),
  "parameter-became-required": define({
    ...parameterRequired,
    kind: "changed",
    sentence: (one: NamedParameter) => phrase`${codeOf(one.name)} ${one.in} parameter became required.`,
  }),
  "parameter-became-optional": define({
    kind: "changed",
    sentence: (one: NamedParameter) => phrase`${codeOf(one.name)} ${one.in} parameter is no longer required.`,
  }),
  "parameter-serialization-changed": define({
    ...{ kind: "changed", rule: "parameter-serialization-changed", breaks: forUsers },
    sentence: fieldPhrase,
  }),
  "parameter-serialization-extended": define({ kind: "changed", sentence: fieldPhrase }),
  "parameter-content-changed": define({
    ...{ kind: "changed", rule: "parameter-content-changed", breaks: forUsers },
    sentence: ({ after }: { readonly after: "schema" | "content" }) => [
      after === "schema" ? "The value is now written in a style." : "The value is now written in a media type.",
    ],
  }),
  "request-body-added": define({
    ...{ kind: "added", rule: "request-body-added" },
    breaks: ({ direction }, { isRequired }: { readonly isRequired: boolean }) => direction === "request" && isRequired,
    sentence: () => ["The request body was added."],
  }),
  "request-body-removed": define({
    ...{ kind: "removed", rule: "request-body-removed", breaks: always },
    sentence: () => ["Request body was removed."],
  }),
  "request-body-became-required": define({
    ...{ kind: "changed", rule: "request-body-became-required", breaks: forSenders },
    sentence: () => ["Request body became required."],
  }),
  // Of a callback, the service sends the body.
  "request-body-became-optional": define({
    ...{ kind: "changed", rule: "request-body-became-required", breaks: forReceivers },
    sentence: () => ["Request body is no longer required."],
  }),
  // Receivers of a webhook don't negotiate.
  "media-type-added": define({
    ...{ kind: "added", rule: "media-type-added" },
    breaks: ({ direction }, { isNegotiated }: MediaTypeOfBody) => direction === "response" && !isNegotiated,
    sentence: ({ name }: Named) => phrase`Media type ${codeOf(name)} was added.`,
  }),
  "media-type-changed": define({
    ...{ kind: "changed", rule: "media-type-removed", breaks: byExtent },
    sentence: ({ before, after }: Renaming) => phrase`Media type ${codeOf(before)} became ${codeOf(after)}.`,
  }),
  "media-type-respelled": define({
    ...{ kind: "reworded", isNote: true },
    sentence: ({ before, after }: Renaming) => phrase`Media type ${codeOf(before)} is written ${codeOf(after)} now.`,
  }),
  "media-type-removed": define({
    ...{ kind: "removed", rule: "media-type-removed" },
    breaks: ({ direction }, { isNegotiated }: MediaTypeOfBody) =>
      direction === "request" || (direction === "response" && isNegotiated),
    sentence: ({ name }: Named) => phrase`Media type ${codeOf(name)} was removed.`,
  }),
  "encoding-changed": define({
    ...{ kind: "changed", rule: "encoding-changed", breaks: byExtent },
    sentence: ({ name, ...change }: Named & FieldChange) =>
      phrase`The encoding of ${codeOf(name)}: ${fieldPhrase(change)}`,
  }),
  "response-added": define({
    ...{ kind: "added", rule: "response-success-added" },
    breaks: (_, { isNewContent }: { readonly isNewContent: boolean }) => isNewContent,
    sentence: () => ["The response was added."],
  }),
  "response-removed": define({
    ...{ kind: "removed", rule: "response-removed" },
    breaks: (_, { isSuccess }: { readonly name: string; readonly isSuccess: boolean }) => isSuccess,
    sentence: ({ name }: Named) => phrase`Response ${codeOf(name)} was removed.`,
  }),
  "response-status-changed": define({
    ...{ kind: "changed", rule: "response-removed", breaks: always },
    sentence: ({ before, after }: Renaming) => phrase`Response ${codeOf(before)} became ${codeOf(after)}.`,
  }),
  "response-status-specified": define({
    ...{ kind: "clarified", isNote: true },
    sentence: ({ name, statuses }: SpecifiedStatuses) =>
      phrase`Response ${codeOf(name)} is specified now: ${codeList(statuses)}.`,
  }),
  "header-added": define({
    ...{ kind: "added", rule: "header-required" },
    breaks: ({ direction }, { isRequired }: Named & { readonly isRequired: boolean }) =>
      direction === "request" && isRequired,
    sentence: (_: Named & { readonly isRequired: boolean }) => ["The header was added."],
  }),
  "header-removed": define({
    ...{ kind: "removed", rule: "response-header-removed", breaks: forReceivers, isAnnounced: true },
    sentence: (removal: Named & Removal) => [`The header was removed${announcement(removal)}.`],
  }),
  "header-became-required": define({
    ...{ kind: "changed", rule: "header-required", breaks: forSenders },
    sentence: (_: Named) => ["The header became required."],
  }),
  "header-became-optional": define({
    ...{ kind: "changed", rule: "response-header-optional", breaks: forReceivers },
    sentence: (_: Named) => ["The header is no longer required."],
  }),
} as const;

const constrained = { kind: "changed", rule: "schema-constraint-changed", breaks: byExtent } as const;
const combined = { rule: "schema-combinator-changed" } as const;
const propertyRemoved = { request: "request-property-removed", response: "property-removed" } as const;

interface EnumChange {
  readonly gained: readonly unknown[];
  readonly lost: readonly unknown[];
}

function enumPhrase({ gained, lost }: EnumChange): Phrase {
  const parts = [
    ...(gained.length > 0 ? [`gained values: ${valueList(gained)}`] : []),
    ...(lost.length > 0 ? [`lost values: ${valueList(lost)}`] : []),
  ];
  return [`Enum ${parts.join("; ")}.`];
}

interface Keyword {
  readonly keyword: string;
}

/** An alternative of a keyword, by its name if it has one. */
interface Alternative extends Keyword {
  readonly name: string | undefined;
}

const alternativePhrase = ({ name }: Alternative) =>
  name === undefined ? ["An alternative"] : phrase`The alternative ${codeOf(name)}`;

/** Names of properties. */
interface Properties {
  readonly names: readonly string[];
}

interface Mark {
  readonly mark: string;
}

/** Differences of schemas and their keywords. */
const schemaDifferences = {
  "schema-type-changed": define({
    ...{ kind: "changed", rule: "schema-type-changed", breaks: byExtent },
    sentence: ({ before, after }: { readonly before: readonly string[]; readonly after: readonly string[] }) => [
      `Type changed from '${before.join(" | ") || "any"}' to '${after.join(" | ") || "any"}'.`,
    ],
  }),
  "schema-constraint-changed": define({ ...constrained, sentence: fieldPhrase }),
  "schema-bound-changed": define({ ...constrained, sentence: boundPhrase }),
  "schema-forbidden": define({ ...constrained, sentence: () => ["No value is accepted any more."] }),
  "schema-allowed": define({ ...constrained, sentence: () => ["Values are accepted now."] }),
  "enum-added": define({
    ...{ kind: "changed", rule: "enum-values-removed", breaks: forSenders },
    sentence: fieldPhrase,
  }),
  "enum-removed": define({
    ...{ kind: "changed", rule: "enum-values-added", breaks: forReceivers },
    sentence: () => ["Enum was removed."],
  }),
  "enum-changed": define({
    ...{ kind: "changed", rule: { request: "enum-values-removed", response: "enum-values-added" } },
    breaks: ({ direction }, { lost, gained }: EnumChange) =>
      (direction === "request" && lost.length > 0) || (direction === "response" && gained.length > 0),
    sentence: enumPhrase,
  }),
  "default-changed": define({
    ...{ kind: "changed", rule: "default-changed" },
    breaks: ({ direction }, { before }: FieldChange) => direction === "request" && before !== undefined,
    sentence: fieldPhrase,
  }),
  "known-values-changed": define({
    ...{ kind: "changed", rule: "known-values-removed" },
    breaks: ({ direction }, { lost }: FieldChange & { readonly lost: readonly string[] }) =>
      direction === "request" && lost.length > 0,
    sentence: fieldPhrase,
  }),
  "direction-mark-added": define({
    ...{ kind: "changed", rule: { request: "request-read-only", response: "response-write-only" }, breaks: forUsers },
    sentence: ({ mark }: Mark) => phrase`${codeOf(mark)} was set to ${codeOf("true")}.`,
  }),
  "direction-mark-removed": define({
    kind: "changed",
    sentence: ({ mark }: Mark) => phrase`${codeOf(mark)} was removed.`,
  }),
  "property-added": define({
    kind: "added",
    sentence: () => ["The field was added."],
    listed: () => ({ head: "New fields", text: [] }),
  }),
  "property-removed": define({
    ...{ kind: "removed", rule: propertyRemoved, isAnnounced: true, breaks: forUsers },
    sentence: ({ name, ...removal }: Named & Removal) =>
      phrase`Property ${codeOf(name)} was removed${announcement(removal)}.`,
  }),
  "properties-removed": define({
    ...{ kind: "removed", rule: propertyRemoved, breaks: forUsers },
    sentence: ({ names }: Properties) => phrase`All properties were removed: ${codeList(names)}.`,
  }),
  "property-renamed": define({
    ...{ kind: "changed", rule: propertyRemoved, breaks: forUsers },
    sentence: ({ before, after }: Renaming) => phrase`Property ${codeOf(before)} was renamed to ${codeOf(after)}.`,
  }),
  "properties-became-required": define({
    ...{ kind: "changed", rule: "required-properties-added", breaks: forSenders },
    sentence: ({ names }: Properties) => phrase`Properties became required: ${codeList(names)}.`,
  }),
  "properties-became-optional": define({
    ...{ kind: "changed", rule: "required-properties-removed", breaks: forReceivers },
    sentence: ({ names }: Properties) => phrase`Properties are no longer required: ${codeList(names)}.`,
  }),
  "subschema-forbidden": define({
    ...constrained,
    sentence: ({ keyword }: Keyword) => phrase`${codeOf(keyword)} was set to ${codeOf("false")}.`,
  }),
  "subschema-opened": define({
    ...constrained,
    sentence: ({ keyword }: Keyword) => phrase`${codeOf(keyword)} was opened.`,
  }),
  "alternative-added": define({
    ...{ ...combined, kind: "added", breaks: byExtent },
    sentence: (one: Alternative) => phrase`${alternativePhrase(one)} of ${codeOf(one.keyword)} was added.`,
  }),
  "alternative-removed": define({
    ...{ ...combined, kind: "removed", breaks: byExtent },
    sentence: (one: Alternative) => phrase`${alternativePhrase(one)} of ${codeOf(one.keyword)} was removed.`,
  }),
  "alternatives-added": define({
    ...{ ...combined, kind: "added", breaks: byExtent },
    sentence: ({ keyword }: Keyword) => phrase`${codeOf(keyword)} was added.`,
  }),
  "alternatives-removed": define({
    ...{ ...combined, kind: "removed", breaks: byExtent },
    sentence: ({ keyword }: Keyword) => phrase`${codeOf(keyword)} was removed.`,
  }),
  "alternatives-changed": define({
    ...{ ...combined, kind: "changed", breaks: byExtent },
    sentence: ({ before, after }: Renaming) => phrase`${codeOf(before)} became ${codeOf(after)}.`,
  }),
  "discriminator-added": define({ kind: "added", sentence: () => phrase`${codeOf("discriminator")} was added.` }),
  "discriminator-removed": define({ kind: "removed", sentence: () => phrase`${codeOf("discriminator")} was removed.` }),
  "discriminator-property-changed": define({
    ...{ kind: "changed", rule: "discriminator-changed", breaks: forUsers },
    sentence: ({ before, after }: Renaming) =>
      phrase`${codeOf("propertyName")} of ${codeOf("discriminator")} changed from ${codeOf(before)} to ${codeOf(after)}.`,
  }),
  "discriminator-value-added": define({
    ...{ kind: "added", rule: "discriminator-changed" },
    breaks: ({ direction }, { isListed }: DiscriminatorValue) => direction !== undefined && !isListed,
    sentence: ({ value }: DiscriminatorValue) => phrase`${discriminatorValue(value)} was added.`,
  }),
  "discriminator-value-removed": define({
    ...{ kind: "removed", rule: "discriminator-changed" },
    breaks: ({ direction }, { isListed }: DiscriminatorValue) => direction !== undefined && !isListed,
    sentence: ({ value }: DiscriminatorValue) => phrase`${discriminatorValue(value)} was removed.`,
  }),
  "discriminator-value-changed": define({
    ...{ kind: "changed", rule: "discriminator-changed", breaks: forUsers },
    sentence: ({ value }: { readonly value: string }) =>
      phrase`${discriminatorValue(value)} stands for another schema.`,
  }),
  "schema-removed": define({
    kind: "removed",
    sentence: () => ["The schema was removed."],
  }),
  "schema-renamed": define({
    kind: "changed",
    sentence: ({ before, after }: Renaming) => phrase`${codeOf(before)} was renamed to ${codeOf(after)}.`,
  }),
} as const;

/** A value in the mapping of a discriminator, and whether the schemas list the values of the property, too. */
interface DiscriminatorValue {
  readonly value: string;
  readonly isListed: boolean;
}

function discriminatorValue(value: string): Phrase {
  return phrase`The value ${codeOf(value)} of ${codeOf("discriminator")}`;
}

const note = { kind: "reworded", isNote: true } as const;

/** Differences that change neither requests nor responses. */
const notes = {
  "note-changed": define({ ...note, sentence: fieldPhrase }),
  "prose-changed": define({ ...note, sentence: prosePhrase }),
  "anything-written": define({
    ...note,
    sentence: ({ keyword, change }: Keyword & { readonly change: "added" | "removed" }) =>
      phrase`${codeOf(keyword)}, which allows every value, was ${change}.`,
  }),
  "tag-added": define({ ...note, sentence: () => ["The tag was added."] }),
  "tag-removed": define({ ...note, sentence: () => ["The tag was removed."] }),
  "gaps-closed": define({
    ...{ ...note, kind: "clarified" },
    sentence: ({ gaps }: Gaps) => [`Now specified: ${gaps.join(", ")}.`],
    listed: ({ gaps }: Gaps) => ({ head: "Now specified", text: [gaps.join(", ")] }),
  }),
  "gaps-opened": define({
    kind: "changed",
    sentence: ({ gaps }: Gaps) => [`Not specified: ${gaps.join(", ")}.`],
    listed: ({ gaps }: Gaps) => ({ head: "Not specified", text: [gaps.join(", ")] }),
  }),
} as const;

/** What no rule covers. It may break the programs of all who send or receive the values. */
const others = {
  uncompared: define({
    ...{ kind: "changed", rule: "uncompared-change", breaks: forUsers },
    sentence: ({ field }: { readonly field: string }) => phrase`${codeOf(field)} changed in a way that isn't compared.`,
  }),
} as const;

const table = {
  ...lifecycleDifferences,
  ...operationDifferences,
  ...securityDifferences,
  ...messageDifferences,
  ...schemaDifferences,
  ...notes,
  ...others,
} as const;

export type DifferenceCode = keyof typeof table;

/** The facts that the sentence of each kind of difference has. */
type FactsByCode = { readonly [Code in DifferenceCode]: Parameters<(typeof table)[Code]["sentence"]>[0] };

export type FactsOf<Code extends DifferenceCode> = FactsByCode[Code];

/** The rules that breaking differences violate. */
export const rules: readonly string[] = [
  ...new Set(
    Object.values<DifferenceType<never>>(table).flatMap(({ rule }) =>
      typeof rule === "object" ? Object.values(rule) : (rule ?? []),
    ),
  ),
];

/** Each kind of difference with its rule, its impact and its sentence. */
export const differenceTypes: { readonly [Code in DifferenceCode]: DifferenceType<FactsByCode[Code]> } = table;
