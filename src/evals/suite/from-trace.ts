// A case of a suite out of what a request did: the question, and what was answered and cited as what must come out again. Whoever keeps it
// should read it first: it says what was, not what is right.
import { FootnoteError } from '../../core/errors.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import type { SuiteCase } from './suite.ts';

/** What suites do not ask. */
const others: Readonly<Record<string, string>> = {
  analysis: 'an analysis',
  chat: 'a chat over past conversations',
};

/** Throws `invalid-request` for a trace that has no answer, `conflict` for one that was erased, `unsupported` for an answer to what suites do not ask. */
export function caseFromTrace({ trace, events }: SavedTrace): SuiteCase {
  const other = others[trace.kind];
  if (other !== undefined)
    throw new FootnoteError(
      'unsupported',
      `Trace ${trace.id} is of ${other}, and suites ask questions of documents. "footnote replay ${trace.id}" and "footnote replay ${trace.id} --against current" say whether it comes out the same.`,
    );
  if (events.some(({ event }) => event.type === 'erased'))
    throw new FootnoteError(
      'conflict',
      `Trace ${trace.id} makes no case: a document that it spoke of was deleted, and its words with it.`,
    );
  const asked = events.find(({ event }) => event.type === 'request')?.event;
  const ended = events.find(({ event }) => event.type === 'done')?.event;
  if (asked?.type !== 'request' || ended?.type !== 'done')
    throw new FootnoteError(
      'invalid-request',
      `Trace ${trace.id} has no answer (kind ${trace.kind}, outcome ${trace.status ?? 'unknown'}): a case needs a question and what was answered.`,
    );
  const followed = events.find(({ event }) => event.type === 'follow-up')?.event;
  const body = asked.body as { readonly question?: unknown; readonly content?: unknown };
  const said = followed?.type === 'follow-up' ? followed.resolved : (body.question ?? body.content);
  if (typeof said !== 'string')
    throw new FootnoteError('invalid-request', `Trace ${trace.id} does not hold its question any more.`);
  const { answer } = ended;
  const [best] = answer.citations;
  const base = { id: trace.id, question: said, mode: answer.mode };
  if (answer.abstained || !best) return { ...base, unanswerable: true };
  return {
    ...base,
    answers: answer.claims.map(({ text }) => text),
    document: best.documentId,
    supporting: answer.citations.map(({ documentId, quote }) => ({ document: documentId, text: quote })),
  };
}

/** Ids of the documents that its answer was read from, cited ones first. */
export function readFor({ events }: SavedTrace): readonly string[] {
  const ended = events.find(({ event }) => event.type === 'done')?.event;
  if (ended?.type !== 'done') return [];
  const { citations, sources } = ended.answer;
  return [...new Set([...citations, ...sources].map(({ documentId }) => documentId))];
}
