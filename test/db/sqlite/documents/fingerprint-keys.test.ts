// Hashes of fingerprints are found wherever they are, in memory or in the table: against a plain list of all of them, through rollbacks,
// removals and restarts.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { fingerprintKeys, removeKeys } from '../../../../src/db/sqlite/documents/fingerprint-keys.ts';
import { createRandom } from '../../../../testkit/history.ts';
import { temporaryFolder } from '../../../../testkit/record-fixture.ts';

const sizes = { textsHeld: 40, textsBetween: 4, keysTogether: 90 };
const keyCount = 16;

const schema = `
CREATE TABLE fingerprint (row INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, sketch BLOB NOT NULL) STRICT;
CREATE TABLE fingerprint_key (tenant TEXT NOT NULL, key INTEGER NOT NULL, fingerprint INTEGER NOT NULL, PRIMARY KEY (tenant, key, fingerprint)) STRICT, WITHOUT ROWID;
CREATE TABLE fingerprint_reach (one INTEGER PRIMARY KEY, whole INTEGER NOT NULL, pass_row INTEGER NOT NULL, pass_key INTEGER NOT NULL) STRICT;
INSERT INTO fingerprint_reach VALUES (1, 0, 0, -1);
`;

interface Text {
  readonly tenant: string;
  readonly keys: readonly number[];
}

function put(database: DatabaseSync, { tenant, keys }: Text): number {
  const recorded = fingerprintKeys(database, sizes);
  const sketch = new Uint8Array(Float64Array.from(keys).buffer);
  const sql = 'INSERT INTO fingerprint (tenant, sketch) VALUES (?, ?)';
  const row = Number(database.prepare(sql).run(tenant, sketch).lastInsertRowid);
  recorded.add(row, { tenant, keys });
  return row;
}

function remove(database: DatabaseSync, row: number, text: Text): void {
  removeKeys(database, row, text);
  database.prepare('DELETE FROM fingerprint WHERE row = ?').run(row);
}

const inTable = (database: DatabaseSync): readonly { key: number; fingerprint: number }[] =>
  database.prepare('SELECT key, fingerprint FROM fingerprint_key').all() as never;

describe('fingerprintKeys', () => {
  it.each([1, 2, 3])('finds what a plain list of all hashes finds (seed %i)', (seed) => {
    const { folder, remove: tidy } = temporaryFolder();
    const path = join(folder, 'keys.sqlite');
    const random = createRandom(seed);
    let database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    database.exec(schema);
    const other = new DatabaseSync(path);
    const texts = new Map<number, Text>();
    let moved = 0;
    /** Few hashes, so that texts share them; less than are looked at of one. */
    const draw = (): Text => ({
      tenant: random.below(4) === 0 ? 'b' : 'a',
      keys: [...new Set(Array.from({ length: keyCount }, () => 1 + random.below(800)))].sort((a, b) => a - b),
    });
    const check = (on: DatabaseSync): void => {
      for (const tenant of ['a', 'b']) {
        const { keys } = draw();
        const found = fingerprintKeys(on, sizes).find(tenant, keys);
        for (const key of keys) {
          const rows = [...texts].filter(([, text]) => text.tenant === tenant && text.keys.includes(key));
          const there = (found.get(key) ?? []).filter((row) => texts.has(row));
          expect([key, there]).toEqual([key, rows.map(([row]) => row).slice(0, 32)]);
        }
      }
    };
    for (let step = 0; step < 150; step += 1) {
      const what = random.below(10);
      database.exec('BEGIN IMMEDIATE');
      const before = new Map(texts);
      for (let count = random.below(6); count >= 0; count -= 1) {
        const text = draw();
        texts.set(put(database, text), text);
      }
      const [gone] = [...texts].filter(() => random.below(texts.size) < 3);
      if (what < 5 && gone) {
        remove(database, ...gone);
        texts.delete(gone[0]);
      }
      if (what === 9) {
        database.exec('ROLLBACK');
        texts.clear();
        for (const [row, text] of before) texts.set(row, text);
      } else database.exec('COMMIT');
      if (what === 8) {
        database.close();
        database = new DatabaseSync(path);
      }
      const [elsewhere] = [...texts].slice(-30);
      if (what === 7 && elsewhere) {
        remove(other, ...elsewhere);
        texts.delete(elsewhere[0]);
      }
      check(database);
      if (step % 20 === 0) check(other);
      const rows = inTable(database);
      moved = Math.max(moved, rows.length);
      // Nothing of a text that was removed stays behind.
      expect(rows.filter(({ fingerprint }) => !texts.has(fingerprint))).toEqual([]);
      expect(rows.filter(({ key, fingerprint }) => !texts.get(fingerprint)?.keys.includes(key))).toEqual([]);
    }
    expect(moved).toBeGreaterThan(500);
    database.close();
    other.close();
    tidy();
  });

  it('forgets texts that were removed when it counts how many have a hash', () => {
    const database = new DatabaseSync(':memory:');
    database.exec(schema);
    const text = { tenant: 'a', keys: [7] };
    for (let time = 0; time < 39; time += 1) remove(database, put(database, text), text);
    const row = put(database, text);
    expect(fingerprintKeys(database, sizes).find('a', [7]).get(7)).toEqual([row]);
    database.close();
  });
});
