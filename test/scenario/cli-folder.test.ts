// The commands on a data folder that no server owns.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerSchema } from '../../src/core/answer.ts';
import { openWorkplace, type Workplace, withoutProgress } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'notes/deep'), { recursive: true });
  await writeFile(join(place.folder, 'notes/heron.md'), '# Herons\n\nThe grey heron weighs up to 2 kilograms.\n');
  await writeFile(join(place.folder, 'notes/deep/owl.txt'), 'The barn owl hunts at night.\n');
  await writeFile(
    join(place.folder, 'notes/noise.bin'),
    new Uint8Array(2000).map((_, at) => (at * 131 + (at >> 3)) % 253),
  );
  await writeFile(join(place.folder, 'notes/.gitignore'), 'draft.md\n');
  await writeFile(join(place.folder, 'notes/draft.md'), 'The stork is not ready.\n');
  await mkdir(join(place.folder, 'notes/.git'));
});
afterAll(() => place.remove());

describe('a data folder without a server', () => {
  it('takes a folder in, sums up what cannot be read, and is quiet about the rest', async () => {
    const { code, out, err } = await place.run(['ingest', 'notes']);
    expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^notes: 2 files read \(2 chunks\), 1 not read\n/);
    expect(out).toContain('of kinds that cannot be read: .bin 1');
    expect(out).not.toContain('draft.md');
    expect(out).not.toContain('\u001b');
  }, 60_000);

  it('answers with the place that a person can open', async () => {
    const { code, out } = await place.run(['ask', 'How much does the grey heron weigh?']);
    expect(code).toBe(0);
    expect(out).toContain('The grey heron weighs up to 2 kilograms. [1]');
    expect(out).toContain('notes/heron.md:3');
  }, 60_000);

  it('answers a question from stdin as JSON that fits the schema, and checks the saved answer', async () => {
    const { code, out } = await place.run(['ask', '-', '--json'], { stdin: 'When does the barn owl hunt?\n' });
    expect(code).toBe(0);
    const answer = answerSchema.parse(JSON.parse(out));
    expect(answer.claims[0]?.text).toBe('The barn owl hunts at night.');
    await writeFile(join(place.folder, 'answer.json'), out);
    const verified = await place.run(['verify', 'answer.json', '--json']);
    expect(verified.code).toBe(0);
    expect(verified.json()).toMatchObject({ verified: 1, failed: 0 });

    await writeFile(join(place.folder, 'forged.json'), out.replaceAll('at night', 'at noon'));
    const forged = await place.run(['verify', 'forged.json']);
    expect(forged.code).toBe(1);
    expect(forged.out).toContain('NOT verified');
  }, 60_000);

  it('lists, shows and deletes, and keeps a folder fresh', async () => {
    await rm(join(place.folder, 'notes/deep'), { recursive: true });
    const synced = await place.run(['sync', '--json']);
    expect(synced.json().ingestions[0].counts).toMatchObject({ unchanged: 1, deleted: 1 });
    const listed = (await place.run(['documents', 'list', '--json'])).json();
    expect(listed.data.map((one: { uri: string }) => one.uri)).toEqual(['heron.md']);
    const shown = await place.run(['documents', 'show', listed.data[0].id, '--text']);
    expect(shown.out).toContain('The grey heron weighs');
    const removed = await place.run(['sources', 'remove', 'notes']);
    expect(removed).toMatchObject({ code: 0, out: 'Removed notes with 1 document.\n' });
    expect((await place.run(['documents'])).out).toBe('No documents.\n');
    expect((await place.run(['sources'])).out).toContain('There are no sources yet');
  }, 60_000);

  it('takes over a lock whose process is gone', async () => {
    await writeFile(
      join(place.folder, '.footnote/lock-9'),
      JSON.stringify({
        pid: 2 ** 22 + 12_345,
        startedAt: '',
        command: 'footnote serve',
        server: { host: '127.0.0.1', port: 9, token: 'x' },
      }),
    );
    const { code, out } = await place.run(['ingest', '-', '--uri', 'note'], { stdin: 'The kite circles.' });
    expect(code).toBe(0);
    expect(out).toContain('stdin: created, 1 chunk');
  }, 60_000);

  it('keeps every text from stdin that is not given a uri', async () => {
    for (const stdin of ['The swift sleeps in flight.', 'The wren sings.', 'The wren sings.'])
      await place.run(['ingest', '-', '--source', 'piped'], { stdin });
    const listed = (await place.run(['documents', '--source', 'piped', '--json'])).json();
    expect(listed.data).toHaveLength(2);
    const table = await place.run(['documents', '--source', 'piped']);
    expect(table.out).toContain('1 chunk ');
  }, 60_000);

  it('tells what of a file was left out, and exits with 1 where a file failed', async () => {
    await mkdir(join(place.folder, 'rows'));
    const rows = Array.from({ length: 12 }, (_, line) => (line === 3 ? '{"text": "The crane\u202e calls."}' : '{'));
    await writeFile(join(place.folder, 'rows/birds.jsonl'), ['{"text": "The crane calls."}', ...rows].join('\n'));
    const read = await place.run(['ingest', 'rows']);
    expect(read.code).toBe(0);
    expect(read.out).toMatch(/birds\.jsonl +read, with a warning +.*line 2/i);
    expect(read.out).toContain('… and 1 more; --json lists all.');
    await writeFile(join(place.folder, 'rows/broken.pdf'), '%PDF-1.7\nnothing');
    const synced = await place.run(['sync', 'rows', '--json']);
    expect(synced.code).toBe(1);
    expect(synced.json().ingestions[0]).toMatchObject({
      failedFiles: [{ uri: 'broken.pdf' }],
      warnedFiles: [{ uri: 'birds.jsonl' }],
    });
    const found = await place.run(['search', 'crane']);
    expect(found.out).toContain('crane');
    expect(found.out).not.toContain('\u202e');
  }, 60_000);
});
