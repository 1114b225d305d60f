// The second half of every deletion in PostgreSQL: what was noted as deleted is taken out of all else that is kept. A note that is settled stays for an
// hour, for requests that were under way when it was written (erased.ts). Where rows stood in files is the database's own: it gives that room to others.
import { sweepTenant } from '../both/erasure-sweep.ts';
import {
  type Erasures,
  type NotedRow,
  notedSql,
  type PendingErasure,
  pendingSql,
  toNoted,
} from '../both/noted-erasures.ts';
import { rows, run, type Statements } from '../statements.ts';

const open = ' AND NOT settled';
const settleSql = `UPDATE erasure SET settled = true WHERE tenant = ? AND kind = ? AND id = ? AND principal = ? AND noted_at = ?`;
const tidySql = "DELETE FROM erasure WHERE settled AND noted_at::timestamptz < clock_timestamp() - interval '1 hour'";

export interface PostgresErasures extends Erasures {
  /** Call when something was noted by this process. */
  tell(): void;
}

export function createErasures(statementsOf: (tenant: string) => Statements): PostgresErasures {
  const listeners = new Set<() => void>();
  return {
    tell() {
      for (const listener of listeners) listener();
    },
    onNoted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    pending: (tenant) =>
      tenant === undefined
        ? statementsOf('').rows<PendingErasure>(pendingSql(' WHERE NOT settled'))
        : statementsOf(tenant).rows<PendingErasure>(pendingSql(` WHERE tenant = ?${open}`), tenant),
    noted: (tenant) =>
      statementsOf(tenant).read(function* () {
        return yield* toNoted(tenant, yield* rows<NotedRow>(notedSql(open), tenant));
      }),
    sweep: (noted, pause) =>
      sweepTenant(noted, {
        statements: statementsOf(noted.tenant),
        pause,
        // Everything of a session goes in the transaction that deletes it, and vectors of passages are not kept.
        deleteSession: async () => undefined,
        forgetPassages: async () => undefined,
      }),
    settle: (noted) =>
      statementsOf(noted.tenant).write(function* () {
        // One that was noted anew meanwhile is another deletion.
        for (const { tenant, kind, id, principal, noted_at } of noted.rows)
          yield* run(settleSql, tenant, kind, id, principal, noted_at);
        yield* run(tidySql);
      }),
    cleanPages: async () => true,
  };
}
