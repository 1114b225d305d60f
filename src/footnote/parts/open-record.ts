// Opens the record that the configuration names, each database loaded only where it is the one.
import type { Config } from '../../config.ts';
import type { RecordOptions, RecordParts } from './record-parts.ts';
import { addressOfRecord } from './where.ts';

/** The record that the configuration names: a database in the data folder, or the one at an address. */
export async function openRecord(config: Config, options: RecordOptions): Promise<RecordParts> {
  const address = addressOfRecord(config);
  if (address === undefined) return (await import('./sqlite-parts.ts')).openSqliteParts(config.data, options);
  return (await import('./postgres-parts.ts')).openPostgresParts(address, config);
}
