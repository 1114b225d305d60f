// Every mistake that a person makes gets a message that says what to do, and the exit code of its kind.

import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await writeFile(join(place.folder, 'picture.png'), new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
  await writeFile(join(place.folder, 'bad.json'), '{"id": 1,');
});
afterAll(() => place.remove());

async function mistake(words: readonly string[], options?: { env?: Record<string, string>; stdin?: string }) {
  const { code, err } = await place.run(words, options);
  return { code, err };
}

describe('mistakes', () => {
  it.each([
    [['ask'], 2, /missing required argument 'question'.*--help/],
    [['aks', 'what?'], 2, /unknown command 'aks'[\s\S]*Did you mean ask\?/],
    [['ask', 'what?', '--jsno'], 2, /unknown option '--jsno'[\s\S]*Did you mean --json\?/],
    [['ask', 'what?', '--mode', 'fast'], 2, /Allowed choices are embedded, vector, hybrid/],
    [['ask', 'what?', '--filter', '{"op":'], 2, /must be JSON/],
    [['ask', 'what?'], 4, /no data folder at .*footnote ingest PATH/],
    [['ingest', './no-such-folder'], 4, /There is no file or folder .*no-such-folder\. Check the path/],
    [['ingest', 'picture.png'], 6, /image\/png|\.png/],
    [['verify', 'bad.json'], 2, /bad\.json:1: not valid JSON/],
    [['serve', '--port', 'http'], 11, /--port must be a whole number from 0 to 65535/],
    [['eval', 'retrieval', '.'], 4, /corpus\.jsonl/],
  ] as const)(
    '%j',
    async (words, code, message) => {
      const found = await mistake([...words]);
      expect(found.err).toMatch(message);
      expect(found.code).toBe(code);
    },
    60_000,
  );

  it('reports an error as JSON with --json', async () => {
    const { code, err } = await mistake(['ingest', './no-such-folder', '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'not-found', retryable: false } });
  }, 60_000);

  it('reports every mistake of the configuration at once, each with its place', async () => {
    await writeFile(join(place.folder, 'footnote.yaml'), 'port: 80000\nprot: 1\n');
    await writeFile(join(place.folder, '.env'), '# here\nLOG_QUERIES=yes\n');
    const { code, err } = await mistake(['doctor'], { env: { CHUNK_MAX_TOKENS: 'many' } });
    expect(code).toBe(11);
    expect(err).toMatch(/footnote\.yaml:1: port .*at most 65535/);
    expect(err).toMatch(/footnote\.yaml:2: there is no setting "prot"\. Did you mean "port"\?/);
    expect(err).toMatch(/\.env:2: LOG_QUERIES must be true, false, 1 or 0/);
    expect(err).toMatch(/environment: CHUNK_MAX_TOKENS/);
    await writeFile(join(place.folder, 'footnote.yaml'), '');
    await writeFile(join(place.folder, '.env'), '');
  }, 60_000);

  it('says that a port is taken, and what to do', async () => {
    const other = createServer();
    const port = await new Promise<number>((done) =>
      other.listen(0, '127.0.0.1', () => done((other.address() as { port: number }).port)),
    );
    const { code, err } = await mistake(['serve', '--port', String(port), '--data', 'taken']);
    other.close();
    expect(code).toBe(13);
    expect(err).toMatch(/--port/);
  }, 60_000);

  it('refuses an open address while there is no key', async () => {
    const { code, err } = await mistake(['serve', '--host', '0.0.0.0', '--port', '0', '--data', 'open']);
    expect(code).toBe(11);
    expect(err).toMatch(/footnote keys create/);
  }, 60_000);

  it('says that the data is damaged, and what to do', async () => {
    await mkdir(join(place.folder, 'damaged'));
    await writeFile(join(place.folder, 'damaged/record.sqlite'), 'this is no database, '.repeat(500));
    const { code, err } = await mistake(['sources', 'list', '--data', 'damaged']);
    expect(code).toBe(12);
    expect(err.length).toBeGreaterThan(60);
  }, 60_000);

  it.skipIf(process.getuid?.() === 0)(
    'says that there is no permission, and what to do',
    async () => {
      await mkdir(join(place.folder, 'locked'), { mode: 0 });
      expect(await mistake(['ingest', 'locked'])).toMatchObject({ code: 9, err: expect.stringMatching(/permission/i) });
    },
    60_000,
  );

  it('refuses a bad API key', async () => {
    const { url, stop } = await place.serve(['--data', 'keys']);
    const reply = await fetch(`${url}/v1/documents`, { headers: { authorization: 'Bearer fn_wrong' } });
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ code: 'unauthenticated', detail: expect.stringMatching(/API key/) });
    await stop();
  }, 60_000);
});
