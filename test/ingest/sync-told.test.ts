// What a run tells of files: the kind before the size, sizes as people read them, and the same numbers for the same files.
import { gzipSync } from 'node:zlib';
import { overLimit } from '@footnote/readers/file-size';
import { refusedByName } from '@footnote/readers/registry/sniff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipFile } from '../../packages/readers/testkit/zip-file.ts';
import { type FolderRun, openFolderRun } from '../../testkit/folder-run.ts';

let place: FolderRun;
beforeEach(async () => {
  place = await openFolderRun();
});
afterEach(() => place.close());

describe('a file that is too large', () => {
  it('is refused for its kind where nothing reads that, so that nobody raises the limit for it', async () => {
    const large = new Uint8Array(1_100_000);
    // Packs to a part of it, and is no bomb.
    const film = large.map((_, at) => ((at * 2_654_435_761) >>> 24) % 16);
    for (const name of ['film.mp4', 'notes.txt', 'film.mp4.crdownload', 'unknown.xyz']) await place.write(name, large);
    const { files } = await place.sync();
    expect(files.get('film.mp4')?.error).toMatchObject({ code: 'unsupported-media' });
    expect(files.get('film.mp4')?.error?.message).not.toContain('MAX_FILE_BYTES');
    expect(files.get('film.mp4.crdownload')?.error?.message).toContain('did not finish');
    const direct = { bytes: large, source: 'uploads' };
    await expect(place.pipeline.addDocument({ ...direct, name: 'film.mp4' })).rejects.toMatchObject({
      code: 'unsupported-media',
    });
    await expect(place.pipeline.addDocument({ ...direct, name: 'notes.txt' })).rejects.toMatchObject({
      code: 'too-large',
      message: 'The document has 1.1 MB; at most 1.0 MB are read (setting MAX_FILE_BYTES).',
    });
    await place.write(
      'box.zip',
      zipFile([
        { name: 'film.mp4', content: film },
        { name: 'a.md', content: '# A' },
      ]),
    );
    const inside = (await place.sync()).files.get('box.zip/film.mp4');
    expect(inside?.error).toMatchObject({ code: 'unsupported-media' });
    for (const name of ['notes.txt', 'unknown.xyz'])
      expect(files.get(name)?.error).toMatchObject({
        code: 'too-large',
        message: 'The file has 1.1 MB; at most 1.0 MB are read (setting MAX_FILE_BYTES).',
      });
  });

  it('is judged by its name as a small one of that kind is by its bytes', async () => {
    const film = Buffer.concat([
      Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1'),
      Buffer.alloc(99),
    ]);
    await place.write('small.mp4', film);
    const { files } = await place.sync();
    const { code, message } = refusedByName('small.mp4') ?? {};
    expect(files.get('small.mp4')?.error).toMatchObject({ code, message });
    expect(refusedByName('report.pdf')).toBeUndefined();
    expect(refusedByName('data.json.bak')).toBeUndefined();
  });

  it.each([
    [314_572_800, 104_857_600, '315 MB; at most 105 MB are read'],
    [1_234_567, 900_000, '1.2 MB; at most 900 kB are read'],
    [104_857_601, 104_857_600, '104857601 bytes; at most 104857600 are read'],
    [12, 5, '12 bytes; at most 5 bytes are read'],
  ])('%i bytes of %i', (bytes, most, told) => {
    expect(overLimit(bytes, most)).toBe(told);
  });
});

it('counts a file of lines as one in every run, also below a folder with the mark that parts them in its name', async () => {
  const content = '{"id":"x","text":"one line"}\n{"id":"y","text":"another line"}\n';
  await place.write('box.zip', zipFile([{ name: 'C#/rows.jsonl', content }]));
  const first = await place.sync();
  const second = await place.sync();
  expect([...first.files.keys()].sort()).toEqual(['box.zip', 'box.zip/C#/rows.jsonl']);
  expect([...second.files.keys()].sort()).toEqual([...first.files.keys()].sort());
  expect(second.run.counts).toMatchObject({ found: 2, done: 0, unchanged: 2 });
});

it('counts the same files alike in every run, those in unchanged archives and mails too', async () => {
  const inner = zipFile([{ name: 'deep.md', content: '# Deep' }]);
  const lines = '{"id":"x","text":"one line"}\n{"id":"y","text":"another line"}\n';
  await place.write(
    'box.zip',
    zipFile([
      { name: 'one.md', content: '# One' },
      { name: 'a #2.txt', content: 'Second.' },
      { name: 'inner.zip', content: inner },
      { name: 'data.jsonl', content: lines },
      { name: 'film.mp4', content: Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0', 'latin1') },
    ]),
  );
  await place.write('packed.md.gz', gzipSync('# Packed'));
  await place.write('data.jsonl', lines);
  await place.write('alone.md', '# Alone');
  const first = await place.sync();
  const second = await place.sync();
  const { found, done, failed } = first.run.counts;
  expect([found, done, failed]).toEqual([11, 10, 1]);
  expect(second.run.counts).toMatchObject({ found, done: 0, unchanged: done, failed, deleted: 0 });
  expect([...second.files.keys()].sort()).toEqual([...first.files.keys()].sort());
  const [before, after] = [first, second].map(({ files }) => files.get('box.zip/one.md'));
  expect(after).toEqual({ uri: 'box.zip/one.md', state: 'unchanged', documentId: before?.documentId });
  expect((await place.sync({ reread: true })).run.counts).toMatchObject({ found, done: 0, unchanged: done, failed });
});
