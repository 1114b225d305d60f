// The hashes by which recorded texts are found. They come in no order, so each one written for itself would touch a page of its own: those
// of new texts are held in memory, where the fingerprints that were written with their texts are their log, and move into the table in
// the order of the hashes, a stretch at a time. Most hashes of a new text are in no other one, and a filter of those in the table spares
// looking for them. Invariant: what a crash or a rollback takes from memory is read again from the fingerprints.
import type { DatabaseSync } from 'node:sqlite';
import { documentsPerKey, keysOf } from '../../../core/documents/fingerprint.ts';
import { pragma, prepared } from '../file/connection.ts';
import { createHeldKeys, type HeldKeys } from './held-keys.ts';
import { createTableKeys, type TableKeys } from './table-keys.ts';

export interface KeySizes {
  /** New texts before their hashes begin to move into the table. */
  readonly textsHeld: number;
  /** After so many texts … */
  readonly textsBetween: number;
  /** … so many hashes move. More than came in, so that a pass ends before the next is due. */
  readonly keysTogether: number;
}

/** Some 15 MB of memory when full, and some 50 ms to read again when the record is opened. */
const usualSizes: KeySizes = { textsHeld: 16_384, textsBetween: 64, keysTogether: 1280 };

/** How far the table is: hashes of texts up to row `whole` are in it, and those up to `passKey` of texts up to row `passRow`. */
interface Reach {
  readonly whole: number;
  readonly passRow: number;
  readonly passKey: number;
}

interface KeyedText {
  readonly tenant: string;
  readonly keys: readonly number[];
}

/** What of the fingerprints is not in the table yet. */
interface Held {
  reach: Reach;
  /** The last row that was looked at. */
  lastRow: number;
  readonly texts: Map<number, KeyedText>;
  readonly tenants: Map<string, HeldKeys>;
  /** The hashes of the pass under way, ascending. */
  pass: readonly { readonly tenant: string; readonly sorted: Float64Array }[] | undefined;
  /** Texts of it that were seen to be there, as of a version of the record that other connections see. */
  there: { readonly version: number; readonly rows: Set<number> } | undefined;
  sinceMove: number;
  readonly table: TableKeys;
}

const helds = new WeakMap<DatabaseSync, Held>();

const reachNow =
  'SELECT whole, pass_row, pass_key, (SELECT max(row) FROM fingerprint) AS last_row FROM fingerprint_reach';

function readReach(database: DatabaseSync): Reach & { readonly lastRow: number } {
  const row = prepared(database, reachNow).get();
  return {
    lastRow: Number(row?.['last_row'] ?? 0),
    whole: Number(row?.['whole'] ?? 0),
    passRow: Number(row?.['pass_row'] ?? 0),
    passKey: Number(row?.['pass_key'] ?? -1),
  };
}

const isInTable = ({ whole, passRow, passKey }: Reach, row: number, key: number): boolean =>
  row <= whole || (row <= passRow && key <= passKey);

const areSame = (one: Reach, other: Reach): boolean =>
  one.whole === other.whole && one.passRow === other.passRow && one.passKey === other.passKey;

function hold({ texts, tenants }: Held, row: number, text: KeyedText): void {
  // The number of a row comes again after its transaction was rolled back.
  const before = texts.get(row);
  for (const key of before?.keys ?? []) tenants.get(before?.tenant ?? '')?.drop(key, row);
  texts.set(row, text);
  const held = tenants.get(text.tenant) ?? createHeldKeys();
  tenants.set(text.tenant, held);
  for (const key of text.keys) held.add(key, row);
}

/** The hashes of a recorded sketch, as far as it is one: whether it is sound is asked when its text is compared. */
function keysOfBlob(sketch: unknown): readonly number[] {
  if (!(sketch instanceof Uint8Array) || sketch.byteLength % 8 !== 0) return [];
  return keysOf({ sketch: new Float64Array(sketch.slice().buffer) });
}

/** What is held, as the connection sees the record now. */
function heldOf(database: DatabaseSync): Held {
  const { lastRow, ...reach } = readReach(database);
  let held = helds.get(database);
  if (held === undefined || !areSame(held.reach, reach)) {
    held = {
      table: held?.table.asOf(dataVersion(database)) ?? createTableKeys(dataVersion(database)),
      reach,
      lastRow: reach.whole,
      texts: new Map(),
      tenants: new Map(),
      pass: undefined,
      there: undefined,
      sinceMove: 0,
    };
    helds.set(database, held);
  }
  if (held.lastRow >= lastRow) return held;
  const sql = 'SELECT row, tenant, sketch FROM fingerprint WHERE row > ? ORDER BY row';
  for (const found of prepared(database, sql).iterate(held.lastRow)) {
    const row = Number(found['row']);
    hold(held, row, { tenant: String(found['tenant']), keys: keysOfBlob(found['sketch']) });
    held.lastRow = row;
  }
  return held;
}

// Lists as one text: an object for each row was a fifth of all that an ingestion allocates, and half of the time. CROSS JOIN fixes the
// order: one look into the index for each hash.
const rowsOfKeys =
  'SELECT k.key AS key, json_group_array(k.fingerprint) AS list FROM json_each(?) AS sought CROSS JOIN fingerprint_key AS k ON k.tenant = ? AND k.key = sought.value GROUP BY sought.id';

export interface FingerprintKeys {
  /** The fingerprints that have each of some hashes, oldest first; no more of one hash than are looked at. */
  find(tenant: string, keys: readonly number[]): ReadonlyMap<number, readonly number[]>;
  /** Makes a fingerprint that was just written found by these of its hashes. */
  add(row: number, text: KeyedText): void;
}

/** As of now: to be asked for anew in each transaction, which may write many texts with it. */
export function fingerprintKeys(database: DatabaseSync, sizes = usualSizes): FingerprintKeys {
  const held = heldOf(database);
  return {
    find(tenant, keys) {
      const found = new Map<number, readonly number[]>();
      const { reach } = held;
      const sought = reach.whole > 0 || reach.passRow > 0 ? held.table.mayHave(database, tenant, keys) : [];
      if (sought.length > 0)
        for (const row of prepared(database, rowsOfKeys).all(JSON.stringify(sought), tenant))
          found.set(Number(row['key']), JSON.parse(String(row['list'])) as number[]);
      const rows = held.tenants.get(tenant);
      for (const key of rows ? keys : []) {
        const all = rows?.rowsOf(key) ?? [];
        const list = all.length === 0 ? all : all.filter((row) => !isInTable(reach, row, key));
        if (list.length === 0) continue;
        const before = found.get(key) ?? [];
        // Texts that were removed are still held.
        const isFull = before.length + list.length >= documentsPerKey;
        const added = isFull ? list.filter((row) => isThere(database, row)) : list;
        found.set(key, [...before, ...added].slice(0, documentsPerKey));
      }
      return found;
    },
    add(row, text) {
      hold(held, row, text);
      // Greater ones that were seen were rolled back.
      held.lastRow = row;
      if (++held.sinceMove < sizes.textsBetween) return;
      held.sinceMove = 0;
      const { whole, passRow } = held.reach;
      if (passRow <= whole && held.texts.size < sizes.textsHeld) return;
      if (passRow <= whole) held.reach = { whole, passRow: row, passKey: -1 };
      moveSome(database, held, sizes);
    },
  };
}

/** Changes with each commit of another connection. */
const dataVersion = (database: DatabaseSync): number => Number(pragma(database, 'data_version'));

const isThere = (database: DatabaseSync, row: number): boolean =>
  prepared(database, 'SELECT 1 FROM fingerprint WHERE row = ?').get(row) !== undefined;

/** Moves the next hashes of a pass into the table; with the last ones it ends. */
function moveSome(database: DatabaseSync, held: Held, { keysTogether }: KeySizes): void {
  const { whole, passRow, passKey } = held.reach;
  held.pass ??= [...held.tenants].map(([tenant, keys]) => ({ tenant, sorted: keys.keysUpTo(passRow) }));
  const due = held.pass.map(({ tenant, sorted }) => ({ tenant, keys: sorted.subarray(placeAfter(sorted, passKey)) }));
  // The hashes of all tenants go as far as those of the one that has the most.
  const lasts = due.map(({ keys }) => keys[keysTogether - 1] ?? Number.POSITIVE_INFINITY);
  const upTo = Math.min(Number.POSITIVE_INFINITY, ...lasts);
  const remains = checkThere(database, held);
  held.table.changes(dataVersion(database));
  const insert = prepared(
    database,
    'INSERT OR IGNORE INTO fingerprint_key (tenant, key, fingerprint) VALUES (?, ?, ?)',
  );
  for (const { tenant, keys } of due)
    for (let at = 0; at < keys.length && (keys[at] as number) <= upTo; at++) {
      const key = keys[at] as number;
      if (key === keys[at - 1]) continue;
      held.table.add(tenant, key);
      for (const row of held.tenants.get(tenant)?.rowsOf(key) ?? [])
        if (row <= passRow && remains(row)) insert.run(tenant, key, row);
    }
  const isEnd = upTo === Number.POSITIVE_INFINITY;
  held.reach = isEnd ? { whole: passRow, passRow, passKey: -1 } : { whole, passRow, passKey: upTo };
  prepared(
    database,
    'INSERT OR REPLACE INTO fingerprint_reach (one, whole, pass_row, pass_key) VALUES (1, ?, ?, ?)',
  ).run(held.reach.whole, held.reach.passRow, held.reach.passKey);
  if (isEnd) forgetUpTo(held, passRow);
}

/** Whether a text was not removed since it was held, here or on another connection. Asked once for each, as long as none is removed. */
function checkThere(database: DatabaseSync, held: Held): (row: number) => boolean {
  const version = dataVersion(database);
  if (held.there?.version !== version) held.there = { version, rows: new Set() };
  const { rows } = held.there;
  return (row) => {
    if (rows.has(row)) return true;
    if (!isThere(database, row)) return false;
    rows.add(row);
    return true;
  };
}

function forgetUpTo(held: Held, row: number): void {
  const left = [...held.texts].filter(([other]) => other > row);
  held.pass = undefined;
  held.there = undefined;
  held.texts.clear();
  held.tenants.clear();
  for (const [other, text] of left) hold(held, other, text);
}

/** Where numbers in ascending order are greater. */
function placeAfter(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Makes a fingerprint that is about to be removed no longer found; those of its hashes that are only held are not written. */
export function removeKeys(database: DatabaseSync, row: number, { tenant, keys }: KeyedText): void {
  const held = helds.get(database);
  if (held) held.there = undefined;
  const { whole, passRow } = readReach(database);
  if (row > Math.max(whole, passRow)) return;
  const remove = prepared(database, 'DELETE FROM fingerprint_key WHERE tenant = ? AND key = ? AND fingerprint = ?');
  for (const key of keys) remove.run(tenant, key, row);
}
