// Summaries first, full text on demand: a model is shown one sentence of each passage, and names those that it wants to read. Invariant: what it may name are
// passages that were found for the question; whatever it is shown is told in tokens, beside those that showing all at once would have taken.
import type { Evidence } from '../../core/search.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { Context, ContextBlock } from '../claims/draft.ts';
import { countPassage } from './evidence.ts';
import { createSummarizer } from './lazy-summary.ts';
import { assembleForModel, type ModelContextRequest } from './model-context.ts';

/** What a model read of the passages, one look after the other. */
export interface Hydration {
  /** Passages of which a sentence was shown. */
  readonly summaries: number;
  /** Of those, the ones that were shown as they stand. */
  readonly hydrated: number;
  readonly tokensRead: number;
  /** Less than zero: showing all at once would have taken fewer. */
  readonly tokensSaved: number;
}

/** Passages that a model may read whole at a time: more is what showing all is for. */
export const mostHydrated = 4;

/** A sentence of each passage, the best first, within the budget. Pure. */
export function summarizedContext(request: ModelContextRequest): Context {
  const { question, evidence, budgetTokens, summaryCharacters = 600 } = request;
  const count = request.countTokens ?? countTokens;
  const { summarize } = createSummarizer(question, evidence, { characters: summaryCharacters });
  const blocks: ContextBlock[] = [];
  const dropped: Context['dropped'][number][] = [];
  let left = budgetTokens;
  for (const item of evidence) {
    const summary = summarize(item);
    const block = summary && { evidence: summary, tokens: 0, isSummary: true as const };
    const tokens = block ? countPassage({ id: 99, block }, count) : 0;
    if (!block || tokens > left) {
      const reason = block
        ? 'budget: no room for a sentence of it'
        : 'summary: no sentence of it speaks of the question';
      dropped.push({ chunkId: item.chunkId, reason });
      continue;
    }
    left -= tokens;
    blocks.push({ ...block, tokens });
  }
  return { blocks, tokens: budgetTokens - left, dropped };
}

/** The passages with these numbers, as they stand; undefined where none of them was shown. Pure. */
export function hydratedContext(
  wanted: readonly number[],
  shown: Context,
  request: ModelContextRequest,
): Context | undefined {
  const chunks = [...new Set(wanted.flatMap((id) => shown.blocks[id - 1]?.evidence.chunkId ?? []))].slice(
    0,
    mostHydrated,
  );
  const named = chunks.flatMap((id): readonly Evidence[] => request.evidence.filter(({ chunkId }) => chunkId === id));
  const evidence = [...named, ...linkedTo(named, shown, request.evidence)].slice(0, mostHydrated);
  if (evidence.length === 0) return undefined;
  const context = assembleForModel({ ...request, evidence, summaryCharacters: 0 });
  return context.blocks.length === 0 ? undefined : context;
}

/** Passages that were shown by a sentence and are of what a named one speaks of: the second of two steps shares few words with the question. */
function linkedTo(named: readonly Evidence[], shown: Context, evidence: readonly Evidence[]): readonly Evidence[] {
  const texts = named.map(({ text }) => text.toLowerCase());
  const summarized = new Set(shown.blocks.map((block) => block.evidence.chunkId));
  return evidence.filter(({ chunkId, title }) => {
    if (named.some((one) => one.chunkId === chunkId) || !summarized.has(chunkId)) return false;
    const bare = title.replace(/ \([^()]*\)$/u, '').toLowerCase();
    return bare.length >= shortestTitle && texts.some((text) => text.includes(bare));
  });
}
/** Shorter titles are words of any text. */
const shortestTitle = 5;

export interface Looks<Look> {
  readonly summaries: Context;
  /** What would be shown at once. */
  readonly whole: Context;
  /** Shows the context; undefined where it has nothing to show. */
  readonly show: (context: Context, isSummaries: boolean) => Promise<Look | undefined>;
  readonly hydrate: (wanted: readonly number[]) => Context | undefined;
  /** What is to be done after a look: an end, or passages that are wanted whole. */
  readonly judge: (look: Look) => { readonly isDone: boolean; readonly wanted: readonly number[] };
}

/** Summaries, then what is named, then all of it. Throws what `show` throws. */
export async function lookLazily<Look>(
  looks: Looks<Look>,
): Promise<{ readonly look: Look | undefined; readonly hydration: Hydration }> {
  const { summaries, whole, show, hydrate, judge } = looks;
  let tokensRead = summaries.tokens;
  let hydrated = 0;
  let look = await show(summaries, true);
  let next = look && judge(look);
  const wanted = next && !next.isDone ? hydrate(next.wanted) : undefined;
  if (wanted) {
    tokensRead += wanted.tokens;
    hydrated = new Set(wanted.blocks.map(({ evidence }) => evidence.chunkId)).size;
    look = await show(wanted, false);
    next = look && judge(look);
  }
  if (next && !next.isDone) {
    tokensRead += whole.tokens;
    hydrated = new Set(whole.blocks.map(({ evidence }) => evidence.chunkId)).size;
    look = await show(whole, false);
  }
  return {
    look,
    hydration: { summaries: summaries.blocks.length, hydrated, tokensRead, tokensSaved: whole.tokens - tokensRead },
  };
}
