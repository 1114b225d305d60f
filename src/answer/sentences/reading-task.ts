// What is read before a model is asked: the passages that sentences would be taken from, what those sentences are worth, and the passages
// that the model is shown. Pure over texts, so that a thread may do it (reading-thread.ts). Invariant: wherever it is done, and whether or
// not it travelled, the outcome is the same.
import type { Evidence } from '../../core/search.ts';
import { openCounter, type Tokenizer } from '../../models/language/tokenizer-of.ts';
import type { Context, ContextBlock, Draft } from '../claims/draft.ts';
import { assembleForModel } from '../context/model-context.ts';
import type { CollectionStatistics } from '../extract/candidates.ts';
import { composeAnswer } from './compose.ts';
import { readPassages } from './sentence-composer.ts';

export interface ReadingTask {
  readonly question: string;
  /** Ranked, best first, whole chunks, each once. */
  readonly evidence: readonly Evidence[];
  /** Tokens of the passages that sentences are taken from. */
  readonly contextTokens: number;
  readonly statistics?: CollectionStatistics;
  /** What the model is shown; absent: nothing. */
  readonly shown?: {
    readonly budgetTokens: number;
    readonly summaryCharacters: number;
    /** Which encoding counts. */
    readonly encoding: Tokenizer['name'];
  };
}

export interface Reading {
  readonly readable: Context;
  readonly draft: Draft;
  readonly shown?: Context;
  /** Time that choosing `shown` took. */
  readonly shownMs: number;
}

/** Throws nothing of its own. */
export async function readTask(task: ReadingTask): Promise<Reading> {
  const { question, evidence, contextTokens, statistics, shown: wanted } = task;
  const readable = readPassages({ question, evidence, contextTokens });
  const draft = composeAnswer({ question, context: readable, ...(statistics && { statistics }) });
  if (!wanted) return { readable, draft, shownMs: 0 };
  const { encoding, ...limits } = wanted;
  const count = await openCounter(encoding);
  const startedAt = performance.now();
  const shown = assembleForModel({ question, evidence, countTokens: count, ...limits });
  return { readable, draft, shown, shownMs: performance.now() - startedAt };
}

/** What of evidence a reading looks at. */
type Facts = Pick<
  Evidence,
  | 'chunkId'
  | 'documentId'
  | 'title'
  | 'uri'
  | 'stores'
  | 'headingPath'
  | 'text'
  | 'start'
  | 'end'
  | 'score'
  | 'scores'
  | 'ranks'
> &
  Partial<Pick<Evidence, 'page' | 'publishedAt'>>;

const factsOf = (item: Evidence): Facts => ({
  chunkId: item.chunkId,
  documentId: item.documentId,
  title: item.title,
  uri: item.uri,
  stores: item.stores,
  headingPath: item.headingPath,
  text: item.text,
  start: item.start,
  end: item.end,
  score: item.score,
  scores: item.scores,
  ranks: item.ranks,
  ...(item.page !== undefined && { page: item.page }),
  ...(item.publishedAt !== undefined && { publishedAt: item.publishedAt }),
});

/** A task as text: what a reading looks at, and no more. */
export const writeTask = (task: ReadingTask): string =>
  JSON.stringify({ ...task, evidence: task.evidence.map(factsOf) });

/** Of what `writeTask` wrote. Its evidence holds what a reading looks at, and no more. */
export const parseTask = (written: string): ReadingTask => JSON.parse(written) as ReadingTask;

/** [number of the evidence, start, end, score, tokens, 1 for a summary] */
type WrittenBlock = readonly [number, number, number, number, number, 0 | 1];

interface WrittenContext {
  readonly blocks: readonly WrittenBlock[];
  readonly tokens: number;
  readonly dropped: Context['dropped'];
}

interface WrittenReading {
  readonly readable: WrittenContext;
  readonly draft: Draft;
  readonly shown?: WrittenContext;
  readonly shownMs: number;
}

function writeContext({ blocks, tokens, dropped }: Context, places: ReadonlyMap<string, number>): WrittenContext {
  return {
    blocks: blocks.map(({ evidence: { chunkId, start, end, score }, tokens: size, isSummary }) => [
      places.get(chunkId) ?? -1,
      start,
      end,
      score,
      size,
      isSummary ? 1 : 0,
    ]),
    tokens,
    dropped,
  };
}

/** A reading as text, without the texts that whoever asked has already. */
export function writeReading({ readable, draft, shown, shownMs }: Reading, { evidence }: ReadingTask): string {
  const places = new Map(evidence.map(({ chunkId }, place) => [chunkId, place]));
  const written: WrittenReading = {
    readable: writeContext(readable, places),
    draft,
    ...(shown && { shown: writeContext(shown, places) }),
    shownMs,
  };
  return JSON.stringify(written);
}

function toContext({ blocks, tokens, dropped }: WrittenContext, evidence: readonly Evidence[]): Context {
  return {
    blocks: blocks.flatMap(([place, start, end, score, size, summary]): ContextBlock[] => {
      const whole = evidence[place];
      if (!whole) return [];
      const isWhole = start === whole.start && end === whole.end && score === whole.score;
      const text = whole.text.slice(start - whole.start, end - whole.start);
      const part = isWhole ? whole : { ...whole, text, start, end, score };
      return [{ evidence: part, tokens: size, ...(summary === 1 && { isSummary: true as const }) }];
    }),
    tokens,
    dropped,
  };
}

/** Of what `writeReading` wrote of this task. */
export function parseReading(written: string, { evidence }: ReadingTask): Reading {
  const { readable, draft, shown, shownMs } = JSON.parse(written) as WrittenReading;
  return {
    readable: toContext(readable, evidence),
    draft,
    ...(shown && { shown: toContext(shown, evidence) }),
    shownMs,
  };
}
