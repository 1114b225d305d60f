// A run that took nothing away says so on the command line, with and without a server, ends with a code of its own, and is confirmed there.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
const notes = (): string => join(place.folder, 'notes');
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(notes());
  for (const bird of ['heron', 'owl', 'stork'])
    await writeFile(join(notes(), `${bird}.txt`), `The ${bird} is a bird.\n`);
}, 60_000);
afterAll(() => place.remove());

const documents = async (): Promise<number> => (await place.run(['documents', 'list', '--json'])).json().data.length;

it('says what it kept and why, and takes the word of whoever looked', async () => {
  expect((await place.run(['ingest', 'notes'])).code).toBe(0);
  const before = await documents();
  await rename(notes(), join(place.folder, 'away'));
  await mkdir(notes());
  const run = await place.run(['sync', 'notes']);
  expect(run.code).toBe(5);
  expect(run.out).toContain('notes: 0 files read (0 chunks), 3 unchanged (doubtful)');
  expect(run.err).toMatch(/3 documents of source "notes" .* footnote sync "notes" --confirm/u);
  expect(await documents()).toBe(before);
  const told = await place.run(['sync', 'notes', '--json']);
  expect(told.json().ingestions[0]).toMatchObject({ state: 'doubtful', error: { reason: 'found-little' } });
  expect(told.json().ingestions[0].warnedFiles).toHaveLength(3);
  // Each source is confirmed by its name.
  expect((await place.run(['sync', '--confirm'])).err).toContain('Name the sources');
  const server = await place.serve();
  expect((await place.run(['sync', 'notes'])).code).toBe(5);
  expect((await place.run(['sync', 'notes', '--confirm'])).out).toContain('3 gone and removed');
  expect(await documents()).toBe(before - 3);
  await server.stop();
  await rm(notes(), { recursive: true });
});
