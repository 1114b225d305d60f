// What a word may have meant that no entry holds: terms that it begins, or terms within an edit or two (insertion, deletion,
// substitution or swap of neighbours: Damerau 1964, restricted). Terms with digits are never guessed at: 15mg is not 10mg.
import type { Segment } from './segment.ts';
import { encode, lowerBound, stringAt } from './strings.ts';

export interface Expansion {
  readonly term: string;
  readonly edits: number;
  readonly kind: 'prefix' | 'fuzzy';
}

const shortestPrefix = 4;
const shortestFuzzy = 4;
/** From this length on two edits are allowed. */
const twoEditsFrom = 8;
const maximumExpansions = 8;

/**
 * At most eight terms of the segments for a term that none of them holds: terms that start with it and add at most three
 * characters, else the ones with the fewest edits. `frequency` tells in how many living entries a term stands.
 */
export function expandTerm(
  segments: readonly Segment[],
  term: string,
  frequency: (term: string) => number,
): readonly Expansion[] {
  const length = [...term].length;
  if (/\p{N}/u.test(term)) return [];
  const found = new Map<string, Expansion>();
  if (length >= shortestPrefix)
    for (const segment of segments)
      for (const candidate of startingWith(segment, term))
        if ([...candidate].length <= length + 3) found.set(candidate, { term: candidate, edits: 0, kind: 'prefix' });
  const frequencies = new Map<string, number>();
  const frequencyOf = (candidate: string): number => {
    const count = frequencies.get(candidate) ?? frequency(candidate);
    frequencies.set(candidate, count);
    return count;
  };
  const living = (): Expansion[] => [...found.values()].filter((expansion) => frequencyOf(expansion.term) > 0);
  let chosen = living();
  if (chosen.length === 0 && length >= shortestFuzzy) {
    found.clear();
    const allowed = length >= twoEditsFrom ? 2 : 1;
    for (const segment of segments) {
      for (const candidate of startingWith(segment, [...term][0] ?? '', term.length + allowed)) {
        if (candidate.length < term.length - allowed || found.has(candidate) || /\p{N}/u.test(candidate)) continue;
        const edits = editsBetween(term, candidate, allowed);
        if (edits <= allowed) found.set(candidate, { term: candidate, edits, kind: 'fuzzy' });
      }
    }
    chosen = living();
    const fewest = Math.min(...chosen.map((expansion) => expansion.edits));
    chosen = chosen.filter((expansion) => expansion.edits === fewest);
  }
  return chosen
    .sort((left, right) => frequencyOf(right.term) - frequencyOf(left.term) || (left.term < right.term ? -1 : 1))
    .slice(0, maximumExpansions);
}

function* startingWith(segment: Segment, prefix: string, longest = 64): Generator<string, void, undefined> {
  const { terms, sizes } = segment;
  const key = encode(prefix);
  for (let index = lowerBound(terms, key); index < sizes.terms; index++) {
    const start = terms.offsets[index] as number;
    const length = (terms.offsets[index + 1] as number) - start;
    for (let at = 0; at < key.length; at++) if (terms.bytes[start + at] !== key[at]) return;
    // Bytes are never fewer than code units are characters beyond the Basic plane, so this only spares work.
    if (length <= longest * 3) yield stringAt(terms, index);
  }
}

/** Edits from one word to another; more than `most` comes back as `most + 1`. */
export function editsBetween(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let earlier: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        edits = Math.min(edits, (earlier[column - 2] as number) + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    earlier = previous;
    previous = current;
  }
  return Math.min(previous[right.length] as number, most + 1);
}
