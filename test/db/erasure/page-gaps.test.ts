// Deleted words in the pages of the file: SQLite leaves copies of cells behind, and cleaning takes them out without touching
// anything that is there.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createPageCleaner } from '../../../src/db/erasure/page-gaps.ts';
import { openReader, openWriter } from '../../../src/db/sqlite/file/connection.ts';
import { createRandom, type Random } from '../../../testkit/history.ts';
import { temporaryFolder } from '../../../testkit/record-fixture.ts';

const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_121);
const rows = 3000;
const hexOf = (random: Random, length: number): string =>
  Array.from({ length }, () => random.below(16).toString(16)).join('');
const wordOf = (random: Random): string => `zq${hexOf(random, 14)}`;

/** Rows of many lengths in tables of both kinds; every tenth is planted, and all of those are deleted again. */
function plantAndDelete(database: DatabaseSync, random: Random): readonly string[] {
  database.exec(`
    CREATE TABLE file (tenant TEXT, run TEXT, uri TEXT, words TEXT, PRIMARY KEY (tenant, run, uri)) STRICT, WITHOUT ROWID;
    CREATE TABLE entry (tenant TEXT, id TEXT, uri TEXT, title TEXT, PRIMARY KEY (tenant, id), UNIQUE (tenant, uri)) STRICT;
    CREATE TABLE body (id TEXT PRIMARY KEY, bytes BLOB) STRICT;`);
  const planted: string[] = [];
  database.exec('BEGIN');
  for (let n = 0; n < rows; n += 1) {
    const word = n % 10 === 0 ? wordOf(random) : '';
    if (word !== '') planted.push(word);
    const tag = word || hexOf(random, 8 + 2 * (n % 37));
    const id = `${hexOf(random, 16)}${word && 'P'}`;
    database.prepare('INSERT INTO file VALUES (?, ?, ?, ?)').run('d', `run${n % 7}`, `${tag}.md`, 'x'.repeat(n % 90));
    database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)').run('d', id, tag, `title ${tag}`);
    database.prepare('INSERT INTO body VALUES (?, ?)').run(id, Buffer.from(`${tag} `.repeat((n % 100) + 1)));
    if (n % 13 === 0)
      database
        .prepare("UPDATE file SET words = ? WHERE tenant = 'd' AND run = ? AND uri = ?")
        .run('w'.repeat((n * 7) % 300) + word, `run${n % 7}`, `${tag}.md`);
  }
  database.exec('COMMIT; BEGIN');
  for (const word of planted) database.prepare('DELETE FROM file WHERE uri = ?').run(`${word}.md`);
  database.exec("DELETE FROM entry WHERE id LIKE '%P'");
  database.exec("DELETE FROM body WHERE id LIKE '%P'; COMMIT");
  return planted;
}

const contentOf = (database: DatabaseSync): string =>
  JSON.stringify([
    database.prepare('SELECT * FROM file ORDER BY uri').all(),
    database.prepare('SELECT * FROM entry ORDER BY id').all(),
    database.prepare('SELECT id, hex(bytes) AS bytes FROM body ORDER BY id').all(),
  ]);

describe('cleaning pages', () => {
  it('takes out every deleted word that secure_delete left, and nothing else', async () => {
    const random = createRandom(seed);
    let left = 0;
    for (let round = 0; round < 5; round += 1) {
      const { folder, remove } = temporaryFolder();
      const path = join(folder, 'pages.sqlite');
      const database = openWriter(path, 'OFF');
      const reader = openReader(path);
      const cleaner = createPageCleaner(path, database);
      try {
        const planted = plantAndDelete(database, random);
        const countLeft = (): number => {
          const found = new Set(readFileSync(path, 'latin1').match(/zq[0-9a-f]{14}/g));
          return planted.filter((word) => found.has(word)).length;
        };
        const before = contentOf(database);
        expect(cleaner.truncate()).toBe(true);
        left += countLeft();

        expect(await cleaner.clean(() => undefined)).toBe(true);
        expect(countLeft()).toBe(0);
        expect(statSync(`${path}-wal`).size).toBe(0);
        expect(contentOf(reader)).toBe(before);

        // What is written afterwards does not bring them back from memory.
        database.exec("UPDATE file SET words = words || '+'; UPDATE entry SET title = title || '+'");
        database.exec("DELETE FROM file WHERE uri LIKE '%3.md'");
        expect(cleaner.truncate()).toBe(true);
        expect(countLeft()).toBe(0);
        expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      } finally {
        reader.close();
        database.close();
        cleaner.close();
        remove();
      }
    }
    // Without cleaning they would be there.
    expect(left).toBeGreaterThan(0);
  });

  it('waits where somebody still reads an earlier state', async () => {
    const { folder, remove } = temporaryFolder();
    const path = join(folder, 'pages.sqlite');
    const database = openWriter(path, 'OFF');
    const reader = openReader(path);
    const cleaner = createPageCleaner(path, database);
    try {
      database.exec("CREATE TABLE note (text TEXT) STRICT; INSERT INTO note VALUES ('one'), ('two')");
      reader.exec('BEGIN');
      reader.prepare('SELECT * FROM note').all();
      database.exec("INSERT INTO note VALUES ('three')");
      expect(await cleaner.clean(() => undefined)).toBe(false);
      reader.exec('COMMIT');
      expect(await cleaner.clean(() => undefined)).toBe(true);
    } finally {
      reader.close();
      database.close();
      cleaner.close();
      remove();
    }
  });
});
