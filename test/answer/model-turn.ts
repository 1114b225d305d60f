// A whole turn with a model that says what a test says: documents of one chunk each, a reader that slices them, the real composer and
// verifier. What the turn did is handed back with what a client of the stream would have seen.
import { createSearchGatherer } from '../../src/agent/turn/gatherer.ts';
import type { TurnRequest } from '../../src/agent/turn/turn-state.ts';
import { runTurn } from '../../src/agent/turn.ts';
import type { SpanReader } from '../../src/answer/claims/draft.ts';
import type { Composer } from '../../src/answer/composer.ts';
import { columnsAbove } from '../../src/answer/tables/columns.ts';
import { verifyAnswer } from '../../src/answer/verify.ts';
import { createModelComposer, type ModelComposerOptions } from '../../src/answer/write/model-composer.ts';
import { type Answer, answerSchema } from '../../src/core/answer.ts';
import { createDeadline, type Deadline } from '../../src/core/deadline.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import type { Clock } from '../../src/core/ids.ts';
import type { Evidence } from '../../src/core/search.ts';
import type { PassageScorer } from '../../src/models/encoder/passage-scorer.ts';
import type { LanguageModel } from '../../src/models/language/language-model.ts';
import type { Retriever } from '../../src/retrieval/retrieve.ts';
import { evidenceOf, type Passage } from '../../testkit/evidence-of.ts';
import { requestContext } from '../../testkit/request-context.ts';

export interface ModelTurn {
  readonly question: string;
  readonly passages: readonly Passage[];
  readonly model: LanguageModel;
  /** What searches after the first find; nothing by default. */
  readonly search?: (query: string) => readonly Passage[] | Promise<readonly Passage[]>;
  readonly options?: Omit<ModelComposerOptions, 'model'>;
  readonly deadline?: Deadline;
  readonly clock?: Clock;
  readonly request?: Partial<TurnRequest>;
  readonly contextTokens?: number;
  readonly onEvent?: (event: FootnoteEvent) => void;
  /** Default: made of the model and its options. */
  readonly composer?: Composer | undefined;
  readonly passageScorer?: PassageScorer;
  /** Reads in the place of the record. */
  readonly readSpan?: SpanReader;
}

export interface TurnResult {
  readonly answer: Answer;
  readonly events: readonly FootnoteEvent[];
  readonly streamed: string;
  readonly queries: readonly string[];
  readonly readSpan: SpanReader;
}

export function readerOf(evidence: readonly Evidence[]): SpanReader {
  return async ({ documentId, chunkId, start, end }) => {
    const chunk = evidence.find((item) => item.chunkId === chunkId && item.documentId === documentId);
    if (!chunk || start < chunk.start || end > chunk.end) return undefined;
    const { title, uri, source } = chunk;
    const quote = chunk.text.slice(start - chunk.start, end - chunk.start);
    const columns = columnsAbove(chunk.text, start - chunk.start);
    return { documentId, chunkId, start, end, quote, title, uri, source, ...(columns && { columns }) };
  };
}

export async function runModelTurn(turn: ModelTurn): Promise<TurnResult> {
  const first = turn.passages.map(evidenceOf);
  const known: Evidence[] = [...first];
  const events: FootnoteEvent[] = [];
  const queries: string[] = [];
  const retriever: Retriever = {
    async retrieve({ query, mode }, { sink = () => undefined } = {}) {
      queries.push(query);
      sink({ type: 'routing', sources: [], reason: 'all' });
      const evidence = queries.length === 1 ? first : [...((await turn.search?.(query)) ?? [])].map(evidenceOf);
      known.push(...evidence);
      sink({ type: 'retrieval', mode, resultCount: evidence.length, latencyMs: 0 });
      return { evidence, routing: { sources: [], reason: 'all' }, degraded: [] };
    },
  };
  const readSpan: SpanReader = turn.readSpan ?? ((reference) => readerOf(known)(reference));
  const composer = turn.composer ?? createModelComposer({ model: turn.model, ...turn.options });
  const answer = await runTurn(
    { question: turn.question, mode: 'embedded', degraded: [], ...turn.request },
    {
      gatherer: createSearchGatherer(retriever),
      readSpan,
      ...(turn.passageScorer && { passageScorer: turn.passageScorer }),
      contextTokens: turn.contextTokens ?? 2000,
      composerFor: () => composer,
      spanUrl: (id, { start, end }) => `/v1/documents/${encodeURIComponent(id)}/view?start=${start}&end=${end}`,
    },
    requestContext({
      sink: (event) => {
        events.push(event);
        turn.onEvent?.(event);
      },
      deadline: turn.deadline ?? createDeadline(20_000, undefined, turn.clock),
      ...(turn.clock && { clock: turn.clock }),
    }),
  );
  const streamed = events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
  return { answer, events, streamed, queries, readSpan };
}

/** What must hold of every answer whatever the model did; an empty list where it does. */
export async function faultsOf({ answer, events, streamed, readSpan }: TurnResult): Promise<string[]> {
  const faults: string[] = [];
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) faults.push(`not an Answer: ${parsed.error.message}`);
  if (streamed !== answer.answer) faults.push(`streamed "${streamed}", answered "${answer.answer}"`);
  const cited = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
  if (JSON.stringify(cited) !== JSON.stringify(answer.citations)) faults.push('streamed other citations');
  if (events.at(-1)?.type !== 'done') faults.push('did not end with done');
  if (answer.ragEnabled) {
    const check = await verifyAnswer(answer, readSpan);
    if (!check.ok) faults.push(JSON.stringify(check));
  }
  return faults;
}

/** What an honest model would write. */
export const modelText = (
  claims: readonly [text: string, ...quotes: (readonly [id: number, quote: string])[]][],
): string =>
  JSON.stringify({
    claims: claims.map(([text, ...quotes]) => ({ text, quotes: quotes.map(([id, quote]) => ({ id, quote })) })),
    insufficient: false,
  });
