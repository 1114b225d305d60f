// What of the evidence a model gets to see, and how long the check of a claim takes: the share of gold sentences in the context at equal
// tokens, with and without a sentence standing for what has no room; checks of true and false claims against twenty passages.

import type { SpanReader } from '../../src/answer/claims/draft.ts';
import { numberBlocks } from '../../src/answer/context/evidence.ts';
import { assembleForModel } from '../../src/answer/context/model-context.ts';
import { checkModelClaim, showBlocks } from '../../src/answer/write/check.ts';
import { foldWithOffsets } from '../../src/answer/write/fold.ts';
import { loadConfig } from '../../src/config.ts';
import type { Evidence } from '../../src/core/search.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { segmentPieces } from '../../src/text/sentences.ts';
import type { BenchGoal } from '../report.ts';
import { falsify } from './answers-by-model-scripts.ts';
import type { ModelCase, ModelSet } from './answers-by-model-sets.ts';

export const shownColumns = ['tokens', 'passages alone', 'with summaries', 'of'] as const;

const budgets = [500, 1000, 2000];
const readingDepth = 10;
const pieces = 20;
const mostChecks = 600;
const turns = 5;

interface Asked {
  readonly one: ModelCase;
  readonly evidence: readonly Evidence[];
}

const folded = (text: string): string => foldWithOffsets(text).lower.replace(/\s+/gu, ' ').trim();

/** Gold sentences that stand whole in the blocks; without gold sentences, whether the right document's answer stands there. */
function seen({ one, evidence }: Asked, budgetTokens: number, summaryCharacters: number): readonly boolean[] {
  const { blocks } = assembleForModel({ question: one.question, evidence, budgetTokens, summaryCharacters });
  const texts = blocks.map((block) => folded(block.evidence.text));
  if (one.supportingTexts.length > 0)
    return one.supportingTexts.map((sentence) => texts.some((text) => text.includes(folded(sentence))));
  const right = one.rightTexts.map(folded);
  return [
    texts.some(
      (text) =>
        (right.length === 0 || right.some((whole) => whole.includes(text))) &&
        one.gold.some((gold) => text.includes(folded(gold))),
    ),
  ];
}

export async function measureContext(set: ModelSet): Promise<{
  readonly rows: (string | number)[][];
  readonly metrics: Record<string, number>;
  readonly goals: BenchGoal[];
}> {
  const rows: (string | number)[][] = [];
  const metrics: Record<string, number> = {};
  const goals: BenchGoal[] = [];
  const times: { readonly kept: number[]; readonly refused: number[] } = { kept: [], refused: [] };
  const config = loadConfig({ environment: {} });
  const system = await openEvaluatedSystem(config);
  try {
    await system.ingest(
      (async function* () {
        yield* set.documents;
      })(),
    );
    // Waits for the vectors of all documents, so that every run searches alike.
    await system.search('ready', { mode: config.defaultMode, limit: 1 });
    const asked: Asked[] = [];
    for (const one of set.cases) {
      const filter = one.only && { op: 'in' as const, field: 'id' as const, values: one.only };
      const { results } = await system.footnote.search({
        query: one.question,
        mode: config.defaultMode,
        topK: pieces,
        ...(filter && { filter }),
      });
      asked.push({ one, evidence: results.slice(0, readingDepth) });
      if (times.kept.length + times.refused.length < mostChecks) await timeChecks(one, results, times);
    }
    for (const budgetTokens of budgets) {
      const alone = asked.flatMap((item) => seen(item, budgetTokens, 0));
      const summarized = asked.flatMap((item) => seen(item, budgetTokens, 600));
      const share = (marks: readonly boolean[]): number => marks.filter(Boolean).length / Math.max(1, marks.length);
      const percent = (marks: readonly boolean[]): string => `${(100 * share(marks)).toFixed(1)} %`;
      rows.push([budgetTokens, percent(alone), percent(summarized), alone.length]);
      metrics[`${budgetTokens} tokens: gold sentences shown`] = Number(share(summarized).toFixed(4));
      goals.push({
        what: `${budgetTokens} tokens: gold sentences shown, with summaries`,
        wanted: `>= ${percent(alone)}`,
        got: percent(summarized),
        met: share(summarized) >= share(alone),
      });
    }
  } finally {
    await system.close();
  }
  if (times.kept.length + times.refused.length === 0) return { rows, metrics, goals };
  const all = [...times.kept, ...times.refused];
  for (const [name, values] of Object.entries({ all, ...times })) {
    metrics[`check of a claim against ${pieces} passages, ${name}: p50 ms`] = quantile(values, 0.5);
    metrics[`check of a claim against ${pieces} passages, ${name}: p95 ms`] = quantile(values, 0.95);
  }
  for (const [at, most] of [
    [0.5, 1],
    [0.95, 3],
  ] as const)
    goals.push({
      what: `check of a claim against ${pieces} passages, p${100 * at}`,
      wanted: `<= ${most} ms`,
      got: `${quantile(all, at)} ms`,
      met: quantile(all, at) <= most,
    });
  return { rows, metrics, goals };
}

/** An answer of one true claim and two false ones, each against all passages; of several turns the fastest, as the machine has other work. */
async function timeChecks(
  one: ModelCase,
  evidence: readonly Evidence[],
  times: { readonly kept: number[]; readonly refused: number[] },
): Promise<void> {
  const { blocks } = assembleForModel({ question: one.question, evidence, budgetTokens: 20_000 });
  if (blocks.length < pieces) return;
  const readSpan: SpanReader = async ({ documentId, chunkId, start, end }) => {
    const chunk = evidence.find((item) => item.chunkId === chunkId);
    if (!chunk) return undefined;
    const { title, uri, source } = chunk;
    const quote = chunk.text.slice(start - chunk.start, end - chunk.start);
    return { documentId, chunkId, start, end, quote, title, uri, source };
  };
  const aim = blocks[one.id.length % blocks.length]?.evidence;
  const piece = aim && segmentPieces(aim.text).find(({ start, end }) => end - start > 40);
  if (!aim || !piece) return;
  const id = blocks.findIndex(({ evidence: { chunkId } }) => chunkId === aim.chunkId) + 1;
  const sentence = aim.text.slice(piece.start, piece.end);
  const claims = [sentence, falsify(sentence, one.id.length), falsify(sentence, one.id.length + 1)];
  const best = claims.map(() => ({ ms: Number.POSITIVE_INFINITY, isKept: false }));
  for (let turn = 0; turn < turns; turn += 1) {
    // As for each answer of the product: passages are read anew, once for all its claims.
    const shown = showBlocks(numberBlocks(blocks));
    for (const [at, text] of claims.entries()) {
      const from = performance.now();
      const relevance = { of: () => 1, together: () => 1 };
      const { kept } = await checkModelClaim({ text, quotes: [{ id, quote: text }] }, shown, { readSpan, relevance });
      const ms = Math.min(performance.now() - from, best[at]?.ms ?? Number.POSITIVE_INFINITY);
      best[at] = { ms, isKept: kept !== undefined };
    }
  }
  for (const { ms, isKept } of best) (isKept ? times.kept : times.refused).push(ms);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(3));
}
