// Answers that a person found good, found again by questions like theirs. Nothing is kept for it beside what was said of the answer, so that it goes with that.
// Invariants: everybody has their own, by user where a key serves several; one is told only while all documents that it cites may be read by whoever asks.
import { citesDocument } from '../core/answers/span-origin.ts';
import { type Episode, type FindEpisodes, memoryDefaults } from '../core/memory.ts';
import { dot } from '../core/values/dot.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import type { Meaning } from './facts/fitted/meaning.ts';
import { memoryTerms } from './facts/fitted/terms.ts';
import { similarityOf } from './facts/similarity.ts';

/** The newest good answers of a person are looked at by their words. */
const mostPraised = 1_000;
/** And so many of them by meaning: those that share most words, then the newest. */
const mostMeant = 30;

export interface EpisodesOptions {
  readonly record: Pick<TenantRecord, 'feedback' | 'answers' | 'documents'>;
  readonly meaning: Meaning;
}

/** Share of the words of one text that another has, 0..1. */
function sharedWords(asked: readonly string[], text: string): number {
  const own = new Set(memoryTerms(text));
  return asked.filter((term) => own.has(term)).length / Math.max(1, asked.length);
}

/** Best first. Two questions may be near without one of them lying before all others, so that their cosine alone counts. */
export function createFindEpisodes({ record, meaning }: EpisodesOptions) {
  /** Undefined where the answer is gone, or rests on what may not be read now. */
  async function whole(answerId: string): Promise<Pick<Episode, 'claims' | 'documents'> | undefined> {
    const answer = await record.answers.get(answerId);
    if (!answer || answer.claims.length === 0) return undefined;
    const titles = new Map(answer.citations.filter(citesDocument).map(({ documentId, title }) => [documentId, title]));
    const documents = await Promise.all(titles.keys().map((id) => record.documents.get(id)));
    if (documents.some((one) => !one)) return undefined;
    return {
      claims: answer.claims.map(({ text }) => text),
      documents: [...titles].map(([documentId, title]) => ({ documentId, title })),
    };
  }

  return async ({
    query,
    k = memoryDefaults.recallK,
    minSimilarity = memoryDefaults.minSimilarity,
    user = '',
  }: FindEpisodes): Promise<readonly Episode[]> => {
    const praised = await record.feedback.praised(user, mostPraised);
    const asked = memoryTerms(query);
    const byWords = praised
      .map((one) => ({ ...one, shared: sharedWords(asked, one.question) }))
      .sort((a, b) => b.shared - a.shared);
    const meant = byWords.slice(0, mostMeant).map(({ question }) => question);
    // Vectors of what somebody asked are kept nowhere.
    const [vector, ...vectors] = (meant.length > 0 && (await meaning.ofSaid([query, ...meant]))) || [];
    const near = byWords
      .map(({ shared, ...one }, at) => {
        const own = vectors[at];
        return { ...one, similarity: similarityOf(shared, [vector && own ? dot(vector, own) : 0, 0]) };
      })
      .filter(({ similarity }) => similarity >= minSimilarity)
      .sort((a, b) => b.similarity - a.similarity || (a.at < b.at ? 1 : -1));
    const found: Episode[] = [];
    for (const one of near) {
      if (found.length >= k) break;
      const rest = await whole(one.answerId);
      if (rest) found.push({ ...one, ...rest });
    }
    return found;
  };
}
