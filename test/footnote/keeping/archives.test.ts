// The room in which exports wait to be read: what stood in its way once does not stand in the way for ever.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { randomIds, systemClock } from '../../../src/core/ids.ts';
import { type ArchiveRecords, createArchives } from '../../../src/footnote/keeping/archives.ts';
import { realParsers } from '../../../testkit/folder-run.ts';

/** Nothing is read of the record. */
const noRecords = {} as ArchiveRecords;

it('takes exports again once the folder can be emptied', async () => {
  const place = await mkdtemp(join(tmpdir(), 'footnote-archives-'));
  const folder = join(place, 'archive');
  const archives = createArchives({
    records: noRecords,
    parsers: realParsers,
    folder,
    clock: systemClock,
    ids: randomIds,
  });
  const send = () =>
    archives.spooled(
      (async function* () {
        yield new TextEncoder().encode('{}');
      })(),
      (path) => readFile(path, 'utf8'),
    );
  try {
    // A file stands where the folder should be.
    await writeFile(folder, '');
    await expect(send()).rejects.toHaveProperty('code');
    await rm(folder);
    await mkdir(join(folder, 'imports', 'left'), { recursive: true });
    expect(await send()).toBe('{}');
    expect(await readdir(join(folder, 'imports'))).toEqual([]);
  } finally {
    await archives.close();
    await rm(place, { recursive: true });
  }
});
