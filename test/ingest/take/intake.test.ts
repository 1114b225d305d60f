// A file that is prepared twice, since only its text tells which document it was: it counts once, and holds one id.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documentIdOf } from '../../../src/core/ids.ts';
import { createIntake } from '../../../src/ingest/take/intake.ts';
import { type FolderRun, openFolderRun } from '../../../testkit/folder-run.ts';

let place: FolderRun;
beforeEach(async () => {
  place = await openFolderRun();
});
afterEach(() => place.close());

const source = { name: 'docs', type: 'docs' } as const;
const fileOf = (uri: string, more: { readonly wantedId?: string } = {}) => ({
  source,
  uri,
  name: uri,
  contentHash: uri,
  bytes: new TextEncoder().encode('# Pump'),
  ...more,
});

it('counts a file once and lets go of the id that it does not get', async () => {
  await place.pipeline.addDocument({ text: '# Pump', uri: 'old.md', source: 'docs' });
  const before = await place.record.documents.findByUri('docs', 'old.md');
  let counted = 0;
  const countBytes = async (amount: number) => {
    counted += amount;
    return () => {
      counted -= amount;
    };
  };
  const intake = createIntake({ ...place.ports, countBytes });
  const file = fileOf('new.md');
  const first = documentIdOf('docs', 'new.md');
  const { done } = intake.begin([file], async (present) => {
    const signal = undefined;
    await intake.prepare(file, present, { signal });
    if (before) await intake.prepare(file, new Map([[file.uri, before]]), { signal, isCounted: true });
    const other = fileOf('other.md', { wantedId: first });
    const { done: ids } = intake.begin([other], (none) => intake.identify([other], none));
    return ids;
  });
  expect((await done).map(({ id }) => id)).toEqual([first]);
  expect(counted).toBe(file.bytes.byteLength);
});
