// Search by meaning as people get it: learned at the end of reading, exactly with --wait, through a server as well; and nothing
// that is interrupted or missing takes the documents away.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRemote } from '../../src/cli/remote/remote.ts';
import { createRemoteHttp } from '../../src/cli/remote/remote-http.ts';
import { readOwner } from '../../src/footnote/lock.ts';
import { createOwnerPass } from '../../src/footnote/owner-pass.ts';
import { openWorkplace, type Workplace, withoutProgress } from '../cli/footnote-process.ts';
import { documentOf } from '../ingest/embedder-place.ts';

let place: Workplace;
const write = async (folder: string, from: number, to: number): Promise<void> => {
  await mkdir(join(place.folder, folder), { recursive: true });
  for (let at = from; at < to; at++) await writeFile(join(place.folder, folder, `${at}.txt`), documentOf(at).text);
};
beforeAll(async () => {
  place = await openWorkplace();
  await write('notes', 0, 60);
});
afterAll(() => place.remove());

describe('reading with the command line', () => {
  it('learns what words mean at the end, and says so', async () => {
    const { code, out, err } = await place.run(['ingest', 'notes']);
    expect(code).toBe(0);
    expect(out).toContain('notes: 60 files read (60 chunks)');
    expect(withoutProgress(err)).toBe('Learning what words mean from 60 chunks …\n');
    const found = await place.run(['search', 'otter stream', '--mode', 'vector', '--json']);
    const { results, degraded } = found.json();
    expect(degraded).toEqual([]);
    const subjects = results.slice(0, 5).map(({ uri }: { uri: string }) => Number.parseInt(uri, 10) % 5);
    expect(subjects).toEqual([0, 0, 0, 0, 0]);
  }, 60_000);

  it('folds few changes in without a word, and learns anew for --wait', async () => {
    await write('notes', 60, 64);
    const synced = await place.run(['sync']);
    expect({ code: synced.code, err: withoutProgress(synced.err) }).toEqual({ code: 0, err: '' });
    const waited = await place.run(['sync', '--wait']);
    expect({ code: waited.code, err: withoutProgress(waited.err) }).toEqual({
      code: 0,
      err: 'Learning what words mean from 64 chunks …\n',
    });
    expect((await place.run(['sync', '--wait'])).err).toBe('');
  }, 60_000);

  it('keeps the documents where the model cannot be had, and says what is missing', async () => {
    await write('others', 100, 102);
    const env = { MODEL_EMBED: 'onnx:absent' };
    const read = await place.run(['ingest', 'others'], { env });
    expect(read.code).toBe(0);
    expect(read.out).toContain('others: 2 files read');
    expect(read.err).toContain('The documents are found by their words; search by meaning is not ready');
    const waited = await place.run(['ingest', 'others', '--wait'], { env });
    expect(waited.code).not.toBe(0);
    const off = await place.run(['sync', '--wait'], { env: { MODEL_EMBED: 'none' } });
    expect({ code: off.code, err: off.err }).toEqual({ code: 0, err: '' });
  }, 60_000);

  it('can be interrupted while it learns, and goes on with the next command', async () => {
    await mkdir(join(place.folder, 'books'));
    for (let at = 0; at < 20; at++)
      await writeFile(join(place.folder, 'books', `${at}.txt`), documentOf(at, 0, 4000).text);
    const settings = 'chunkMaxTokens: 50\nchunkOverlapTokens: 0\nchunkMinTokens: 1\n';
    await writeFile(join(place.folder, 'fine.yaml'), settings);
    const child = place.start(['ingest', 'books', '--config', 'fine.yaml']);
    let out = '';
    child.stdout?.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr?.on('data', (data: Buffer) => {
      if (data.toString().includes('Learning')) child.kill('SIGINT');
    });
    const code = await new Promise((done) => child.once('close', done));
    expect(code).toBe(130);
    expect(out).toContain('books: 20 files read');
    const again = await place.run(['ingest', 'books', '--config', 'fine.yaml']);
    expect(again.code).toBe(0);
    expect(again.out).toContain('20 unchanged');
    expect(again.err).toMatch(/^Learning what words mean from [\d,]+ chunks …\n$/);
    await place.run(['sources', 'remove', 'books']);
  }, 120_000);

  it('waits for a server that runs, which shows how far it is', async () => {
    await place.serve();
    await write('notes', 64, 80);
    const { code, err } = await place.run(['ingest', 'notes', '--wait']);
    expect(code, err).toBe(0);
    expect(withoutProgress(err)).toMatch(/^Learning what words mean from \d+ chunks …\n$/);
    const owner = await readOwner(join(place.folder, '.footnote'));
    const pass = await createOwnerPass(join(place.folder, '.footnote'));
    const remote = createRemote(createRemoteHttp({ ...owner!.server!, token: pass.secret }));
    const [store] = await remote.stores.list();
    expect(store?.vectors).toMatchObject({ state: 'ready', chunks: store?.chunks, embedded: store?.chunks });
    expect(store?.vectors?.model).toMatch(/^corpus-lsa-1-/);
  }, 60_000);
});
