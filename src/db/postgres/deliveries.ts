// How the store within the record stands: it is given each document in the commit that writes it. Stores beside the record have no queue here yet.
import type { DeliveryQueue } from '../repositories/delivery-queue.ts';
import type { PostgresClient } from './client/client.ts';
import type { TenantStates } from './tenant-states.ts';
import { unsupported } from './unsupported.ts';

const refuse = async (): Promise<never> => {
  throw unsupported('what stores beside it are to be given');
};

export function createDeliveryQueue(client: PostgresClient, states: TenantStates, tenant: string): DeliveryQueue {
  const one = async <Row>(
    sql: string,
    ...values: Parameters<PostgresClient['rows']>[1] & object
  ): Promise<Row | undefined> => (await client.rows<Row>(sql, values))[0];
  return {
    due: async () => [],
    settle: refuse,
    queueMissing: refuse,
    expectVectors: refuse,
    wishes: async () => [],
    mend: refuse,
    counts: async () => ({ pending: 0, failed: 0, deletions: 0, isPaused: false }),
    async coverage(store) {
      const sql = `SELECT (SELECT count(*) FROM document WHERE tenant = $1) AS documents,
        (SELECT count(*) FROM delivery WHERE tenant = $1 AND store = $2 AND status = 'delivered') AS delivered`;
      return (
        (await one<{ documents: number; delivered: number }>(sql, tenant, store)) ?? { documents: 0, delivered: 0 }
      );
    },
    lacks(store, { besides }) {
      const sql = `SELECT 1 FROM document AS d WHERE d.tenant = $1 AND d.source <> ALL($3) AND NOT EXISTS (SELECT 1 FROM delivery AS v
        WHERE v.tenant = d.tenant AND v.document_id = d.id AND v.store = $2 AND v.status = 'delivered') LIMIT 1`;
      const lacks = async (): Promise<boolean> => (await one(sql, tenant, store, besides)) !== undefined;
      return states.ofCorpus(tenant, `lacks ${store} ${besides.join(' ')}`, lacks);
    },
    async newest(store) {
      const sql = `SELECT max(updated_at) AS newest FROM delivery WHERE tenant = $1 AND store = $2 AND status = 'delivered'`;
      return (await one<{ readonly newest: string | null }>(sql, tenant, store))?.newest ?? undefined;
    },
    pause: refuse,
    resume: refuse,
  };
}
