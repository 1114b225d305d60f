// Answers that were given, for the same question asked again: within one scope, while what they rest on is as it was. Invariants: whatever changed
// since (documents, who may read them, sources, vectors) empties the cache; what was found in a hurry, by a stand-in or not at all is never kept.
import type { Answer, AskRequest, Reused } from '../../core/answer.ts';
import { searchOptionsOf } from '../../core/search.ts';
import { createRecent } from '../../core/values/recent.ts';

export interface KeptAnswer {
  readonly answer: Answer;
  /** As it was asked then. */
  readonly question: string;
  /** RFC 3339. */
  readonly at: string;
}

export interface AnswerCache {
  /** The answer to this question; undefined where there is none, or what it rests on has changed. */
  find(request: AskRequest, at: string): Promise<KeptAnswer | undefined>;
  /** Keeps an answer to a request for which none was found before. */
  put(request: AskRequest, answer: Answer, at: string): Promise<void>;
}

export interface AnswerCacheOptions {
  /** What answers of the scope rest on, as a text that changes with any of it. */
  readonly basis: () => Promise<string>;
  readonly ttlSeconds: number;
  /** Whether an answer was not deleted since. */
  readonly isThere: (answerId: string) => Promise<boolean>;
}

const most = 500;

/** Words of the question that ask for now, here or me: the same words have another answer tomorrow. */
const fleeting =
  /\b(?:now|today|tonight|yesterday|tomorrow|currently|recent(?:ly)?|latest|newest|this (?:week|month|year)|last (?:week|month|year)|i|me|my|we|our)\b/iu;
/** What was left out for reasons that last as long as the documents do. */
const lasting = new Set(['too-few-chunks', 'off', 'language-mismatch', 'claim-dropped', 'needs-model']);

export function createAnswerCache({ basis, ttlSeconds, isThere }: AnswerCacheOptions): AnswerCache {
  const kept = createRecent<string, KeptAnswer>(most);
  let restsOn = '';
  /** What the answers that are being made rest on: two may be asked the same, with a change between them. */
  const begun = new WeakMap<AskRequest, { readonly key: string; readonly before: string }>();

  return {
    async find(request, at) {
      const key = keyOf(request);
      if (key === undefined) return undefined;
      const now = await basis();
      if (now !== restsOn) kept.clear();
      restsOn = now;
      const found = kept.get(key);
      const age = found ? (Date.parse(at) - Date.parse(found.at)) / 1000 : 0;
      if (found && age <= ttlSeconds && (await isThere(found.answer.id))) return found;
      begun.set(request, { key, before: now });
      return undefined;
    },
    async put(request, answer, at) {
      const making = begun.get(request);
      if (!making || !isKeepable(answer)) return;
      // What changed while it was made may be in it or not.
      if ((await basis()) !== making.before || making.before !== restsOn) return;
      kept.set(making.key, { answer, question: request.question, at });
    },
  };
}

/** Spaces, capitals and the mark at the end say nothing; but "US" and "us" are other words. */
const spelled = (question: string): string =>
  question
    .normalize('NFKC')
    .replaceAll(/\s+/gu, ' ')
    .replace(/(?<![\s?.!])[\s?.!]+$/u, '')
    .trim()
    .replaceAll(/\p{L}+/gu, (word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase()));

/** Undefined for what is never looked up. */
function keyOf(request: AskRequest): string | undefined {
  const { question, workspace, history, wishes = '', user, strict = false } = request;
  if ((workspace?.length ?? 0) > 0 || (history?.length ?? 0) > 0) return undefined;
  const said = spelled(question);
  if (said === '' || fleeting.test(said)) return undefined;
  const options = Object.entries(searchOptionsOf(request)).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([said, options, user ?? '', strict, wishes]);
}

/** Of what was said somebody may delete a part, which changes nothing of what answers rest on. */
const isKeepable = ({ abstained, ragEnabled, usedFallback, degraded, claims, citations }: Answer): boolean =>
  !abstained &&
  ragEnabled &&
  !usedFallback &&
  claims.length > 0 &&
  citations.every(({ turnId }) => turnId === undefined) &&
  degraded.every(({ code }) => lasting.has(code));

/** What an answer says of where it is from. */
export const reusedFrom = ({ answer, question, at }: KeptAnswer): Reused => ({ answerId: answer.id, question, at });
