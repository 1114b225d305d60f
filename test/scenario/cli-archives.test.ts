// An archive that is named by itself: what came out of it is told together, and what is as it was before is only counted.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { zipFile } from '../../packages/readers/testkit/zip-file.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
}, 60_000);
afterAll(() => place.remove());

const lines = (out: string): string[] => out.trimEnd().split('\n');
const pack = (second: string): Promise<void> =>
  writeFile(
    join(place.folder, 'box.zip'),
    zipFile([
      { name: 'in/heron.txt', content: 'The grey heron weighs 2 kilograms.' },
      { name: 'owl.txt', content: second },
    ]),
  );

it('names what is new or changed in it, and goes beside a folder called as the source of single files is', async () => {
  await mkdir(join(place.folder, 'files'));
  await writeFile(join(place.folder, 'files/a.txt'), 'The white stork nests on roofs.');
  expect((await place.run(['ingest', 'files'])).out).toMatch(/^files-2: 1 file read/u);
  // A name that is asked for is meant.
  expect((await place.run(['ingest', 'files', '--source', 'uploads'])).out).toMatch(/^uploads: /u);
  await pack('The barn owl hunts at night.');
  const first = lines((await place.run(['ingest', 'box.zip'])).out);
  expect(first[0]).toMatch(/box\.zip: 2 documents \(2 chunks\), 2 created$/u);
  expect(first.slice(1, 3)).toEqual([
    expect.stringMatching(/^ {2}in\/heron\.txt: created, 1 chunk \(doc_\w+\)$/u),
    expect.stringMatching(/^ {2}owl\.txt: created, 1 chunk \(doc_\w+\)$/u),
  ]);
  const again = (await place.run(['ingest', 'box.zip'])).out;
  expect(again).toMatch(/box\.zip: 2 documents \(2 chunks\), 2 unchanged\n/u);
  expect(again).not.toContain('owl.txt');
  await pack('The barn owl hunts at dusk.');
  const changed = (await place.run(['ingest', 'box.zip'])).out;
  expect(changed).toContain('1 unchanged, 1 updated');
  expect(changed).toMatch(/^ {2}owl\.txt: updated/mu);
  expect(changed).not.toContain('heron.txt');
}, 120_000);

it('tells the warnings of whatever lies in it', async () => {
  const broken = `def (\n${'x = = 3\n'.repeat(100)}`;
  await writeFile(
    join(place.folder, 'notes.zip'),
    zipFile([
      { name: 'a.txt', content: 'The grey heron weighs 2 kilograms.' },
      { name: 'b.py', content: broken },
    ]),
  );
  const told = lines((await place.run(['ingest', 'notes.zip'])).out);
  const at = told.findIndex((line) => line.startsWith('  b.py: created'));
  expect(told[at + 1]).toContain('could not be read as Python');
}, 120_000);
