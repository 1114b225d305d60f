// How the parts of an opened Footnote stand, for whoever watches it. Nothing is called for it but hosted stores.
import { version } from '../config/version.ts';
import type { StoreStatus } from '../core/store-query.ts';
import { rarely } from './beside/rarely.ts';
import type { Health } from './facade.ts';

/** Whoever watches asks often: hosted stores are asked once for so long. */
const healthMs = 3000;

export interface HealthParts {
  stores(): Promise<readonly StoreStatus[]>;
  readonly hasHosted: boolean;
  elapsedMs(): number;
  record(): Promise<Health['record']>;
  models(): NonNullable<Health['models']>;
}

export function createHealth({ stores, hasHosted, elapsedMs, record, models }: HealthParts): () => Promise<Health> {
  const storesHealth = rarely(stores, { forMs: hasHosted ? healthMs : 0, elapsedMs });
  return async () => {
    const found = await storesHealth();
    const { path, schemaVersion, sqliteVersion, synchronous } = await record();
    const told = models();
    const isSound = [...found, ...told.roles].every(({ status }) => status === 'ok');
    const status = isSound ? 'ok' : 'degraded';
    return {
      status,
      version,
      record: { path, schemaVersion, sqliteVersion, synchronous },
      stores: found,
      models: told,
    };
  };
}
