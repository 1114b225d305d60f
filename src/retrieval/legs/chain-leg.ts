// Stores that stand in for each other as one leg: the first is asked, and where it is down, the next one. Invariants: only a store that is
// down is passed over, and that is told; what was asked wrongly, or is not configured, is said and hidden behind nobody. Where all are
// down the leg says so, for unknown is never empty.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { isOutage } from '../../core/outages.ts';
import type { Degradation, Mode } from '../../core/search.ts';
import type { Leg, LegQuery } from './leg.ts';
import type { LegResult } from './leg-result.ts';

export interface ChainOptions {
  readonly name: string;
  readonly modes: readonly Mode[];
}

/** What another store can make up for: an outage, nonsense, and what a store lacks altogether. */
const isPassed = (error: FootnoteError): boolean =>
  isOutage(error) || error.code === 'upstream-invalid' || error.details['lacks'] !== undefined;

/** In the order in which they are asked. A later one that does not serve a mode is left out of it. */
export function createChainLeg(links: readonly Leg[], { name, modes }: ChainOptions): Leg {
  const [primary] = links;
  if (!primary) throw new Error('A chain has one store at least.');

  function linksFor({ mode }: LegQuery): readonly Leg[] {
    if (primary?.modes.includes(mode)) return links.filter((link) => link.modes.includes(mode));
    throw new FootnoteError('unsupported', `The store ${name} does not serve the mode ${mode}. Ask in another mode.`);
  }

  return {
    name,
    kind: primary.kind,
    store: primary.store,
    modes,
    async search(query, signal): Promise<LegResult> {
      const degraded: Degradation[] = [];
      let outage: FootnoteError | undefined;
      const asked = linksFor(query);
      for (const [place, link] of asked.entries()) {
        try {
          const result = await link.search(query, signal);
          return {
            ...result,
            name: result.name ?? link.name,
            hits: result.hits.map((hit) => ({ ...hit, stores: hit.stores ?? [link.store] })),
            degraded: [...degraded, ...result.degraded],
            ...(place > 0 && { usedFallback: true }),
          };
        } catch (thrown) {
          const error = toFootnoteError(thrown);
          if (signal?.aborted || !isPassed(error)) throw error;
          outage ??= error;
          const next = asked[place + 1];
          const effect = next ? `Searched in ${next.store} instead.` : `Searched without ${link.store}.`;
          degraded.push({ component: link.store, code: error.code, detail: error.message, effect });
        }
      }
      return { hits: [], degraded, usedFallback: true, ...(outage && { outage }) };
    },
  };
}
