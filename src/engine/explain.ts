// Where the terms of a query stand in a hit: the counts by field that its weighted frequencies come from.

import { tokenAt } from './phrases.ts';
import type { SearchState } from './search-state.ts';
import { fieldBreak } from './segment.ts';
import { encode, findString } from './strings.ts';

/** Occurrences of a term in each field of the entry at a slot (without the extra ones that weigh a field). */
export function countByField(state: SearchState, hit: { part: number; slot: number }, term: string): readonly number[] {
  const segment = state.parts[hit.part]?.segment;
  if (!segment) return [];
  const id = findString(segment.terms, encode(term));
  const counts = [0];
  for (let at = segment.tokenOffsets[hit.slot] ?? 0; at < (segment.tokenOffsets[hit.slot + 1] ?? 0); at++) {
    const token = tokenAt(segment, at);
    if (token === fieldBreak) counts.push(0);
    else if (token === id) counts.push((counts.pop() ?? 0) + 1);
  }
  return counts;
}
