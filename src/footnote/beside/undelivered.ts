// A store that lacks documents answers well and knows nothing of them: what it finds is not all, and what it does not find is not nothing. Invariant: whoever
// is answered by such a store is told.
import { webSearchSource } from '../../core/document.ts';
import type { Degradation } from '../../core/search.ts';
import { notDeliveredCode, type Searcher } from '../../stores/store.ts';
import { bundledSource } from '../record/bundled.ts';

/** Documents of these sources are brought to nobody else: that a store has none of them takes nothing away. */
export const staysHere = { besides: [bundledSource, webSearchSource] };

export const notDelivered = (component: string, detail: string): Degradation => ({
  component,
  code: notDeliveredCode,
  detail,
  effect: 'What is in them is not found there.',
});

const toldOf = (component: string): Degradation =>
  notDelivered(
    component,
    `${component} does not hold all documents: some wait to be brought there, could not be, or are meant for another store. "footnote stores status" and its deliveries say which.`,
  );

export function tellUndelivered<Told extends Searcher>(searcher: Told, lacks: () => Promise<boolean>): Told {
  return {
    ...searcher,
    async search(query, signal) {
      const [page, isBehind] = await Promise.all([searcher.search(query, signal), lacks()]);
      return isBehind ? { ...page, degraded: [...page.degraded, toldOf(searcher.name)] } : page;
    },
  };
}
