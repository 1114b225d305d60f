// Which passages an answer shows: the best, and further ones that say something else. Invariant: no two of them overlap or say the same.
import { termSet } from '../text/terms.ts';
import type { Frame } from './frame.ts';
import { sayTheSame } from './pairs/compare-pair.ts';
import { pinpointOf } from './pinpoint.ts';
import type { RankedPassage } from './rank.ts';

/** Above this share of common terms two passages say the same. */
const sameTerms = 0.7;

type InChunk = RankedPassage<{
  readonly chunkId: string;
  readonly documentId: string;
  readonly start: number;
  readonly text: string;
}>;

export function choosePassages<Ranked extends InChunk>(ranked: readonly Ranked[], most: number): readonly Ranked[] {
  const chosen: Ranked[] = [];
  for (const one of ranked) {
    if (chosen.length >= most) break;
    if (!chosen.some((other) => overlap(one, other) || saySame(one, other))) chosen.push(one);
  }
  return chosen;
}

/** Chunks of a document overlap, and so do windows of what is longer than a passage. */
function overlap(a: InChunk, b: InChunk): boolean {
  if (a.chunk.documentId !== b.chunk.documentId) return false;
  const from = Math.max(a.chunk.start + a.passage.start, b.chunk.start + b.passage.start);
  const to = Math.min(a.chunk.start + a.passage.end, b.chunk.start + b.passage.end);
  return to > from;
}

/** 910 is not 655, however alike the rest is. */
function saySame({ passage: a }: InChunk, { passage: b }: InChunk): boolean {
  const [first, second] = [termSet(a.text), termSet(b.text)];
  if (
    first
      .symmetricDifference(second)
      .values()
      .some((term) => /\p{N}/u.test(term))
  )
    return false;
  const smaller = Math.min(first.size, second.size);
  return smaller > 0 && first.intersection(second).size / Math.max(first.size, second.size) > sameTerms;
}

/** So many of the chosen are enough to find one that says something else than the first. */
export const mostCompared = 6;

/** The next passage that says something else than `first`: another one that says the same makes the first no less likely. `others` are chosen, behind it. */
export function rivalOf<Ranked extends InChunk>(
  first: Ranked,
  others: readonly Ranked[],
  frame: Frame,
): Ranked | undefined {
  const { passage, chunk, partCosines } = first;
  const { start, end } = pinpointOf(frame, passage, partCosines)?.part ?? passage;
  const own = { text: chunk.text.slice(start, end), over: passage.headingPath };
  return others
    .slice(0, mostCompared - 1)
    .find(
      (other) =>
        !other.passage.parts.some((part) =>
          sayTheSame(own, { text: other.chunk.text.slice(part.start, part.end), over: other.passage.headingPath }),
        ),
    );
}
