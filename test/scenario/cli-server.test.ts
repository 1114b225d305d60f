// The same commands while a server owns the data folder: they go through it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerSchema } from '../../src/core/answer.ts';
import { readOwner } from '../../src/footnote/lock.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
let server: Awaited<ReturnType<Workplace['serve']>>;
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'notes'));
  await writeFile(join(place.folder, 'notes/heron.md'), '# Herons\n\nThe grey heron weighs up to 2 kilograms.\n');
  await writeFile(join(place.folder, 'owl.txt'), 'The barn owl hunts at night.\n');
  server = await place.serve();
}, 60_000);
afterAll(() => place.remove());

describe('a data folder that a server owns', () => {
  it('has the bundled corpus at first, and one command removes it', async () => {
    const asked = await place.run(['ask', 'Which port does the server listen on?', '--json']);
    expect(asked.code).toBe(0);
    const answer = answerSchema.parse(asked.json());
    expect(answer.citations[0]?.url.startsWith(`${server.url}/v1/documents/`)).toBe(true);
    expect(answer.answer).toContain('4180');
    expect((await place.run(['sources', 'remove', 'about-footnote'])).code).toBe(0);
    expect((await place.run(['sources', 'list', '--json'])).json()).toEqual({ data: [] });
  }, 60_000);

  it('takes folders, files and stdin in through it', async () => {
    const folder = await place.run(['ingest', 'notes', 'owl.txt', '--json']);
    expect(folder.code).toBe(0);
    expect(folder.json()).toMatchObject({
      ingestions: [{ source: 'notes', state: 'done', counts: { done: 1 } }],
      files: [{ documents: [{ status: 'created' }] }],
    });
    const asked = await place.run(['ask', 'When does the barn owl hunt?']);
    expect(asked.out).toContain('owl.txt:1');
    const found = await place.run(['search', 'heron', '--json', '--explain']);
    expect(found.json().results[0]).toMatchObject({ source: 'notes', uri: 'heron.md' });
  }, 60_000);

  it('understands follow-ups in a session', async () => {
    await place.run(['ask', '--session', 's1', 'How much does the grey heron weigh?']);
    const { code, out } = await place.run(['ask', '--session', 's1', '--json', 'And when does the barn owl hunt?']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ sessionId: 's1' });
  }, 60_000);

  it('tells problems as they are told without a server', async () => {
    const missing = await place.run(['documents', 'show', 'doc_none']);
    expect(missing.code).toBe(4);
    expect(missing.err).toContain('doc_none');
    const second = await place.run(['serve', '--port', '0']);
    expect(second.code).toBe(13);
    expect(second.err).toMatch(/belongs to a running process: footnote serve \(pid \d+\)/);
  }, 60_000);

  it('stops in order, and gives the folder up', async () => {
    expect(await readOwner(join(place.folder, '.footnote'))).toBeDefined();
    expect(await server.stop()).toBe(0);
    expect(await readOwner(join(place.folder, '.footnote'))).toBeUndefined();
    expect((await place.run(['search', 'heron', '--json'])).json().results).toHaveLength(1);
  }, 60_000);
});
