// Who wrote a work, when it came out and what it is about stands on its first pages, in words that the question does not have: where a found document is the work that is
// asked about, its first pages are read as well. Invariant: one search more, under the request's own filter, and only for such questions.
import type { RequestContext } from '../../core/context.ts';
import { allOf, type Evidence, type Filter } from '../../core/search.ts';
import { tellingOf } from '../../text/subjects.ts';
import { type AskedOfWork, askedOfWork, isWork, pagesOf } from '../../text/works.ts';
import type { Gathering, TurnRequest } from './turn-state.ts';

/** Passages of the document that are looked at, and those of its beginning that are read. */
const lookedAt = 10;
/** A preface may stand anywhere among the first fifty pages. */
const lookedAtOfSubject = 40;
const wanted = 2;
const wantedOfSubject = 3;
/** What stands there. */
const usualWords = {
  author: 'by author copyright first published',
  date: 'by author copyright first published',
  subject: 'this book paper article report abstract about argument claim we present propose introduce purpose',
};

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
  const work = asked && found.evidence.find((one) => isWork(one, asked));
  if (!asked || !work) return found;
  const own: Filter = { op: 'eq', field: 'id', value: work.documentId };
  const filter = allOf([request.filter, own]);
  const more = await search(
    `${asked.work} ${usualWords[asked.what]}`,
    {
      request: { ...request, ...(filter && { filter }) },
      topK: asked.what === 'subject' ? lookedAtOfSubject : lookedAt,
    },
    context,
  );
  const first = firstOf(
    more.evidence.filter(({ start }) => start < pagesOf(asked.what)),
    asked,
  );
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

/** Those that tell most of what the work is about, or the first. */
function firstOf(evidence: readonly Evidence[], { what, work }: AskedOfWork): readonly Evidence[] {
  const telling = new Map(
    evidence.map((one) => [one, what === 'subject' ? tellingOf(one.text, work, one.start) : 0] as const),
  );
  return [...evidence]
    .sort((a, b) => (telling.get(b) ?? 0) - (telling.get(a) ?? 0) || a.start - b.start)
    .slice(0, what === 'subject' ? wantedOfSubject : wanted)
    .sort((a, b) => a.start - b.start);
}
