// Orders the best evidence anew by a reranker, within its own time. Invariants: what comes out is what went in (a threshold apart,
// which drops only what the reranker scored below it), what the reranker did not see keeps its place below, and where it fails or
// is late the order of the search stands and `degraded` says why; only a stop from outside ends a search.
import type { ModelBudget } from '../core/budget.ts';
import type { CallContext } from '../core/context.ts';
import { createDeadline, untapedDeadline } from '../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { namedModel } from '../core/named-model.ts';
import type { Degradation, Evidence } from '../core/search.ts';
import { untilAborted } from '../core/waiting/until-aborted.ts';
import { recordedModel } from '../models/language/recorded-model.ts';
import { isPermutation } from '../models/rerank/ranking.ts';
import type { RerankModel, RerankResult } from '../models/rerank/rerank-model.ts';
import { toRerankTexts } from './rerank-text.ts';

export interface Reranking {
  readonly model: RerankModel;
  /** Evidence that is ordered anew, 1..1000 (RERANKING_TOP_K). */
  readonly topK: number;
  /** Longest wait (RERANK_TIMEOUT_MS); less where the request has less than twice as much left. */
  readonly timeoutMs: number;
  /** 0..1: evidence with a lower score is dropped; 0 drops nothing (RERANKER_THRESHOLD). */
  readonly threshold: number;
  /** Of the request; what it cannot pay is not sent. */
  readonly budget?: ModelBudget;
}

export interface RerankRun {
  readonly query: string;
  readonly reranking: Reranking;
  readonly context: CallContext;
}

export interface Reranked {
  readonly evidence: readonly Evidence[];
  /** Why the order of the search stands. */
  readonly degraded?: Degradation;
}

/** `evidence` is best first. Throws only when `signal` aborted, with its reason. */
export async function rerank(
  evidence: readonly Evidence[],
  { query, reranking, context }: RerankRun,
  signal?: AbortSignal,
): Promise<Reranked> {
  const { deadline, sink, clock } = context;
  const { model, topK, threshold, budget } = reranking;
  const head = evidence.slice(0, topK);
  // One alone has no order, but may be below the threshold.
  if (head.length === 0 || (head.length === 1 && threshold === 0)) return { evidence };
  // The other half is for the answer: a slow reranker must not cost it.
  const timeoutMs = Math.min(reranking.timeoutMs, deadline.remainingMs() / 2);
  const own = createDeadline(timeoutMs, signal, clock);
  const charged = budget?.forRole('rerank');
  try {
    const result = await untilAborted(
      model.rerank(
        { query, texts: toRerankTexts(query, head) },
        {
          deadline: untapedDeadline(own),
          recorded: (asked, as) => recordedModel(asked, as, context),
          ...(charged && { budget: charged }),
        },
      ),
      own.signal,
    );
    if (!isPermutation(result.ranking, head.length))
      throw new FootnoteError(
        'upstream-invalid',
        `${result.model} did not return each text once, with a score of 0..1.`,
      );
    // One that runs here is asked without a budget.
    charged?.served({ model: result.model, failed: [] });
    const ordered = order(head, result, reranking);
    const changes = changesOf(head, ordered);
    sink({ type: 'reranking', inputCount: head.length, outputCount: ordered.length, method: model.method, ...changes });
    const rest = evidence.slice(topK);
    if (ordered.length === 0 && rest.length === 0) return { evidence: [], degraded: allBelow(head.length, threshold) };
    return { evidence: [...ordered, ...rest] };
  } catch (thrown) {
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    const { code, message } = own.signal.aborted ? tooLate(model, timeoutMs) : toFootnoteError(thrown);
    const detail = namedModel(`${model.provider}:${model.id}`, message);
    const effect = 'The results stand in the order of the search.';
    return { evidence, degraded: { component: 'reranker', code, detail, effect } };
  }
}

const top = 5;

/** How far another order is from the one before. */
function changesOf(head: readonly Evidence[], ordered: readonly Evidence[]) {
  const before = new Map(head.map(({ chunkId }, place) => [chunkId, place]));
  const shift = ordered.reduce((sum, { chunkId }, place) => sum + Math.abs((before.get(chunkId) ?? place) - place), 0);
  const first = head.slice(0, top);
  const still = new Set(ordered.slice(0, top).map(({ chunkId }) => chunkId));
  return {
    moved: ordered.length === 0 ? 0 : shift / ordered.length,
    topKept: first.filter(({ chunkId }) => still.has(chunkId)).length / first.length,
  };
}

/** An empty page must not look like a corpus that says nothing. */
const allBelow = (count: number, threshold: number): Degradation => ({
  component: 'reranker',
  code: 'all-below-threshold',
  detail: `All ${count} hits were graded below RERANKER_THRESHOLD (${threshold}).`,
  effect: 'They were left out, so nothing is left to show or to answer from.',
});

const tooLate = ({ provider, id }: RerankModel, timeoutMs: number): FootnoteError =>
  new FootnoteError(
    'deadline-exceeded',
    `${provider}:${id} gave no order within ${Math.round(timeoutMs)} ms. Allow more (RERANK_TIMEOUT_MS), or rerank fewer (RERANKING_TOP_K).`,
  );

/**
 * Scores of the search belong to places here: the best place keeps the best of them, so that they fall along the list, stay
 * comparable with what was not reranked, and mean the same to `minScore` and to answers. The reranker's own is `scores.rerank`.
 */
function order(head: readonly Evidence[], result: RerankResult, { threshold }: Reranking): readonly Evidence[] {
  const kept = result.ranking.filter(({ score }) => score === undefined || score >= threshold);
  return kept.flatMap(({ index, score }, place) => {
    const item = head[index];
    const standing = head[place];
    if (!item || !standing) return [];
    const moved = `place ${index + 1} -> ${place + 1} of ${head.length}`;
    const note =
      score === undefined
        ? `reranker ${result.model} said nothing of it: ${moved}, behind what it scored`
        : `reranked by ${result.model}: score ${score.toFixed(4)}, ${moved}`;
    return {
      ...item,
      score: standing.score,
      ...(score !== undefined && {
        scores: { ...item.scores, rerank: score },
        ranks: { ...item.ranks, rerank: place + 1 },
      }),
      ...(item.explanation && { explanation: { ...item.explanation, notes: [...item.explanation.notes, note] } }),
    };
  });
}
