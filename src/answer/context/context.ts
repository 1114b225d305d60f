// Chooses what the composer may read: the best evidence first, no text twice, no document crowding out the others, within
// a token budget. Everything left out is listed with its reason. Diversity is a greedy maximal marginal relevance
// (Carbonell & Goldstein 1998) on word overlap.
import type { Evidence } from '../../core/search.ts';
import { foldText } from '../../text/words/normalise.ts';
import type { Context, ContextBlock } from '../claims/draft.ts';
import { lineTokens, wordHashesOf } from './readings.ts';

export interface ContextOptions {
  /** Tokens that the blocks may hold together, each with its `[Source: title]` line (default 2,000). */
  readonly budgetTokens?: number;
  /** Most blocks of one document (default 6). */
  readonly maxPerDocument?: number;
  /** Tokens of a text. Default: a quarter of its UTF-8 bytes, rounded up, which is within 20 % of o200k_base on English. */
  readonly countTokens?: (text: string) => number;
  /** Tokens of a block. Default: those of its `[Source: title]` line and its text. */
  readonly costOf?: (evidence: Evidence) => number;
}

/** Above this share of common words two chunks say the same. */
const duplicateOverlap = 0.9;
/** How much overlap with chosen blocks costs, as a share of the relative score. */
const redundancyWeight = 0.3;

/** Assembles the context from evidence in ranked order (best first). Never throws; an empty list gives an empty context. */
export function assembleContext(evidence: readonly Evidence[], options: ContextOptions = {}): Context {
  const budget = options.budgetTokens ?? 2_000;
  const maxPerDocument = options.maxPerDocument ?? 6;
  const { countTokens = estimateTokens } = options;
  const costOf =
    options.costOf ?? (({ title, text }) => countTokens(`[Source: ${title}]\n`) + lineTokens(text, countTokens));
  const best = Math.max(...evidence.map((item) => item.score), Number.MIN_VALUE);
  const waiting = evidence.map((item, rank) => ({
    item,
    // Scores of some stores are all zero or negative; then the rank alone orders.
    relevance: (item.score > 0 ? item.score / best : 0) + 1e-3 / (rank + 1),
    words: wordHashesOf(item.text),
    overlap: 0,
    coveredBy: undefined as string | undefined,
  }));
  const blocks: ContextBlock[] = [];
  const dropped: { chunkId: string; reason: string }[] = [];
  const perDocument = new Map<string, number>();
  let tokens = 0;
  while (waiting.length > 0) {
    let choice = 0;
    let choiceValue = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < waiting.length; index += 1) {
      const { relevance, overlap } = waiting[index] ?? { relevance: 0, overlap: 0 };
      const value = relevance * (1 - redundancyWeight * overlap);
      if (value > choiceValue) [choice, choiceValue] = [index, value];
    }
    const [chosen] = waiting.splice(choice, 1);
    if (!chosen) break;
    const { item } = chosen;
    if (item.text.trim() === '') {
      dropped.push({ chunkId: item.chunkId, reason: 'empty: it has no text' });
      continue;
    }
    if (chosen.coveredBy !== undefined) {
      dropped.push({ chunkId: item.chunkId, reason: `duplicate: says the same as ${chosen.coveredBy}` });
      continue;
    }
    const held = perDocument.get(item.documentId) ?? 0;
    if (held >= maxPerDocument) {
      dropped.push({
        chunkId: item.chunkId,
        reason: `document-limit: ${maxPerDocument} better chunks of the same document are in the context`,
      });
      continue;
    }
    const cost = costOf(item);
    if (tokens + cost > budget) {
      dropped.push({
        chunkId: item.chunkId,
        reason: `budget: needs ${cost} tokens and ${budget - tokens} of ${budget} are left`,
      });
      continue;
    }
    blocks.push({ evidence: item, tokens: cost });
    tokens += cost;
    perDocument.set(item.documentId, held + 1);
    for (const other of waiting) {
      const overlap = overlapOf(other.words, chosen.words);
      other.overlap = Math.max(other.overlap, overlap);
      if (overlap >= duplicateOverlap && isContained(other.item, item, overlap)) other.coveredBy ??= item.chunkId;
    }
  }
  return { blocks, tokens, dropped };
}

function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Share of the smaller set's words that the other holds too; both sorted. */
function overlapOf(a: Uint32Array, b: Uint32Array): number {
  let [inA, inB, common] = [0, 0, 0];
  while (inA < a.length && inB < b.length) {
    const difference = (a[inA] ?? 0) - (b[inB] ?? 0);
    if (difference === 0) common += 1;
    if (difference <= 0) inA += 1;
    if (difference >= 0) inB += 1;
  }
  return common === 0 ? 0 : common / Math.min(a.length, b.length);
}

/** A chunk is dropped only where the chosen one has all of its text; a longer one still adds something. */
function isContained(other: Evidence, chosen: Evidence, overlap: number): boolean {
  if (other.documentId === chosen.documentId) return other.start >= chosen.start && other.end <= chosen.end;
  return (
    other.text.length <= chosen.text.length * 1.1 &&
    overlap >= 0.95 &&
    ` ${foldText(chosen.text)} `.includes(` ${foldText(other.text)} `)
  );
}
