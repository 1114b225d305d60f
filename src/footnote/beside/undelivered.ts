// A store that lacks documents answers well and knows nothing of them: what it finds is not all, and what it does not find is not nothing. Invariant: whoever
// is answered by such a store is told.
import type { Degradation } from '../../core/search.ts';
import type { Searcher } from '../../stores/store.ts';

export const notDelivered = (component: string, detail: string): Degradation => ({
  component,
  code: 'not-delivered',
  detail,
  effect: 'What is in them is not found there.',
});

const toldOf = (component: string): Degradation =>
  notDelivered(
    component,
    `Documents wait to be brought to ${component}, or could not be: "footnote stores status" and its deliveries say why.`,
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
