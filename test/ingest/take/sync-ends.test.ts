// What ends a run over a source and what does not: a file that may not be read is one file's failure, a record that may not be written is
// everybody's.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Source } from '../../../src/core/document.ts';
import type { Ingestion } from '../../../src/core/documents/runs.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import type { SourceItem, SourceProblem } from '../../../src/ingest/connectors/source-item.ts';
import { syncSource } from '../../../src/ingest/sync.ts';
import { createIntake } from '../../../src/ingest/take/intake.ts';
import { createParking, failuresOf } from '../../../src/ingest/take/parking.ts';
import { createWriter } from '../../../src/ingest/write/writer.ts';
import { type FolderRun, openFolderRun, startIngestion } from '../../../testkit/folder-run.ts';

let place: FolderRun;
beforeEach(async () => {
  place = await openFolderRun();
});
afterEach(() => place.close());

const denied = (): FootnoteError => new FootnoteError('storage-denied', 'It may not be opened.');
const source: Source = { name: 'docs', type: 'docs', connector: { kind: 'folder', path: '/not/read' } };

const fileOf = (uri: string, read?: () => Promise<Uint8Array>): SourceItem => ({
  kind: 'item',
  uri,
  name: uri,
  sizeBytes: 10,
  read: read ?? (async () => new TextEncoder().encode(`The text of ${uri}.`)),
});

async function run(
  entries: readonly (SourceItem | SourceProblem)[],
  record: TenantRecord = place.record,
): Promise<Ingestion> {
  await place.record.commit([{ kind: 'put-source', source }]);
  const ports = { ...place.ports, record };
  const reader = {
    async *items() {
      yield* entries;
    },
  };
  return syncSource({
    ...ports,
    source,
    reader,
    ingestion: await startIngestion(place.record, source.name),
    intake: createIntake(ports),
    writer: createWriter({ ...ports, stores: [], lingerMs: 0 }),
    maxFileBytes: 1000,
  });
}

describe('a run over a source', () => {
  it('goes on past what its connector may not read', async () => {
    const unreadable = fileOf('b.txt', () => Promise.reject(denied()));
    const problem = { kind: 'problem', uri: 'closed', error: denied() } as const;
    const ended = await run([fileOf('a.txt'), unreadable, problem, fileOf('c.txt')]);
    expect(ended).toMatchObject({ state: 'done', counts: { found: 4, done: 2, failed: 2 } });
  });

  it.each(['storage-denied', 'storage-full', 'data-corrupt'] as const)(
    'ends where the record says %s',
    async (code) => {
      const record: TenantRecord = {
        ...place.record,
        commit: () => Promise.reject(new FootnoteError(code, 'Nothing can be written.')),
      };
      let reads = 0;
      const files = Array.from({ length: 60 }, (_, at) =>
        fileOf(`${at}.txt`, async () => {
          reads += 1;
          return new TextEncoder().encode(`The text of ${at}.`);
        }),
      );
      const ended = await run(files, record);
      expect(ended).toMatchObject({ state: 'failed', error: { code } });
      expect(reads).toBeLessThan(files.length);
    },
  );
});

describe('failuresOf', () => {
  it('gives those of one file, its lines and what is inside it without reading all of the source', async () => {
    const { readings } = place.record;
    const asked: number[] = [];
    const watched = {
      ...readings,
      async failures(request: Parameters<typeof readings.failures>[0]) {
        const page = await readings.failures(request);
        asked.push(page.data.length);
        return page;
      },
    };
    const parking = createParking({ readings, clock: place.ports.clock });
    for (const uri of ['a.jsonl', 'b.jsonl', 'b.jsonl:7', 'b.jsonl:8', 'b.jsonl/in.txt', 'b.jsonk', 'c.jsonl:1'])
      await parking.park({ source, uri, name: uri, contentHash: uri }, new FootnoteError('invalid-media', 'Broken.'));
    const uris = (await failuresOf(watched, 'docs', { at: 'b.jsonl' })).map(({ uri }) => uri);
    expect(uris).toEqual(['b.jsonl', 'b.jsonl/in.txt', 'b.jsonl:7', 'b.jsonl:8']);
    expect(asked).toEqual([4]);
    expect(await failuresOf(readings, 'docs')).toHaveLength(7);
    expect(await failuresOf(readings, 'others', { at: 'b.jsonl' })).toEqual([]);
  });
});
