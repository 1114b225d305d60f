// A worker of the engine that dies over work with a term `die:<file>`: every time if the file is `always`, else once, which the
// file remembers.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { Order } from '../../../src/engine/threads/protocol.ts';

parentPort?.on('message', (order: Order) => {
  if (order.kind !== 'work' || order.work.kind !== 'search') return;
  const file = order.work.query.terms.map(({ term }) => /^die:(.*)$/u.exec(term)?.[1]).find(Boolean);
  if (file === undefined || (file !== 'always' && existsSync(file))) return;
  if (file !== 'always') writeFileSync(file, '');
  process.exit(7);
});
await import('../../../src/engine/threads/engine-worker.ts');
