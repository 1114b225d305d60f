// Copies of a file that cannot be read are tried in the same run: that is one try, whoever comes first.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FolderRun, openFolderRun } from '../../../testkit/folder-run.ts';

let place: FolderRun;
beforeEach(async () => {
  place = await openFolderRun();
});
afterEach(() => place.close());

it('copies of a file that cannot be read have three runs like any other, and one that is moved has the rest of them', async () => {
  const states = async (): Promise<readonly (string | undefined)[]> => {
    const { files } = await place.sync();
    return ['a.pdf', 'b/c.pdf', 'd.pdf', 'e/moved.pdf'].map((uri) => files.get(uri)?.state);
  };
  const broken = '%PDF-1.4\nno structure at all';
  for (const path of ['a.pdf', 'b/c.pdf', 'd.pdf']) await place.write(path, broken);
  for (let run = 0; run < 2; run += 1) expect(await states()).toEqual(['failed', 'failed', 'failed', undefined]);
  await place.write('e/moved.pdf', broken);
  for (const path of ['a.pdf', 'b', 'd.pdf']) await place.remove(path);
  expect(await states()).toEqual([undefined, undefined, undefined, 'failed']);
  const tries = (await place.record.readings.failures({})).data.map(({ uri, tries: so }) => [uri, so]);
  expect(tries).toEqual([['e/moved.pdf', 2]]);
  expect((await states()).at(-1)).toBe('failed');
  expect((await states()).at(-1)).toBe('parked');
});
