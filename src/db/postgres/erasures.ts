// The second half of every deletion in PostgreSQL: what was noted as deleted is taken out of all else that is kept. A note that is settled stays for an
// hour, for requests that were under way when it was written (erased.ts). Where rows stood in files is the database's own: it gives that room to others.
import { sweepTenant } from '../both/erasure-sweep.ts';
import { type Erasures, readNotes } from '../both/noted-erasures.ts';
import { run, type Statements } from '../statements.ts';
import type { PostgresClient } from './client/client.ts';
import { forgetPassages } from './encoded-passages.ts';

const settleSql = `UPDATE erasure AS e SET settled = true
  FROM unnest(?2::text[], ?3::text[], ?4::text[], ?5::text[]) AS n (kind, id, principal, noted_at)
  WHERE e.tenant = ?1 AND e.kind = n.kind AND e.id = n.id AND e.principal = n.principal AND e.noted_at = n.noted_at`;
const tidySql = "DELETE FROM erasure WHERE settled AND at < clock_timestamp() - interval '1 hour'";

export interface PostgresErasures extends Erasures {
  /** Call when something was noted by this process. */
  tell(): void;
}

export function createErasures(client: PostgresClient, statementsOf: (tenant: string) => Statements): PostgresErasures {
  const listeners = new Set<() => void>();
  return {
    tell() {
      for (const listener of listeners) listener();
    },
    onNoted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ...readNotes(statementsOf, ' AND NOT settled'),
    sweep: (noted, pause) =>
      sweepTenant(noted, {
        statements: statementsOf(noted.tenant),
        pause,
        // Everything of a session goes in the transaction that deletes it.
        deleteSession: async () => undefined,
        async forgetPassages(tenant) {
          await forgetPassages(client, tenant);
        },
      }),
    settle: ({ tenant, rows }) =>
      statementsOf(tenant).write(function* () {
        const of = (column: 'kind' | 'id' | 'principal' | 'noted_at') => rows.map((row) => row[column]);
        // One that was noted anew meanwhile is another deletion.
        yield* run(settleSql, tenant, of('kind'), of('id'), of('principal'), of('noted_at'));
        yield* run(tidySql);
      }),
    cleanPages: async () => true,
  };
}
