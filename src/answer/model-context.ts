// Chooses what a model reads: the passages that the extractive composer would read, then the sentences around them while room is left.
// Invariants: what is shown never takes more tokens than the budget, counted as it stands in the prompt; whatever of the evidence is
// not shown is listed with its reason.
import type { SourceSpan } from '../core/document.ts';
import type { Evidence } from '../core/search.ts';
import { segmentSentences } from '../text/sentences.ts';
import { countTokens } from '../text/tokens.ts';
import { assembleContext } from './context.ts';
import type { Context, ContextBlock } from './draft.ts';
import { renderPassage } from './model-evidence.ts';
import { narrowToPassages } from './passages.ts';

export interface ModelContextRequest {
  readonly question: string;
  /** Ranked, best first, whole chunks. */
  readonly evidence: readonly Evidence[];
  /** Tokens (o200k_base) that the passages may take in the prompt, tags and bars included. */
  readonly budgetTokens: number;
}

/** Long chunks are read by their best passages: about a paragraph each. */
const passageSize = { passageTokens: 250, passagesPerChunk: 2 };
/** Sentences added at most on each side of a passage. */
const mostNeighbours = 3;
/** A line more costs its bar and its break. */
const linesAllowance = 4;

const costOf = (evidence: Evidence): number =>
  countTokens(renderPassage({ id: 99, block: { evidence, tokens: 0 } })) + linesAllowance;

/** Assembles the context; an empty list gives an empty context. Pure. */
export function assembleForModel({ question, evidence, budgetTokens }: ModelContextRequest): Context {
  const passages = narrowToPassages(question, evidence, { ...passageSize, countTokens });
  const costs = new Map<string, number>();
  for (const passage of passages) costs.set(`[Source: ${passage.title}]\n${passage.text}\n`, costOf(passage));
  const chosen = assembleContext(passages, {
    budgetTokens,
    countTokens: (text) => costs.get(text) ?? countTokens(text),
  });
  const blocks = grow(chosen.blocks, evidence, budgetTokens - chosen.tokens);
  return {
    blocks,
    tokens: blocks.reduce((total, { tokens }) => total + tokens, 0),
    dropped: [...chosen.dropped, ...partsLeftOut(evidence, blocks)],
  };
}

interface Growing {
  block: ContextBlock;
  readonly whole: Evidence;
  readonly pieces: readonly SourceSpan[];
  before: number;
  after: number;
}

/** Sentence by sentence, one on each side of each passage in turn, the best passage first. */
function grow(blocks: readonly ContextBlock[], evidence: readonly Evidence[], room: number): ContextBlock[] {
  let left = room;
  const growing = blocks.map((block): Growing => {
    const whole = evidence.find(({ chunkId }) => chunkId === block.evidence.chunkId) ?? block.evidence;
    const isWhole = whole.start === block.evidence.start && whole.end === block.evidence.end;
    return { block, whole, pieces: isWhole ? [] : segmentSentences(whole.text), before: 0, after: 0 };
  });
  const widen = (item: Growing, start: number, end: number): boolean => {
    const isTaken = growing.some(
      ({ block: { evidence: other } }) =>
        other !== item.block.evidence && other.chunkId === item.whole.chunkId && other.start < end && start < other.end,
    );
    if (isTaken) return false;
    const text = item.whole.text.slice(start - item.whole.start, end - item.whole.start);
    const wider = { ...item.block.evidence, start, end, text };
    const tokens = costOf(wider);
    if (tokens - item.block.tokens > left) return false;
    left -= tokens - item.block.tokens;
    item.block = { evidence: wider, tokens };
    return true;
  };
  for (let round = 0; round < mostNeighbours; round += 1)
    for (const item of growing) {
      const { start, end } = item.block.evidence;
      const offset = item.whole.start;
      const next = item.pieces.find((piece) => piece.end + offset > end);
      if (item.after === round && next && widen(item, start, next.end + offset)) item.after += 1;
      const previous = item.pieces.findLast((piece) => piece.start + offset < start);
      if (item.before === round && previous && widen(item, previous.start + offset, item.block.evidence.end))
        item.before += 1;
    }
  return growing.map(({ block }) => block);
}

/** Chunks of which only a part is shown. */
function partsLeftOut(evidence: readonly Evidence[], blocks: readonly ContextBlock[]): Context['dropped'] {
  return evidence.flatMap(({ chunkId, text }) => {
    const shown = blocks.filter((block) => block.evidence.chunkId === chunkId);
    const length = shown.reduce((total, block) => total + block.evidence.text.length, 0);
    if (shown.length === 0 || length >= text.trim().length) return [];
    return [
      {
        chunkId,
        reason: `${length} of its ${text.length} characters are shown: the passages that speak of the question`,
      },
    ];
  });
}
