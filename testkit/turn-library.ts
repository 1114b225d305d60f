// A few documents in memory and a turn over them, for tests of the steps of a turn. Invariant: every answer is an Answer, its stream says the same as
// the answer, and the verifier finds nothing wrong with it; a turn that breaks this fails the test that asked.
import { strict as assert } from 'node:assert';
import { createSearchGatherer } from '../src/agent/turn/gatherer.ts';
import { runTurn, type TurnPorts } from '../src/agent/turn.ts';
import type { SpanReader } from '../src/answer/claims/draft.ts';
import { columnsAbove } from '../src/answer/tables/columns.ts';
import { verifyAnswer } from '../src/answer/verify.ts';
import { answerSchema } from '../src/core/answer.ts';
import type { RequestContext } from '../src/core/context.ts';
import type { FootnoteError } from '../src/core/errors.ts';
import type { FootnoteEvent } from '../src/core/events.ts';
import type { Evidence } from '../src/core/search.ts';
import type { RetrievalRequest, Retriever } from '../src/retrieval/retrieve.ts';
import { faultsOfMarks } from './marks.ts';
import { requestContext } from './request-context.ts';

export interface Library {
  readonly retriever: Retriever;
  readonly readSpan: SpanReader;
  /** What was searched. */
  readonly seen: RetrievalRequest[];
}

export interface LibraryOptions {
  /** Whether a document is found for a query. Default: its title stands in it. */
  readonly finds?: (title: string, query: string) => boolean;
  readonly fail?: (query: string) => FootnoteError | undefined;
}

/** `texts`: title to text. */
export function openLibrary(
  texts: Readonly<Record<string, string>>,
  { finds = (title, query) => query.toLowerCase().includes(title.toLowerCase()), fail }: LibraryOptions = {},
): Library {
  const seen: RetrievalRequest[] = [];
  return {
    seen,
    retriever: {
      async retrieve(request) {
        seen.push(request);
        const error = fail?.(request.query);
        if (error) throw error;
        const titles = Object.keys(texts).filter((title) => finds(title, request.query));
        return {
          evidence: titles.map((title) => evidenceOf(title, texts[title] ?? '')),
          routing: { sources: [], reason: 'all' },
          degraded: [],
        };
      },
    },
    readSpan: async ({ documentId, chunkId, start, end }) => {
      const title = documentId.slice('doc_'.length);
      const text = texts[title] ?? '';
      const columns = columnsAbove(text, start);
      const quote = text.slice(start, end);
      return {
        ...{ documentId, chunkId, start, end, quote, title, uri: `${title}.md`, source: 's' },
        ...(columns && { columns }),
      };
    },
  };
}

export function evidenceOf(title: string, text: string): Evidence {
  return {
    chunkId: `chk_${title}`,
    documentId: `doc_${title}`,
    title,
    uri: `${title}.md`,
    url: '',
    source: 's',
    sourceType: 'docs',
    stores: ['embedded'],
    text,
    start: 0,
    end: text.length,
    headingPath: [],
    score: 3,
    scores: { fused: 3 },
    ranks: { embedded: 1 },
    alsoIn: [],
    related: [],
  };
}

export async function askLibrary(
  question: string,
  { retriever, readSpan }: Library,
  { ports, context }: { readonly ports?: Partial<TurnPorts>; readonly context?: Partial<RequestContext> } = {},
) {
  const events: FootnoteEvent[] = [];
  const answer = await runTurn(
    { question, mode: 'embedded', degraded: [] },
    {
      gatherer: createSearchGatherer(retriever),
      readSpan,
      contextTokens: 2000,
      spanUrl: (id, span) => `/v1/documents/${id}/view?start=${span.start}&end=${span.end}`,
      ...ports,
    },
    requestContext({ sink: (event) => events.push(event), ...context }),
  );
  answerSchema.parse(answer);
  assert.equal(events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join(''), answer.answer);
  assert.deepEqual(faultsOfMarks(answer, events), []);
  assert.deepEqual((await verifyAnswer(answer, readSpan)).reasons, []);
  return { answer, events };
}

/** Events of one type, in order. */
export const eventsOf = <Type extends FootnoteEvent['type']>(events: readonly FootnoteEvent[], type: Type) =>
  events.filter((event): event is Extract<FootnoteEvent, { type: Type }> => event.type === type);
