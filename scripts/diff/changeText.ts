import { describePlace } from "../contract/gaps.ts";
import type { Deprecation, Difference, Subject } from "./changes.ts";
import { codeOf, phrase, type Phrase } from "../report/phrase.ts";

/** A change in words. Its subject can be replaced. */
export function changePhrase({ fact, subject: own }: Difference, subject: Subject = own): Phrase {
  switch (fact.type) {
    case "sentence":
      return [...introductionOf(subject), ...fact.words];
    case "sunset":
      return sunsetPhrase(subjectPhrase(subject), fact.day, fact.former);
    case "deprecation":
      return deprecationPhrase(subjectPhrase(subject), fact);
  }
}

/** The operation in the message on a change. `undefined` if it names none. */
export function namedOperation({ fact, subject }: Difference): string | undefined {
  if (subject.type !== "operation") return undefined;
  return fact.type !== "sentence" || fact.isNamed === true ? subject.name : undefined;
}

/** A subject for the beginning of a sentence. */
function subjectPhrase(subject: Subject): Phrase {
  if (subject.type === "generation") return ["The generation"];
  if (subject.type === "every operation") return ["Every operation"];
  const isPart = subject.type === "place" && subject.part !== "";
  return phrase`${isPart ? `The ${subject.part} ` : ""}${codeOf(subject.name)}`;
}

/** The introduction of a sentence about a part of an operation, or about a schema. */
function introductionOf(subject: Subject): Phrase {
  return subject.type === "place" ? [`${describePlace(subject)}: `] : [];
}

function sunsetPhrase(subject: Phrase, day?: string, former?: string): Phrase {
  if (day === undefined) return phrase`${subject} is no longer due to be removed.`;
  return phrase`${subject} will be removed on ${day}${former === undefined ? "" : `, not on ${former}`}.`;
}

function deprecationPhrase(subject: Phrase, { isDeprecated, since, sunset }: Deprecation): Phrase {
  if (!isDeprecated) return phrase`${subject} is no longer deprecated.`;
  const beginning = since === undefined ? "" : ` as of ${since}`;
  const end = sunset === undefined ? "" : `, and will be removed on ${sunset}`;
  return phrase`${subject} is deprecated${beginning}${end}.`;
}
