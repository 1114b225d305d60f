// What of the hashes in the table is known without asking it: a filter for each tenant, filled as hashes are written, and in a record that had
// some already, a stretch with each question. Invariant: a hash that is in the table, as the connection sees it, is never denied.
import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../file/connection.ts';
import { createKeyFilter, type KeyFilter } from './key-filter.ts';

export interface TableKeys {
  /** Those of some hashes that may be in the table. */
  mayHave(database: DatabaseSync, tenant: string, keys: readonly number[]): readonly number[];
  /** Told before a hash is written. */
  add(tenant: string, key: number): void;
  /** Told that this connection is about to write hashes, at a version of the record. */
  changes(version: number): void;
  /** What is still known when hashes left or joined the table otherwise: all, if no other connection wrote; else nothing. */
  asOf(version: number): TableKeys | undefined;
}

/** Read with each question, some 50 microseconds: what is asked costs more. */
const keysTogether = 256;

interface Known {
  readonly filter: KeyFilter;
  /** Every hash of the table up to this one is in the filter. */
  upTo: number;
}

const nextKeys =
  'SELECT json_group_array(key) AS list FROM (SELECT key FROM fingerprint_key WHERE tenant = ? AND key > ? ORDER BY key LIMIT ?)';

export function createTableKeys(version: number): TableKeys {
  const tenants = new Map<string, Known>();
  let seenVersion = version;

  const knownOf = (tenant: string): Known => {
    const known = tenants.get(tenant) ?? { filter: createKeyFilter(), upTo: -1 };
    tenants.set(tenant, known);
    return known;
  };
  const readOn = (database: DatabaseSync, tenant: string, known: Known): void => {
    const row = prepared(database, nextKeys).get(tenant, known.upTo, keysTogether);
    const keys = JSON.parse(String(row?.['list'])) as number[];
    for (const key of keys) known.filter.add(key);
    // More texts of the last hash are found by that hash, too.
    known.upTo = keys.length < keysTogether ? Number.POSITIVE_INFINITY : (keys.at(-1) ?? known.upTo);
  };

  const table: TableKeys = {
    mayHave(database, tenant, keys) {
      const known = knownOf(tenant);
      if (known.upTo < Number.POSITIVE_INFINITY) readOn(database, tenant, known);
      return keys.filter((key) => key > known.upTo || known.filter.mayHave(key));
    },
    add: (tenant, key) => knownOf(tenant).filter.add(key),
    changes(version) {
      seenVersion = version;
    },
    asOf: (version) => (version === seenVersion ? table : undefined),
  };
  return table;
}
