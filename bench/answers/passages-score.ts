// Asks the questions of one folder of a running server and scores the passages of its answers by patterns. Shapes of questions and answers are those of the
// HTTP contract, and nothing else of the program is known here.

export interface FolderQuestion {
  readonly id: string;
  readonly question: string;
  /** A conversation whose last message is the question. */
  readonly session?: readonly string[];
  readonly answerable: boolean;
  /** Patterns that the claims that answer hold; where there are several, the first three together. */
  readonly claim_says?: readonly string[] | null;
  /** A pattern that a chunk which answers matches. */
  readonly passage_says?: string;
}

interface ToldClaim {
  readonly text: string;
  readonly headingPath?: readonly string[];
  readonly form?: string;
  readonly pinpoint?: { readonly start: number; readonly end: number };
}

interface ToldAnswer {
  readonly claims: readonly ToldClaim[];
  readonly abstained: boolean;
  readonly closestPassages?: boolean;
  readonly confidence: number;
  readonly timings: { readonly totalMs: number };
}

/** What became of one question. */
export interface AskedQuestion {
  readonly id: string;
  readonly isFollowUp: boolean;
  readonly isAnswerable: boolean;
  readonly first: boolean;
  readonly three: boolean;
  readonly asserted: boolean;
  readonly abstained: boolean;
  readonly confidence: number;
  readonly words: number;
  readonly totalMs: number;
  /** Absent: the first claim has none. */
  readonly pinpoint?: boolean;
  /** The place of the first hit of a search that answers, from 0; -1 where none of ten does. Absent for follow-ups. */
  readonly hit?: number;
}

const squashed = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/** A Python pattern with `re.S`. */
function patternOf(written: string): RegExp {
  const flags = /^\(\?([a-z]+)\)/u.exec(written)?.[1] ?? '';
  return new RegExp(written.replace(/^\(\?[a-z]+\)/u, ''), flags.includes('i') ? 'si' : 's');
}

async function post<Reply>(url: string, body: unknown): Promise<Reply> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Reply;
}

async function ask(url: string, { question, session }: FolderQuestion): Promise<ToldAnswer> {
  if (!session) return post(`${url}/v1/ask`, { question });
  const { id } = await post<{ readonly id: string }>(`${url}/v1/rag/sessions`, {});
  let answer: ToldAnswer | undefined;
  for (const content of session) answer = await post(`${url}/v1/rag/sessions/${id}/messages`, { content });
  if (!answer) throw new Error('A session has no message.');
  return answer;
}

/** Which of the first passages, each with its headings, answer the question together. */
export function judgedPassages(
  { answerable, claim_says: says }: FolderQuestion,
  told: readonly string[],
): { readonly first: boolean; readonly three: boolean } {
  const patterns = (says ?? []).map(patternOf);
  const holds = (texts: readonly string[]): boolean =>
    answerable && texts.length > 0 && patterns.every((pattern) => texts.some((text) => pattern.test(text)));
  const inFirst = patterns.some((pattern) => pattern.test(told[0] ?? ''));
  const three = holds(told.slice(0, 3));
  return { first: holds(told.slice(0, 1)) || (patterns.length > 1 && inFirst && three), three };
}

export const toldOf = ({ headingPath = [], text }: Pick<ToldClaim, 'headingPath' | 'text'>): string =>
  squashed(`${headingPath.join(' > ')}\n${text}`);

export async function askQuestion(url: string, asked: FolderQuestion): Promise<AskedQuestion> {
  const { id, question, session, answerable, passage_says: passage } = asked;
  const answer = await ask(url, asked);
  const told = answer.claims.map(toldOf);
  const [best] = answer.claims;
  const marked = best?.pinpoint && best.text.slice(best.pinpoint.start, best.pinpoint.end);
  const hits =
    session || passage === undefined
      ? undefined
      : await post<{ readonly results: readonly { readonly text: string }[] }>(`${url}/v1/search`, {
          query: question,
          topK: 10,
        });
  return {
    id,
    isFollowUp: session !== undefined,
    isAnswerable: answerable,
    ...judgedPassages(asked, told),
    asserted: !answer.abstained && answer.closestPassages !== true,
    abstained: answer.abstained,
    confidence: answer.confidence,
    words: told.join(' ').split(' ').length,
    totalMs: answer.timings.totalMs,
    ...(marked !== undefined && { pinpoint: judgedPassages(asked, [toldOf({ ...best, text: marked })]).three }),
    ...(hits && { hit: hits.results.findIndex(({ text }) => patternOf(passage ?? '').test(squashed(text))) }),
  };
}
