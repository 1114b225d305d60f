// Indexes of neighbours are made behind the deliveries and searches that need them, one at a time, for as long as that takes: whoever brings documents waits for none. Invariant:
// what fails there fails no delivery; it is told, and tried again behind the next one.
import { toFootnoteError } from '../../core/errors.ts';
import type { PostgresClient } from '../../db/postgres/client/client.ts';
import { isMissing } from './errors.ts';
import type { Tables } from './tables.ts';
import { type Indexing, indexNeighbours } from './vectors.ts';

export function createIndexing(client: PostgresClient, tables: Tables) {
  const waiting = new Set<number>();
  const failures = new Map<number, string>();
  let building: Promise<void> = Promise.resolve();

  async function build(wanted: Indexing): Promise<void> {
    const { tenant } = wanted;
    try {
      await indexNeighbours(client, tables, wanted);
      failures.delete(tenant);
    } catch (thrown) {
      // Of tables that went away nothing is to be found.
      if (!isMissing(thrown)) failures.set(tenant, toFootnoteError(thrown).message);
    } finally {
      waiting.delete(tenant);
    }
  }

  return {
    begin(wanted: Indexing): void {
      if (waiting.has(wanted.tenant)) return;
      waiting.add(wanted.tenant);
      building = building.then(() => build(wanted));
    },
    ended: (): Promise<void> => building,
    /** A sentence about the last try, where it failed. */
    failure(tenant: number): string | undefined {
      const why = failures.get(tenant);
      return why === undefined
        ? undefined
        : `Its index of neighbours could not be made, so every vector is compared; the next delivery tries again: ${why}`;
    },
  };
}
