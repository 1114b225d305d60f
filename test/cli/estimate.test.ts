// footnote estimate: figures that grow with the corpus, over what is in or over a number that is given.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { estimateScale } from '../../src/cli/commands/estimate.ts';
import { openWorkplace, type Workplace } from './footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
}, 60_000);
afterAll(() => place.remove());

it('multiplies what was measured, and says what to take', () => {
  const million = estimateScale(1e6, 384);
  // What a million chunks took: 2.4 GB of memory, 4 GB of disk, 5.9 ms.
  expect(million.memoryBytes / 2.4e9).toBeCloseTo(1, 1);
  expect(million.recordBytes / 4e9).toBeCloseTo(1, 1);
  expect(million.searchMs).toBeCloseTo(5.9, 5);
  const takes = [1e6, 2e7, 1e9].map((chunks) => estimateScale(chunks, 384).take);
  expect(takes.map((take) => /inside the record|store postgres|hosted store/u.exec(take)?.[0])).toEqual([
    'inside the record',
    'store postgres',
    'hosted store',
  ]);
  expect(estimateScale(1000, 0).postgresBytes).toBeLessThan(estimateScale(1000, 8).postgresBytes);
});

it('is of what is in, or of a number that is given, and refuses what is none', { timeout: 60_000 }, async () => {
  expect((await place.run(['estimate', '--scale'])).code).toBe(4);
  await writeFile(join(place.folder, 'owl.txt'), 'The barn owl hunts at night.\n');
  await place.run(['ingest', 'owl.txt', '--wait']);
  const own = (await place.run(['estimate', '--scale', '--json'])).json();
  expect([own.dimensions, own.data.map(({ chunks }: { chunks: number }) => chunks)]).toEqual([384, [1, 10, 100, 1000]]);
  const given = await place.run(['estimate', '--scale', '--chunks', '20000', '--dimensions', '1536']);
  expect(given.out).toMatch(/^chunks +record +memory/u);
  expect(given.out).toMatch(/^20,000,000 .*store postgres beside the record$/mu);
  for (const wrong of [
    ['estimate'],
    ['estimate', '--scale', '--chunks', '-1'],
    ['estimate', '--scale', '--dimensions', 'many'],
  ])
    expect((await place.run(wrong)).code, wrong.join(' ')).toBe(2);
});
