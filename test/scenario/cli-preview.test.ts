// Looking before and after: a dry run on a fresh machine, over a full folder and through a server, and every view of a document.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells, xlsxOf } from '../../packages/readers/testkit/office-fixtures.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'notes'));
  await writeFile(join(place.folder, 'notes/heron.md'), '# Herons\n\nThe grey heron weighs up to 2 kilograms.\n');
  await writeFile(join(place.folder, 'notes/owl.txt'), 'The barn owl hunts at night.\n');
  await writeFile(join(place.folder, 'notes/.gitignore'), 'draft.md\n');
  await writeFile(join(place.folder, 'notes/draft.md'), 'The stork is not ready.\n');
  await writeFile(join(place.folder, 'notes/broken.pdf'), '%PDF-1.7\nnothing');
  const rows = cells(1, ['Bird', 'Eggs']) + cells(2, ['Heron', 5]) + cells(3, ['Owl', 6]);
  await writeFile(join(place.folder, 'eggs.xlsx'), xlsxOf([{ name: 'Eggs', data: rows }]));
});
afterAll(() => place.remove());

/** What of a preview does not depend on the clock. */
const timeless = ({ time: _, ...preview }: { time: unknown }) => preview;

describe('a dry run', () => {
  it('tells what would be read, left out and refused, and leaves a fresh machine as it was', async () => {
    const { code, out, err } = await place.run(['ingest', 'notes', 'eggs.xlsx', '--dry-run']);
    expect(code).toBe(0);
    expect(out).toContain('notes: 2 files would be read, 1 cannot be read');
    expect(out).toMatch(/Markdown +1 file +\d+ bytes +1 chunk/);
    expect(out).toMatch(/Left out +draft\.md \(\.gitignore\)/);
    expect(out).toMatch(/broken\.pdf +refused +.*damaged/);
    expect(out).toMatch(/Chunks +2 with \d+ tokens/);
    expect(out).toMatch(/Time +about 1?\d s: parsing took .* \(assumed\)/);
    expect(out).toMatch(/files: 1 file would be read\n +XLSX/);
    expect(err).toContain('nothing changed');
    expect(existsSync(join(place.folder, '.footnote'))).toBe(false);
  }, 60_000);

  it('refuses to go with what only a real run has', async () => {
    const { code, err } = await place.run(['ingest', 'notes', '--dry-run', '--report', 'out.jsonl']);
    expect(code).toBe(2);
    expect(err).toContain('--report goes with a run that reads files in');
    expect(existsSync(join(place.folder, 'out.jsonl'))).toBe(false);
  }, 60_000);

  it('tells what changed since, for sync too, and a server tells the same', async () => {
    await place.run(['ingest', 'notes', 'eggs.xlsx', '--report', 'first.jsonl']);
    const report = await readFile(join(place.folder, 'first.jsonl'), 'utf8');
    expect(report).toContain('{"source":"notes","file":"heron.md","state":"added","kind":"Markdown"');
    expect(report).toMatch(/"file":"broken\.pdf","state":"refused","reason":\{"code":"invalid-media"/);
    expect(report).toMatch(/"source":"files","file":"[^"]*eggs\.xlsx","state":"added"/);
    await writeFile(join(place.folder, 'notes/owl.txt'), 'The barn owl hunts at dusk.\n');
    const [local] = (await place.run(['sync', '--dry-run', '--json'])).json().previews;
    expect(local.counts).toMatchObject({ done: 1, unchanged: 1, failed: 1 });
    expect(local.files.map(({ uri, change, state }: Record<string, string>) => [uri, change ?? state])).toEqual([
      ['broken.pdf', 'failed'],
      ['owl.txt', 'changed'],
      ['heron.md', 'unchanged'],
    ]);

    const { stop } = await place.serve();
    const [remote] = (await place.run(['sync', '--dry-run', '--json'])).json().previews;
    expect(timeless(remote)).toEqual(timeless(local));
    const [files] = (await place.run(['ingest', 'eggs.xlsx', 'notes/broken.pdf', '--dry-run', '--json'])).json()
      .previews;
    expect(files).toMatchObject({
      counts: { unchanged: 1, failed: 1 },
      files: [{ state: 'unchanged' }, { state: 'failed' }],
    });
    await stop();
    const owl = await place.run(['search', 'dusk', '--json']);
    expect(JSON.stringify(owl.json().results)).not.toContain('at dusk');
  }, 90_000);
});

describe('documents show', () => {
  it('shows facts, a part of the text, chunks, structure and pages', async () => {
    const { data } = (await place.run(['documents', '--json'])).json();
    const idOf = (part: string): string => data.find(({ uri }: { uri: string }) => uri.includes(part)).id;
    const facts = await place.run(['documents', 'show', idOf('heron')]);
    expect(facts.out).toMatch(/^title +Herons$/m);
    expect(facts.out).toMatch(/^in embedded +delivered$/m);
    const part = await place.run(['documents', 'show', idOf('heron'), '--text', '--range', '10:24']);
    expect(part.out).toBe('The grey heron\n');
    const beyond = await place.run(['documents', 'show', idOf('heron'), '--text', '--range', '10:200000']);
    expect(beyond).toMatchObject({ code: 0, out: expect.stringMatching(/^The grey heron/u) });
    const outside = await place.run(['documents', 'show', idOf('heron'), '--text', '--range', '200000:200010']);
    expect(outside).toMatchObject({ code: 2, err: expect.stringContaining('not within the text') });
    const chunks = await place.run(['documents', 'show', idOf('eggs'), '--chunks']);
    expect(chunks.out).toMatch(/^1\. 0\.\.\d+, \d+ tokens, Eggs!A1:B3$/m);
    const structure = await place.run(['documents', 'show', idOf('eggs'), '--structure', '--json']);
    expect(structure.json().structure.places.at(-1).label).toBe('Eggs!A3:B3');
    expect((await place.run(['documents', 'show', idOf('eggs'), '--pages'])).out).toContain('It has no pages');
    const both = await place.run(['documents', 'show', idOf('eggs'), '--pages', '--chunks']);
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('different views') });
  }, 90_000);
});
