// Statistics of a part of an index alone: how many entries a selection leaves, how long they are, and how many of them hold a term.
// Invariant: a search that is weighed by them gives each entry of the selection the score that an index of nothing else would give it.
import { hasBit } from './bitmap.ts';
import type { OwnStatistics, Selection } from './query.ts';
import type { SearchState } from './search-state.ts';
import { runsOf } from './selected-run.ts';
import { countLiving } from './term-places.ts';

interface Counted {
  readonly entries: number;
  readonly averageLength: number;
  readonly frequencies: Map<string, number>;
}

/** Selections are made anew after every change of the index, so what was counted of one stays true. */
const known = new WeakMap<Selection, Counted>();
const keptTerms = 4096;

/** What of the state the selection leaves, with the frequencies of some terms. */
export function countOwn(state: SearchState, selection: Selection, terms: Iterable<string>): OwnStatistics {
  const counted = known.get(selection) ?? measure(state, selection);
  known.set(selection, counted);
  const { entries, averageLength, frequencies } = counted;
  if (frequencies.size >= keptTerms) frequencies.clear();
  const wanted: Record<string, number> = Object.create(null);
  for (const given of terms) {
    const term = given.toWellFormed();
    const frequency = frequencies.get(term) ?? countLiving(state, term, selection);
    frequencies.set(term, frequency);
    wanted[term] = frequency;
  }
  return { entries, averageLength, frequencies: wanted };
}

function measure({ parts }: SearchState, selection: Selection): Counted {
  let entries = 0;
  let length = 0;
  const runs = runsOf(selection);
  for (const [index, { segment, dead }] of parts.entries()) {
    const selected = selection[index];
    const run = runs[index];
    if (!selected || !run) continue;
    for (let slot = run.first; slot < run.end; slot++) {
      if (!hasBit(selected, slot) || (dead && hasBit(dead, slot))) continue;
      entries += 1;
      length += segment.lengths[slot] as number;
    }
  }
  return { entries, averageLength: entries === 0 ? 1 : length / entries || 1, frequencies: new Map() };
}

/** The state as if it held nothing but what was counted. */
export function weighedBy(state: SearchState, own: OwnStatistics | undefined): SearchState {
  if (!own || state.frequencies === own.frequencies) return state;
  const norms = new Float64Array(state.norms.length);
  const { k1, b } = state;
  for (let at = 0; at < norms.length; at++) norms[at] = k1 * (1 - b + (b * at) / own.averageLength);
  return { ...state, entries: own.entries, norms, frequencies: own.frequencies };
}
