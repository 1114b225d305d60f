// A case of a suite out of what a request did: the question, and what was answered and cited as what must come out again. Whoever keeps it
// should read it first: it says what was, not what is right.

import { z } from 'zod';
import { assertedOf } from '../../core/answer.ts';
import { analysisRequestSchema } from '../../core/answers/analysis-request.ts';
import { type ArchiveChatAnswer, archivePlace, type Peek, type ReadTurn } from '../../core/archive.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import type { SuiteCase } from './suite.ts';

/** Throws `invalid-request` for a trace that has no answer, `conflict` for one that was erased. */
export function caseFromTrace(saved: SavedTrace): SuiteCase {
  const { trace, events } = saved;
  if (events.some(({ event }) => event.type === 'erased'))
    throw new FootnoteError(
      'conflict',
      `Trace ${trace.id} makes no case: a document that it spoke of was deleted, and its words with it.`,
    );
  if (trace.kind === 'chat') return caseOfChat(saved);
  const asked = events.find(({ event }) => event.type === 'request')?.event;
  const ended = events.find(({ event }) => event.type === 'done')?.event;
  if (asked?.type !== 'request' || ended?.type !== 'done') throw withoutAnswer(trace);
  const followed = events.find(({ event }) => event.type === 'follow-up')?.event;
  const body = asked.body as { readonly question?: unknown; readonly content?: unknown };
  const analysis = trace.kind === 'analysis' ? analysisOf(body) : undefined;
  const said =
    followed?.type === 'follow-up'
      ? followed.resolved
      : (body.question ?? body.content ?? (analysis && `${analysis.kind}: ${analysis.subject}`));
  if (typeof said !== 'string')
    throw new FootnoteError('invalid-request', `Trace ${trace.id} does not hold its question any more.`);
  const { answer } = ended;
  const [best] = answer.citations;
  const base = { id: trace.id, question: said, mode: answer.mode, ...(analysis && { analysis }) };
  if (answer.abstained || !best) return { ...base, unanswerable: true };
  return {
    ...base,
    answers: assertedOf(answer.claims).map(({ text }) => text),
    document: best.documentId,
    supporting: answer.citations.map(({ documentId, quote }) => ({ document: documentId, text: quote })),
  };
}

const withoutAnswer = ({ id, kind, status = 'unknown' }: SavedTrace['trace']): FootnoteError =>
  new FootnoteError(
    'invalid-request',
    `Trace ${id} has no answer (kind ${kind}, outcome ${status}): a case needs a question and what was answered.`,
  );

const analysisSchema = analysisRequestSchema.omit({ stream: true });

/** As it was asked for, less the files that came with it: they are documents of the case. */
function analysisOf(body: object): SuiteCase['analysis'] {
  const { stream: _, workspace: __, ...asked } = body as Record<string, unknown>;
  return analysisSchema.safeParse(asked).data;
}

const messagesSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** A chat leans on the question before, which the record knew where it was not sent along. */
function caseOfChat({ trace, events }: SavedTrace): SuiteCase {
  const asked = events.find(({ event }) => event.type === 'request')?.event;
  const ended = events.find(({ event }) => event.type === 'chatted')?.event;
  const { data: body } = messagesSchema.safeParse(asked?.type === 'request' ? asked.body : undefined);
  const said = (body?.messages ?? []).flatMap(({ role, content }) =>
    (role === 'user' || role === 'assistant') && content.trim() !== '' ? [{ role, content } as const] : [],
  );
  const question = said.findLast(({ role }) => role === 'user')?.content;
  if (ended?.type !== 'chatted' || question === undefined) throw withoutAnswer(trace);
  const [before] = callsOf(events, 'chats', 'lastQuestion').map(({ response }) => response);
  const isFirst = said.filter(({ role }) => role === 'user').length === 1;
  const chat = isFirst && typeof before === 'string' ? [{ role: 'user' as const, content: before }, ...said] : said;
  const { abstained, citations } = ended.answer as ArchiveChatAnswer;
  const [best] = citations;
  const base = { id: trace.id, question, chat };
  if (abstained || !best) return { ...base, unanswerable: true };
  return {
    ...base,
    answers: citations.map(({ quote }) => quote),
    document: archivePlace(best.conversation_id),
    supporting: citations.map(({ conversation_id: id, quote }) => ({ document: archivePlace(id), text: quote })),
  };
}

const callsOf = (events: SavedTrace['events'], port: string, method: string) =>
  events.flatMap(({ event }) =>
    event.type === 'call' && event.call.port === port && event.call.method === method ? [event.call] : [],
  );

/** Turns of past conversations that it saw: those that it read first, as they stand in the trace, then those that it was shown the beginnings of. */
export function turnsSeen({ events }: SavedTrace): {
  readonly read: readonly ReadTurn[];
  readonly shown: readonly Pick<ReadTurn, 'turn_id' | 'conversation_id'>[];
} {
  const read = new Map<string, ReadTurn>();
  const nameOf = (one: Pick<ReadTurn, 'turn_id' | 'conversation_id'>): string =>
    JSON.stringify([one.conversation_id, one.turn_id]);
  for (const { response } of callsOf(events, 'archive', 'turn')) {
    const turn = response as ReadTurn | undefined;
    if (turn && (turn.content_used === 'full' || !read.has(nameOf(turn)))) read.set(nameOf(turn), turn);
  }
  const shown = new Map<string, Pick<ReadTurn, 'turn_id' | 'conversation_id'>>();
  for (const { response } of callsOf(events, 'archive', 'peek'))
    for (const one of (response as Peek | undefined)?.snippets ?? [])
      if (!read.has(nameOf(one)) && !shown.has(nameOf(one))) shown.set(nameOf(one), one);
  return { read: [...read.values()], shown: [...shown.values()] };
}

/** Ids of the documents that its answer was read from, cited ones first. */
export function readFor({ events }: SavedTrace): readonly string[] {
  const ended = events.find(({ event }) => event.type === 'done')?.event;
  if (ended?.type !== 'done') return [];
  const { citations, sources } = ended.answer;
  // What was said in past conversations, or is remembered, is no document.
  const isDocument = ({ memoryId, conversationId, turnId }: (typeof citations)[number]): boolean =>
    memoryId === undefined && conversationId === undefined && turnId === undefined;
  const others = new Set(citations.filter((one) => !isDocument(one)).map(({ documentId }) => documentId));
  const ids = [...citations, ...sources].map(({ documentId }) => documentId).filter((id) => !others.has(id));
  return [...new Set(ids)];
}
