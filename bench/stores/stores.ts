// The hosted stores against stand-ins of them, each in a process of its own: how fast documents are brought, what asking two stores at the same time costs
// beside asking the slower one, how long a search takes when one or two of them are dead, and how many requests reach a store that is.
// Usage: node bench/stores/stores.ts [--dry] [--only=delivery,hybrid,failover]
import { parseArgs } from 'node:util';
import { writeResult } from '../report.ts';
import { measureDelivery } from './delivery.ts';
import { measureFailover } from './failover.ts';
import { measureHybrid } from './hybrid.ts';
import type { Measured } from './place.ts';

const { values: flags } = parseArgs({
  options: { dry: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const parts: Readonly<Record<string, () => Promise<Measured>>> = {
  delivery: measureDelivery,
  hybrid: measureHybrid,
  failover: measureFailover,
};
const wanted = flags.only?.split(',') ?? Object.keys(parts);
const measured: Measured[] = [];
for (const name of wanted) {
  const part = parts[name];
  if (!part) throw new Error(`There is no part ${name}: ${Object.keys(parts).join(', ')}.`);
  measured.push(await part());
}
for (const { what, wanted: least, got, met } of measured.flatMap(({ goals }) => goals))
  console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${got} (wanted ${least})`);

if (!flags.dry && flags.only === undefined)
  await writeResult('stores', {
    title: 'Hosted stores against stand-ins: delivery, both legs of a hybrid search, failover',
    command: 'npm run bench stores',
    metrics: Object.assign({}, ...measured.map(({ metrics }) => metrics)),
    goals: measured.flatMap(({ goals }) => goals),
    tables: measured.flatMap(({ tables }) => tables),
    notes: measured.flatMap(({ notes }) => notes),
  });
