// A journal that is gone, cut or garbled: what stood in the record's own file is served, and a record that holds nothing in a folder
// that was in use is never taken for a new one.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localScope } from '../../../src/core/scope.ts';
import { ballastPath } from '../../../src/db/erasure/ballast.ts';
import { openWriter } from '../../../src/db/sqlite/file/connection.ts';
import { openSqliteRecord } from '../../../src/db/sqlite/sqlite.ts';
import { createWrite, temporaryFolder } from '../../../testkit/record-fixture.ts';

let place: ReturnType<typeof temporaryFolder>;
let images = 0;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

/** After so many documents the folder is looked at. */
const looks: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 40]);

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The data folder as a kill leaves it now. */
function imageOf(folder: string): string {
  images += 1;
  const image = join(place.folder, `image-${images}`);
  mkdirSync(image);
  for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(image, name));
  return image;
}

/** What happens to a journal, by name. */
const losses: readonly [name: string, lose: (journal: string) => void][] = [
  ['removed', (journal) => rmSync(journal)],
  ['emptied', (journal) => truncateSync(journal, 0)],
  ['cut to its header', (journal) => truncateSync(journal, Math.min(32, readFileSync(journal).length))],
  ['garbled', (journal) => writeFileSync(journal, Buffer.alloc(readFileSync(journal).length, 0x5a))],
];

async function documentsIn(folder: string): Promise<number> {
  const record = openSqliteRecord({ folder });
  try {
    const { data } = await record.forScope(localScope()).documents.list({ limit: 1000 });
    expect(await record.check()).toEqual([]);
    return data.length;
  } finally {
    await record.close();
  }
}

describe('a lost journal', () => {
  it.each(losses)('takes none of the first documents with it when it is %s', async (_, lose) => {
    const folder = join(place.folder, 'data');
    const record = openSqliteRecord({ folder });
    const held: [written: number, found: number][] = [];
    for (let written = 0; written <= 40; written += 1) {
      if (written > 0)
        await record
          .forScope(localScope())
          .commit([{ kind: 'put-document', write: createWrite(`text ${written}`, { uri: `${written}.md` }) }]);
      await nextTurn();
      if (!looks.has(written)) continue;
      const image = imageOf(folder);
      const journal = join(image, 'record.sqlite-wal');
      lose(journal);
      held.push([written, await documentsIn(image)]);
    }
    await record.close();
    // Each of the first writes is in the file itself, and of later ones at least half.
    for (const [written, found] of held)
      expect([written, found >= Math.min(written, 8) && found * 2 > written - 1]).toEqual([written, true]);
  });

  it.each(['removed', 'emptied', 'garbled'])('that held everything and is %s is not taken for a new folder', (how) => {
    const folder = join(place.folder, 'data');
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, 'record.sqlite');
    // As earlier versions left it after a kill: the schema stands in the journal alone.
    const writer = openWriter(path, 'FULL');
    writer.exec('PRAGMA wal_autocheckpoint = 0');
    writer.exec('CREATE TABLE document (x)');
    writeFileSync(ballastPath(folder), 'reserve');
    const image = imageOf(folder);
    writer.close();
    const journal = join(image, 'record.sqlite-wal');
    expect(readFileSync(journal).length).toBeGreaterThan(4096);
    if (how === 'removed') rmSync(journal);
    else if (how === 'emptied') truncateSync(journal, 0);
    else writeFileSync(journal, Buffer.alloc(9000, 1));
    const before = readFileSync(join(image, 'record.sqlite'));
    expect(() => openSqliteRecord({ folder: image })).toThrow(
      expect.objectContaining({
        code: 'data-corrupt',
        message: expect.stringMatching(/holds nothing although this data folder was in use.*move everything out of/),
      }),
    );
    expect(readFileSync(join(image, 'record.sqlite')).equals(before)).toBe(true);
  });
});
