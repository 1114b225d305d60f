// Who wrote a work and when it came out stands on its first pages, in words that the question does not have: where a found document is the work that is
// asked about, its first pages are read as well. Invariant: one search more, under the request's own filter, and only for such questions.
import type { RequestContext } from '../../core/context.ts';
import { allOf, type Evidence, type Filter } from '../../core/search.ts';
import { askedOfWork, firstPages, isTitleOf } from '../../text/works.ts';
import type { Gathering, TurnRequest } from './turn-state.ts';

/** Passages of the document that are looked at, and those of its beginning that are read. */
const lookedAt = 10;
const wanted = 2;
/** What stands there. */
const usualWords = 'by author copyright first published';

type Search = (
  query: string,
  asked: { readonly request: TurnRequest; readonly topK: number },
  context: RequestContext,
) => Promise<Gathering>;

export async function withFirstPages(
  found: Gathering,
  { request, search }: { readonly request: TurnRequest; readonly search: Search },
  context: RequestContext,
): Promise<Gathering> {
  const asked = askedOfWork(request.question);
  const work = asked && found.evidence.find(({ title }) => isTitleOf(title, asked.work));
  if (!asked || !work) return found;
  const own: Filter = { op: 'eq', field: 'id', value: work.documentId };
  const filter = allOf([request.filter, own]);
  const more = await search(
    `${asked.work} ${usualWords}`,
    { request: { ...request, ...(filter && { filter }) }, topK: lookedAt },
    context,
  );
  const first = more.evidence
    .filter(({ start }) => start < firstPages)
    .sort((a, b) => a.start - b.start)
    .slice(0, wanted);
  const read = new Set(first.map(({ chunkId }) => chunkId));
  const best = found.evidence[0]?.score ?? 0;
  return {
    ...found,
    toolCalls: found.toolCalls + more.toolCalls,
    evidence: [
      ...first.map((one): Evidence => ({ ...one, score: best })),
      ...found.evidence.filter(({ chunkId }) => !read.has(chunkId)),
    ],
  };
}
