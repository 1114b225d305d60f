// Chooses what a model reads: long chunks by their best passages, others whole, one sentence of each chunk that has no room, then
// the sentences around the passages while room is left. Invariants: what is shown never takes more tokens than the budget, counted as it
// stands in the prompt; whatever of the evidence is not shown is listed with its reason.
import type { SourceSpan } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { choosePassages } from '../../passages/choose.ts';
import { readFrame } from '../../passages/frame.ts';
import { rankByWords } from '../../passages/rank.ts';
import { isBareLink } from '../../text/pointers.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { Context, ContextBlock } from '../claims/draft.ts';
import { assembleContext } from './context.ts';
import { countPassage, partOf } from './evidence.ts';
import { createSummarizer, type Summarizer } from './lazy-summary.ts';
import { passageTokens, piecesOf } from './readings.ts';

export interface ModelContextRequest {
  readonly question: string;
  /** Ranked, best first, whole chunks. */
  readonly evidence: readonly Evidence[];
  /** Tokens that the passages may take in the prompt, tags and bars included. */
  readonly budgetTokens: number;
  /** Tokens of a text as the model counts them. Default: o200k_base. */
  readonly countTokens?: (text: string) => number;
  /** Longest sentence that stands for a chunk; 0: none does. */
  readonly summaryCharacters?: number;
}

/** Chunks of more tokens are read by so many of their passages. */
const long = { tokens: 375, passages: 2 };
/** How much of a chunk's score its weakest passage keeps. */
const leastShare = 0.5;
/**
 * Share of the budget for passages where not all have room; the rest shows a sentence each of further chunks. Of 0.5 to 1 in steps of 0.1
 * it showed the most gold sentences at 500 to 2,000 tokens (docs/answers.md, "What a model is shown").
 */
const fullTextShare = 0.8;
/** Sentences added at most on each side of a passage. */
const mostNeighbours = 3;
/** A line more costs its bar and its break. */
const linesAllowance = 4;

type Cost = (evidence: Evidence, isSummary?: true) => number;

/** Assembles the context; an empty list gives an empty context. Pure. */
export function assembleForModel(request: ModelContextRequest): Context {
  const { question, budgetTokens, summaryCharacters = 600 } = request;
  const evidence = request.evidence.filter(({ text }) => saysAnything(text));
  const count = request.countTokens ?? countTokens;
  const costOf: Cost = (item, isSummary) =>
    countPassage({ id: 99, block: { evidence: item, tokens: 0, ...(isSummary && { isSummary }) } }, count) +
    linesAllowance;
  const passages = bestPassages(question, evidence, count);
  const choose = (share: number): Context =>
    assembleContext(passages, { budgetTokens: Math.floor(budgetTokens * share), costOf: (passage) => costOf(passage) });
  const all = choose(1);
  const isTight = summaryCharacters > 0 && all.dropped.some(isForWantOfRoom);
  const chosen = isTight ? choose(fullTextShare) : all;
  const { summaries, room } = summarizeAll(isTight ? chunksLeft(evidence, chosen) : [], {
    summarizer: createSummarizer(question, evidence, { characters: summaryCharacters }),
    room: budgetTokens - chosen.tokens,
    costOf,
  });
  const whole = wholeFirst(chosen.blocks, evidence, { room, costOf });
  const blocks = [...grow(whole.blocks, evidence, { room: whole.room, costOf }), ...summaries];
  return {
    blocks,
    tokens: blocks.reduce((total, { tokens }) => total + tokens, 0),
    dropped: [
      ...chosen.dropped.filter(({ chunkId }) => !summaries.some((one) => one.evidence.chunkId === chunkId)),
      ...partsLeftOut(evidence, blocks),
      ...request.evidence
        .filter((item) => !evidence.includes(item))
        .map(({ chunkId }) => ({ chunkId, reason: 'heading: it has nothing but headings and links' })),
    ],
  };
}

/** Evidence in the same order, each long chunk replaced by its best passages, best first. */
function bestPassages(
  question: string,
  evidence: readonly Evidence[],
  count: (text: string) => number,
): readonly Evidence[] {
  const cut = evidence.filter(({ text }) => passageTokens(text, count) > long.tokens);
  if (cut.length === 0) return evidence;
  const ranked = rankByWords(readFrame(question), cut);
  const best = Math.max(ranked[0]?.score ?? 0, Number.MIN_VALUE);
  const byChunk = Map.groupBy(ranked, ({ chunk }) => chunk);
  return evidence.flatMap((item) => {
    const passages = choosePassages(byChunk.get(item) ?? [], long.passages);
    if (passages.length === 0) return [item];
    return passages.map(({ passage, score }) => ({
      ...partOf(item, passage),
      score: item.score * (leastShare + (1 - leastShare) * Math.max(0, score / best)),
    }));
  });
}

const isForWantOfRoom = ({ reason }: Context['dropped'][number]): boolean =>
  /^(?:budget|document-limit):/u.test(reason);

/** Chunks of which nothing is shown because others took the room. */
function chunksLeft(evidence: readonly Evidence[], { blocks, dropped }: Context): Evidence[] {
  const shown = new Set(blocks.map((block) => block.evidence.chunkId));
  const waiting = new Set(dropped.filter(isForWantOfRoom).map(({ chunkId }) => chunkId));
  return evidence.filter(({ chunkId }) => !shown.has(chunkId) && waiting.has(chunkId));
}

/** A sentence each, the best chunk first, while there is room. */
function summarizeAll(
  left: readonly Evidence[],
  { summarizer, room, costOf }: { summarizer: Summarizer; room: number; costOf: Cost },
): { summaries: ContextBlock[]; room: number } {
  const summaries: ContextBlock[] = [];
  let rest = room;
  for (const item of left) {
    const summary = summarizer.summarize(item);
    const tokens = summary ? costOf(summary, true) : 0;
    if (!summary || tokens > rest) continue;
    rest -= tokens;
    summaries.push({ evidence: summary, tokens, isSummary: true });
  }
  return { summaries, room: rest };
}

/** Headings and links alone say nothing. */
const saysAnything = (text: string): boolean =>
  text.split('\n').some((line) => {
    const plain = line.trim().replace(/^(?:[-*+]|\d+\.)\s/u, '');
    return plain !== '' && !/^#{1,6}\s/u.test(plain) && !isBareLink(plain);
  });

/** Chunks whole in the place of their passages, the best first, each where there is room for all of it: a list keeps what leads into it. */
function wholeFirst(
  blocks: readonly ContextBlock[],
  evidence: readonly Evidence[],
  { room, costOf }: { room: number; costOf: Cost },
): { readonly blocks: readonly ContextBlock[]; readonly room: number } {
  let left = room;
  let shown = blocks;
  for (const chunkId of new Set(blocks.map((block) => block.evidence.chunkId))) {
    const item = evidence.find((one) => one.chunkId === chunkId);
    const parts = shown.filter((block) => block.evidence.chunkId === chunkId);
    const [first] = parts;
    if (!item || !first) continue;
    const tokens = costOf(item);
    const more = tokens - parts.reduce((sum, part) => sum + part.tokens, 0);
    if (more > left) continue;
    left -= more;
    const whole: ContextBlock = { evidence: item, tokens };
    shown = shown.flatMap((block) => (block === first ? [whole] : parts.includes(block) ? [] : [block]));
  }
  return { blocks: shown, room: left };
}

interface Growing {
  block: ContextBlock;
  readonly whole: Evidence;
  readonly pieces: readonly SourceSpan[];
  before: number;
  after: number;
}

/** Sentence by sentence, one on each side of each passage in turn, the best passage first. */
function grow(
  blocks: readonly ContextBlock[],
  evidence: readonly Evidence[],
  { room, costOf }: { room: number; costOf: Cost },
): ContextBlock[] {
  let left = room;
  const growing = blocks.map((block): Growing => {
    const whole = evidence.find(({ chunkId }) => chunkId === block.evidence.chunkId) ?? block.evidence;
    const isWhole = whole.start === block.evidence.start && whole.end === block.evidence.end;
    return { block, whole, pieces: isWhole ? [] : piecesOf(whole.text), before: 0, after: 0 };
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
    const what = shown.every(({ isSummary }) => isSummary)
      ? 'summary: the sentence that speaks most of the question'
      : 'part: the passages that speak of the question';
    return [{ chunkId, reason: `${what}, ${length} of its ${text.length} characters` }];
  });
}
