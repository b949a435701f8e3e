import type { Answer } from "../problemDetails.ts";
import type { World } from "../state/world.ts";

/** The last answers to requests that only read, by all that was sent: clients ask for the same again and again. */
export interface RecentAnswers {
  readonly answers: Map<string, RecentAnswer>;
  /** The characters of their bodies. */
  size: number;
}

interface RecentAnswer {
  readonly answer: Answer;
  /** Not the world itself: what a session has written must not stay because of this. */
  readonly world: number;
  readonly version: number;
}

const mostAnswers = 100;
const mostCharacters = 8 * 2 ** 20;

export function createRecentAnswers(): RecentAnswers {
  return { answers: new Map(), size: 0 };
}

/** The answer to an earlier request with the same key, if nothing was written since. */
export function recallAnswer({ answers }: RecentAnswers, key: string, world: World): Answer | undefined {
  const known = answers.get(key);
  return known?.world === world.id && known.version === world.version ? known.answer : undefined;
}

export function keepAnswer(recent: RecentAnswers, key: string, world: World, answer: Answer): void {
  const size = answer.body?.length ?? 0;
  if (recent.answers.size >= mostAnswers || recent.size + size > mostCharacters) {
    recent.answers.clear();
    recent.size = 0;
  }
  recent.size += size - (recent.answers.get(key)?.answer.body?.length ?? 0);
  recent.answers.set(key, { answer, world: world.id, version: world.version });
}
