// A file that is prepared twice, since only its text tells which document it was: it counts once, and holds one id.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { documentIdOf } from '../../../src/core/ids.ts';
import { createPipeline } from '../../../src/ingest/pipeline.ts';
import { isBelowAny } from '../../../src/ingest/take/inside.ts';
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

it('says why a store within the record could not take a document that is there already', async () => {
  const file = { text: '# Pump', uri: 'pump.md' };
  await place.pipeline.addDocument(file);
  const prepare = async (): Promise<void> => {
    throw new FootnoteError('storage-full', 'The disk is full.');
  };
  const second = Object.assign(Object.create(place.store) as typeof place.store, { name: 'second', prepare });
  const pipeline = createPipeline({ ...place.ports, stores: [place.store, second] });
  await expect(pipeline.addDocument(file)).rejects.toMatchObject({ code: 'storage-full' });
});

it('tells what lies below many paths, each looked up once', () => {
  const paths = new Set(['a', 'b/c', 'lines.jsonl', 'x#y']);
  for (const uri of ['a', 'a/b', 'a#1', 'b/c', 'b/c/d/e', 'lines.jsonl#4', 'x#y#z', 'x#y/z'])
    expect(isBelowAny(uri, paths), uri).toBe(true);
  for (const uri of ['', 'ab', 'b', 'b/cd', 'lines.jsonl2#4', 'x', 'x#yz', 'c/a'])
    expect(isBelowAny(uri, paths), uri).toBe(false);
  expect(isBelowAny('anything', new Set(['.']))).toBe(true);
  let asked = 0;
  const many = new Set(Array.from({ length: 100_000 }, (_, at) => `folder/${at}`));
  many.has = (path) => {
    asked += 1;
    return Set.prototype.has.call(many, path);
  };
  expect(isBelowAny('folder/none/deep.md', many)).toBe(false);
  expect(asked).toBeLessThan(6);
});
