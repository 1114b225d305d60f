// Mistakes that only show when data is opened or a server starts: each message says what to do.

import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await writeFile(join(place.folder, 'picture.png'), new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
});
afterAll(() => place.remove());

describe('mistakes with data', () => {
  it.each([
    [['ingest', 'picture.png'], 6, /image\/png|\.png/],
    [['eval', 'retrieval', '.'], 4, /corpus\.jsonl/],
  ] as const)(
    '%j',
    async (words, code, message) => {
      const found = await place.run([...words]);
      expect(found.err).toMatch(message);
      expect(found.code).toBe(code);
    },
    60_000,
  );

  it('says that a port is taken, and what to do', async () => {
    const other = createServer();
    const port = await new Promise<number>((done) =>
      other.listen(0, '127.0.0.1', () => done((other.address() as { port: number }).port)),
    );
    const { code, err } = await place.run(['serve', '--port', String(port), '--data', 'taken']);
    other.close();
    expect(code).toBe(13);
    expect(err).toMatch(/--port/);
    expect(err).not.toContain('Read');
    expect((await place.run(['sources', '--data', 'taken', '--json'])).json()).toEqual({ data: [] });
  }, 60_000);

  it('refuses an open address while there is no key', async () => {
    const { code, err } = await place.run(['serve', '--host', '0.0.0.0', '--port', '0', '--data', 'open']);
    expect(code).toBe(11);
    expect(err).toMatch(/footnote keys create/);
  }, 60_000);

  it('says that the data is damaged, and what to do', async () => {
    await mkdir(join(place.folder, 'damaged'));
    await writeFile(join(place.folder, 'damaged/record.sqlite'), 'this is no database, '.repeat(500));
    const { code, err } = await place.run(['sources', 'list', '--data', 'damaged']);
    expect(code).toBe(12);
    expect(err.length).toBeGreaterThan(60);
  }, 60_000);

  it.skipIf(process.getuid?.() === 0)(
    'says that there is no permission, and what to do',
    async () => {
      await mkdir(join(place.folder, 'locked'), { mode: 0 });
      expect(await place.run(['ingest', 'locked'])).toMatchObject({
        code: 9,
        err: expect.stringMatching(/permission/i),
      });
    },
    60_000,
  );

  it('refuses a bad API key', async () => {
    expect(await place.run(['--data', 'keys', 'keys', 'create', 'first'])).toMatchObject({ code: 0 });
    const { url, stop } = await place.serve(['--data', 'keys']);
    const reply = await fetch(`${url}/v1/documents`, { headers: { authorization: 'Bearer fn_wrong' } });
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ code: 'unauthenticated', detail: expect.stringMatching(/API key/) });
    await stop();
  }, 60_000);
});
