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

/** Whether a difference is breaking, and what else its report has. */
interface Rating<Facts> {
  /** The rule that a breaking difference violates. It may depend on who sends the values. */
  readonly rule?: string | Readonly<Record<Direction, string>> | undefined;
  /** Whose programs it breaks. The facts may say that it breaks none. Without it, it's never breaking. */
  readonly breaks?: (circumstances: Circumstances, facts: Facts) => boolean;
  /** True for the removal of something that can be deprecated. Its facts say how it was announced. */
  readonly isAnnounced?: true;
  /** True for a note, which changes neither requests nor responses. */
  readonly isNote?: true;
  readonly listed?: (facts: Facts) => Listed;
}

/** A kind of difference: its rule, its impact and its sentence. */
export interface DifferenceType<Facts> extends Rating<Facts> {
  readonly kind: ChangeKind;
  readonly sentence: (facts: Facts) => Phrase;
}

/** Infers the facts of a kind of difference from its sentence. */
function define<Facts extends object>(
  kind: ChangeKind,
  sentence: string | ((facts: Facts) => string | Phrase),
  rating: Rating<Facts> = {},
): DifferenceType<Facts> {
  const tell = typeof sentence === "string" ? () => sentence : sentence;
  return { ...rating, kind, sentence: (facts) => [tell(facts)].flat() };
}

const forUsers = ({ direction }: Circumstances) => direction !== undefined;
const forSenders = ({ direction }: Circumstances) => direction === "request";
const forReceivers = ({ direction }: Circumstances) => direction === "response";

/** Breaks the programs of those who send the values if fewer are allowed, and of those who receive them if more are. */
function byExtent({ direction, extent = "same" }: Circumstances): boolean {
  if (extent === "same" || direction === undefined) return false;
  return extent === "other" || direction === (extent === "fewer" ? "request" : "response");
}

/** Breaking only if there was something before. */
const ifReplaced = (_: Circumstances, { before }: FieldChange) => before !== undefined;

/** The rating of a difference that breaks a rule, and programs: all of them by default. */
function breaking<Facts>(
  rule: Rating<Facts>["rule"],
  breaks: NonNullable<Rating<Facts>["breaks"]> = () => true,
): Rating<Facts> {
  return { rule, breaks };
}

interface Named {
  readonly name: string;
}

/** Several names: of properties, or of security schemes that are required together. */
interface Names {
  readonly names: readonly string[];
}

/** A name, and what it became. */
interface Renaming {
  readonly before: string;
  readonly after: string;
}

/** Sentences on a name: `Server /v2 was added.` */
const telling =
  (noun: string, verb: string) =>
  ({ name }: Named) =>
    phrase`${noun} ${codeOf(name)} ${verb}.`;

/** Sentences on a name and what it became: `Server /v1 became /v2.` */
const replacing =
  (noun: string, verb = "became") =>
  ({ before, after }: Renaming) =>
    phrase`${noun}${codeOf(before)} ${verb} ${codeOf(after)}.`;

/** Sentences on several names: `Properties became required: id, name.` */
const listing =
  (what: string) =>
  ({ names }: Names) =>
    phrase`${what}: ${codeList(names)}.`;

/** Sentences on the value of a keyword. */
const setting =
  (verb: string, value?: string) =>
  ({ keyword }: { readonly keyword: string }) =>
    phrase`${codeOf(keyword)} ${verb}${value === undefined ? "" : phrase` ${codeOf(value)}`}.`;

/** The value of a limiting keyword in two states, and the name for both keywords. */
interface BoundChange {
  readonly name: string;
  readonly before: Bound;
  readonly after: Bound;
}

/** The stricter limiting keyword of a side, and its value. */
export interface Bound {
  readonly keyword: string;
  readonly value: number | undefined;
  readonly isExclusive: boolean;
}

function boundPhrase({ name, before, after }: BoundChange): string | Phrase {
  if (after.value === undefined) return `${name} was removed.`;
  const isOneKeyword = before.keyword === after.keyword || before.value === undefined;
  if (isOneKeyword) return fieldPhrase({ field: after.keyword, before: before.value, after: after.value });
  const valueOf = ({ value, isExclusive }: Bound) =>
    phrase`${codeOf(String(value ?? ""))}${isExclusive ? " (not included)" : ""}`;
  return phrase`${name} changed from ${valueOf(before)} to ${valueOf(after)}.`;
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
  return notice === undefined ? "" : announcements[notice](since === undefined ? "" : ` in ${since}`, sunset);
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

/** Differences of the lifecycle. */
const lifecycleDifferences = {
  deprecated: define("deprecated", deprecationText),
  "deprecation-dated": define("deprecated", fieldPhrase),
  undeprecated: define("changed", "No longer deprecated."),
  "sunset-set": define("deprecated", ({ after }: { readonly after: string }) => `Due to be removed on ${after}.`),
  "sunset-moved": define(
    "deprecated",
    ({ before, after }: Renaming) => `Due to be removed on ${after}, not on ${before}.`,
    { rule: "sunset-earlier", breaks: (_, { before, after }) => after < before },
  ),
  "sunset-removed": define("changed", "No longer due to be removed."),
} as const;

const generationRemoved = breaking("generation-removed");
const pathRemoved = breaking("path-removed");
const serverRemoved = breaking("server-removed");

/** Differences of generations, paths, operations and servers. */
const operationDifferences = {
  "generation-added": define("added", ({ name }: Named) => `The generation ${name} was added.`),
  "generation-removed": define(
    "removed",
    ({ name }: Named) => `The generation ${name} was removed.`,
    generationRemoved,
  ),
  "path-renamed": define("changed", replacing("Path ", "was renamed to"), pathRemoved),
  "path-parameters-renamed": define(
    "changed",
    ({ before, after }: Renaming) =>
      phrase`The path parameters of ${codeOf(before)} have other names: ${codeOf(after)}.`,
    breaking("name"),
  ),
  "webhook-renamed": define("changed", replacing("Webhook ", "was renamed to"), pathRemoved),
  "operation-added": define("added", "The operation was added.", {
    listed: ({ title }: { readonly name: string; readonly title: string }) => ({ text: [title] }),
  }),
  "operation-removed": define("removed", (one: Removal) => `The operation was removed${announcement(one)}.`, {
    ...{ ...breaking("operation-removed"), isAnnounced: true },
  }),
  "operation-id-changed": define("changed", fieldPhrase, breaking("operation-id-changed", ifReplaced)),
  "pagination-changed": define("changed", fieldPhrase, breaking("pagination-changed", ifReplaced)),
  "server-added": define("added", telling("Server", "was added")),
  "server-removed": define("removed", telling("Server", "was removed"), serverRemoved),
  "server-replaced": define("changed", replacing("Server "), serverRemoved),
  // Consumers who have filled in the URL are not affected.
  "server-variable-default-changed": define(
    "changed",
    ({ name, ...change }: Named & FieldChange) => phrase`The variable ${codeOf(name)}: ${fieldPhrase(change)}`,
  ),
} as const;

/** Says what became of credentials that are required together. */
const requirement =
  (verb: string) =>
  ({ names }: Names) =>
    phrase`Security requirement ${codeOf(names.join(" + "))} ${verb}.`;

/** Says which of them have become required, or no longer are. */
const changedRequirement =
  (verb: string) =>
  ({ names, others }: Names & { readonly others: readonly string[] }) =>
    phrase`Security requirement ${codeOf(names.join(" + "))} ${verb} ${codeList(others)}.`;

const requirementChanged = breaking("security-requirement-changed", forSenders);
// Receivers of a webhook that check the credentials.
const requirementEased = breaking("webhook-credentials-changed", forReceivers);
const schemeChanged = breaking("security-scheme-changed");

/** Differences of the credentials that operations accept, and of security schemes. */
const securityDifferences = {
  "credentials-required": define("changed", "Credentials are now required.", requirementChanged),
  "credentials-unneeded": define("changed", "Credentials are no longer needed.", requirementEased),
  "credentials-optional": define("changed", "Credentials are now optional.", requirementEased),
  "security-requirement-added": define("added", requirement("is accepted now"), requirementEased),
  "security-requirement-removed": define("changed", requirement("is no longer accepted"), requirementChanged),
  "security-requirement-extended": define("changed", changedRequirement("now requires"), requirementChanged),
  "security-requirement-reduced": define("changed", changedRequirement("no longer requires"), requirementEased),
  "required-scopes-added": define(
    "changed",
    ({ name, values }: Named & { readonly values: readonly unknown[] }) =>
      phrase`Security scheme ${codeOf(name)} requires new scopes: ${valueList(values)}.`,
    requirementChanged,
  ),
  "required-scopes-removed": define("changed", requirement("requires fewer scopes"), requirementEased),
  "security-scheme-added": define("added", "The security scheme was added."),
  "security-scheme-removed": define("removed", telling("Security scheme", "was removed"), schemeChanged),
  "security-scheme-renamed": define("changed", replacing("", "was renamed to"), breaking("name-changed")),
  "security-scheme-changed": define("changed", fieldPhrase, schemeChanged),
  // The format of a token is a hint (OpenAPI 3.1.1, section 4.8.27.1), and another type is told once.
  "security-scheme-hint-changed": define("changed", fieldPhrase),
} as const;

interface NamedParameter extends Named {
  readonly in: string;
}

const parameter = (verb: string) => (one: NamedParameter) => phrase`${codeOf(one.name)} ${one.in} parameter ${verb}.`;

interface RenamedParameter extends NamedParameter {
  readonly after: string;
}

const parameterRemoved = breaking("parameter-removed");
const parameterRequired = breaking("parameter-became-required", forSenders);
const bodyRequired = breaking("request-body-became-required", forSenders);
const bodyOptional = breaking("request-body-became-required", forReceivers);
const bodyAdded = breaking(
  "request-body-added",
  (who, one: { readonly isRequired: boolean }) => forSenders(who) && one.isRequired,
);
// The receiver of a response chooses its media type. Receivers of a webhook don't.
const mediaTypeAdded = breaking(
  "media-type-added",
  (who, one: Named & { readonly isNegotiated: boolean }) => forReceivers(who) && !one.isNegotiated,
);
const mediaTypeRemoved = breaking(
  "media-type-removed",
  (who, one: Named & { readonly isNegotiated: boolean }) => forSenders(who) || (forReceivers(who) && one.isNegotiated),
);
const responseAdded = breaking(
  "response-success-added",
  (_, one: { readonly isNewContent: boolean }) => one.isNewContent,
);
const responseRemoved = breaking(
  "response-removed",
  (_, one: Named & { readonly isSuccess: boolean }) => one.isSuccess,
);
const headerAdded = breaking(
  "header-required",
  (who, one: Named & { readonly isRequired: boolean }) => forSenders(who) && one.isRequired,
);
const headerOptional = breaking("response-header-optional", forReceivers);

/** Differences of parameters, bodies, responses and headers. */
const messageDifferences = {
  "parameter-added": define("added", "The parameter was added."),
  "required-parameter-added": define(
    "added",
    (one: NamedParameter) => phrase`Required ${codeOf(one.name)} ${one.in} parameter was added.`,
    parameterRequired,
  ),
  "parameter-removed": define(
    "removed",
    (one: NamedParameter & Removal) => phrase`${codeOf(one.name)} ${one.in} parameter was removed${announcement(one)}.`,
    { ...parameterRemoved, isAnnounced: true },
  ),
  "parameter-moved": define(
    "changed",
    (one: RenamedParameter) => phrase`The ${one.in} parameter ${codeOf(one.name)} is now a ${one.after} parameter.`,
    parameterRemoved,
  ),
  "parameter-renamed": define(
    "changed",
    (one: RenamedParameter) => phrase`The ${one.in} parameter ${codeOf(one.name)} was renamed to ${codeOf(one.after)}.`,
    parameterRemoved,
  ),
  "parameter-became-required": define("changed", parameter("became required"), parameterRequired),
  "parameter-became-optional": define("changed", parameter("is no longer required")),
  "request-body-added": define("added", "The request body was added.", bodyAdded),
  "request-body-removed": define("removed", "Request body was removed.", breaking("request-body-removed")),
  "request-body-became-required": define("changed", "Request body became required.", bodyRequired),
  // Of a webhook, the service sends the body.
  "request-body-became-optional": define("changed", "Request body is no longer required.", bodyOptional),
  "media-type-added": define("added", telling("Media type", "was added"), mediaTypeAdded),
  "media-type-changed": define("changed", replacing("Media type "), breaking("media-type-removed", byExtent)),
  "media-type-respelled": define(
    "reworded",
    ({ before, after }: Renaming) => phrase`Media type ${codeOf(before)} is written ${codeOf(after)} now.`,
    { isNote: true },
  ),
  "media-type-removed": define("removed", telling("Media type", "was removed"), mediaTypeRemoved),
  "encoding-changed": define(
    "changed",
    ({ name, ...change }: Named & FieldChange) => phrase`The encoding of ${codeOf(name)}: ${fieldPhrase(change)}`,
    breaking("encoding-changed", byExtent),
  ),
  "response-added": define("added", "The response was added.", responseAdded),
  "response-removed": define("removed", telling("Response", "was removed"), responseRemoved),
  "response-status-changed": define("changed", replacing("Response "), breaking("response-removed")),
  "response-status-specified": define(
    "clarified",
    ({ name, statuses }: Named & { readonly statuses: readonly string[] }) =>
      phrase`Response ${codeOf(name)} is specified now: ${codeList(statuses)}.`,
    { isNote: true },
  ),
  "header-added": define("added", "The header was added.", headerAdded),
  "header-removed": define("removed", (one: Named & Removal) => `The header was removed${announcement(one)}.`, {
    ...{ ...breaking("response-header-removed", forReceivers), isAnnounced: true },
  }),
  "header-became-required": define("changed", "The header became required.", breaking("header-required", forSenders)),
  "header-became-optional": define("changed", "The header is no longer required.", headerOptional),
} as const;

const constrained = breaking("schema-constraint-changed", byExtent);
const combined = breaking("schema-combinator-changed", byExtent);
const markAdded = breaking({ request: "request-read-only", response: "response-write-only" }, forUsers);
const propertyRemoved = breaking({ request: "request-property-removed", response: "property-removed" }, forUsers);
const discriminated = breaking("discriminator-changed", forUsers);

interface EnumChange {
  readonly gained: readonly unknown[];
  readonly lost: readonly unknown[];
}

function enumText({ gained, lost }: EnumChange): string {
  const parts = [
    ...(gained.length > 0 ? [`gained values: ${valueList(gained)}`] : []),
    ...(lost.length > 0 ? [`lost values: ${valueList(lost)}`] : []),
  ];
  return `Enum ${parts.join("; ")}.`;
}

/** Says what became of an alternative, by its name if it has one. */
const alternative =
  (verb: string) =>
  ({ keyword, name }: { readonly keyword: string; readonly name: string | undefined }) => {
    const noun = name === undefined ? ["An alternative"] : phrase`The alternative ${codeOf(name)}`;
    return phrase`${noun} of ${codeOf(keyword)} ${verb}.`;
  };

/** A value in the mapping of a discriminator, and whether the schemas list the values of the property, too. */
interface DiscriminatorValue {
  readonly value: string;
  readonly isListed: boolean;
}

const discriminator = codeOf("discriminator");

const discriminatorValue =
  (verb: string) =>
  ({ value }: Pick<DiscriminatorValue, "value">) =>
    phrase`The value ${codeOf(value)} of ${discriminator} ${verb}.`;

const unlisted = {
  rule: "discriminator-changed",
  breaks: (who: Circumstances, { isListed }: DiscriminatorValue) => forUsers(who) && !isListed,
} as const;

/** Differences of schemas and their keywords. */
const schemaDifferences = {
  "schema-type-changed": define(
    "changed",
    ({ before, after }: { readonly before: readonly string[]; readonly after: readonly string[] }) =>
      `Type changed from '${before.join(" | ") || "any"}' to '${after.join(" | ") || "any"}'.`,
    breaking("schema-type-changed", byExtent),
  ),
  "schema-constraint-changed": define("changed", fieldPhrase, constrained),
  "schema-bound-changed": define("changed", boundPhrase, constrained),
  "enum-added": define("changed", fieldPhrase, breaking("enum-values-removed", forSenders)),
  "enum-removed": define("changed", "Enum was removed.", breaking("enum-values-added", forReceivers)),
  "enum-changed": define("changed", enumText, {
    rule: { request: "enum-values-removed", response: "enum-values-added" },
    breaks: (who, { lost, gained }) => (forSenders(who) && lost.length > 0) || (forReceivers(who) && gained.length > 0),
  }),
  "default-changed": define(
    "changed",
    fieldPhrase,
    breaking("default-changed", (who, { before }) => forSenders(who) && before !== undefined),
  ),
  "known-values-changed": define(
    "changed",
    fieldPhrase,
    breaking(
      "known-values-removed",
      (who, { lost }: FieldChange & { readonly lost: readonly string[] }) => forSenders(who) && lost.length > 0,
    ),
  ),
  "direction-mark-added": define("changed", setting("was set to", "true"), markAdded),
  "direction-mark-removed": define("changed", setting("was removed")),
  "property-added": define("added", "The field was added.", {
    listed: () => ({ head: "New fields", text: [] }),
  }),
  "property-removed": define(
    "removed",
    (one: Named & Removal) => phrase`Property ${codeOf(one.name)} was removed${announcement(one)}.`,
    { ...propertyRemoved, isAnnounced: true },
  ),
  "properties-removed": define("removed", listing("All properties were removed"), propertyRemoved),
  "property-renamed": define("changed", replacing("Property ", "was renamed to"), propertyRemoved),
  "properties-became-required": define(
    "changed",
    listing("Properties became required"),
    breaking("required-properties-added", forSenders),
  ),
  "properties-became-optional": define(
    "changed",
    listing("Properties are no longer required"),
    breaking("required-properties-removed", forReceivers),
  ),
  "subschema-forbidden": define("changed", setting("was set to", "false"), constrained),
  "subschema-opened": define("changed", setting("was opened"), constrained),
  "alternative-added": define("added", alternative("was added"), combined),
  "alternative-removed": define("removed", alternative("was removed"), combined),
  "alternatives-added": define("added", setting("was added"), combined),
  "alternatives-removed": define("removed", setting("was removed"), combined),
  "discriminator-added": define("added", () => phrase`${discriminator} was added.`),
  "discriminator-removed": define("removed", () => phrase`${discriminator} was removed.`),
  "discriminator-property-changed": define(
    "changed",
    ({ before, after }: Renaming) =>
      phrase`${codeOf("propertyName")} of ${discriminator} changed from ${codeOf(before)} to ${codeOf(after)}.`,
    discriminated,
  ),
  "discriminator-value-added": define("added", discriminatorValue("was added"), unlisted),
  "discriminator-value-removed": define("removed", discriminatorValue("was removed"), unlisted),
  "discriminator-value-changed": define("changed", discriminatorValue("stands for another schema"), discriminated),
  "schema-removed": define("removed", "The schema was removed."),
  "schema-renamed": define("changed", replacing("", "was renamed to")),
} as const;

interface Gaps {
  readonly gaps: readonly string[];
}

const gapsText =
  (head: string) =>
  ({ gaps }: Gaps) =>
    `${head}: ${gaps.join(", ")}.`;

/** Lists gaps with those of other places in one item of the changelog. */
const gapsListed =
  (head: string) =>
  ({ gaps }: Gaps): Listed => ({ head, text: [gaps.join(", ")] });

/** Differences that change neither requests nor responses. */
const notes = {
  "note-changed": define("reworded", fieldPhrase, { isNote: true }),
  "prose-changed": define("reworded", prosePhrase, { isNote: true }),
  "anything-written": define(
    "reworded",
    ({ keyword, change }: { readonly keyword: string; readonly change: "added" | "removed" }) =>
      phrase`${codeOf(keyword)}, which allows every value, was ${change}.`,
    { isNote: true },
  ),
  "tag-added": define("reworded", "The tag was added.", { isNote: true }),
  "tag-removed": define("reworded", "The tag was removed.", { isNote: true }),
  "gaps-closed": define("clarified", gapsText("Now specified"), { isNote: true, listed: gapsListed("Now specified") }),
  "gaps-opened": define("changed", gapsText("Not specified"), { listed: gapsListed("Marked as not specified") }),
} as const;

/** What no rule covers. It may break the programs of all who send or receive the values. */
const others = {
  uncompared: define(
    "changed",
    ({ field }: { readonly field: string }) => phrase`${codeOf(field)} changed in a way that isn't compared.`,
    breaking("uncompared-change", forUsers),
  ),
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

/** The facts in the sentence of a kind of difference. */
export type FactsOf<Code extends DifferenceCode> = Parameters<(typeof table)[Code]["sentence"]>[0];

/** The rules that breaking differences violate. */
export const rules: readonly string[] = [
  ...new Set(
    Object.values<DifferenceType<never>>(table).flatMap(({ rule }) =>
      typeof rule === "object" ? Object.values(rule) : (rule ?? []),
    ),
  ),
];

/** Each kind of difference with its rule, its impact and its sentence. */
export const differenceTypes: { readonly [Code in DifferenceCode]: DifferenceType<FactsOf<Code>> } = table;
