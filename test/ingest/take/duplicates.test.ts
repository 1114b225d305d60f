// Documents that were recorded before there were fingerprints get them, and their links, when their source is read again.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ingestion } from '../../../src/core/documents/runs.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { randomIds, systemClock } from '../../../src/core/ids.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../../src/db/sqlite/sqlite.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import { openFolder } from '../../../src/ingest/connectors/folder.ts';
import { createPipeline } from '../../../src/ingest/pipeline.ts';
import { cutFile } from '../../../src/ingest/read/cut.ts';
import type { CuttingPool } from '../../../src/ingest/read/parse.ts';
import { linkRecorded } from '../../../src/ingest/take/duplicates.ts';
import { startIngestion } from '../../../testkit/folder-run.ts';
import { scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';

const chunking = { maxTokens: 1000, overlapTokens: 100, minTokens: 100 };
const story = Array.from({ length: 80 }, (_, index) => `word${index}`).join(' ');

let place: ReturnType<typeof temporaryFolder>;
let database: SqliteRecordDatabase;
let record: TenantRecord;
let cuts: string[];
/** The real parser and cutter, in this process. */
const parsers = {
  async cut(input, plan) {
    cuts.push(plan.documentId);
    return cutFile(input, plan);
  },
} as Partial<CuttingPool> as CuttingPool;

beforeEach(() => {
  place = temporaryFolder();
  mkdirSync(join(place.folder, 'docs'));
  database = openSqliteRecord({ folder: join(place.folder, 'data') });
  record = database.forScope(scopeOf());
  cuts = [];
});
afterEach(async () => {
  await database.close();
  place.remove();
});

async function sync(): Promise<Ingestion> {
  const pipeline = createPipeline({
    record,
    stores: [],
    parsers,
    clock: systemClock,
    ids: randomIds,
    chunking,
    connectors: { open: openFolder },
  });
  const source = { name: 'docs', type: 'docs' } as const;
  await record.commit([{ kind: 'put-source', source }]);
  const ingestion = await startIngestion(record, source.name);
  const run = await pipeline.syncSource({
    source,
    connector: { kind: 'folder', path: join(place.folder, 'docs') },
    ingestion,
  });
  if (run.state !== 'done') throw new Error(`The run ended ${run.state}: ${run.error?.message}`);
  return run;
}

const write = (name: string, text: string): void => writeFileSync(join(place.folder, 'docs', name), text);
const linkedUris = async (uri: string): Promise<string[]> => {
  const document = await record.documents.findByUri('docs', uri);
  const links = await record.documents.duplicates(document?.id ?? '');
  return links.map((link) => `${link.uri} ${link.kind}`);
};

describe('duplicates at ingestion', () => {
  it('are linked when files are read, and unlinked when one changes or goes', async () => {
    write('a.md', story);
    write('b.md', `# Copy\n\n${story.toUpperCase()}`);
    await sync();
    expect(await linkedUris('a.md')).toEqual(['b.md near']);
    write('b.md', 'Something else entirely, in a few words that nobody else has ever written down.');
    await sync();
    expect(await linkedUris('a.md')).toEqual([]);
  });

  it('are found for what was recorded before, once, without reading or writing the documents again', async () => {
    write('a.md', story);
    write('b.md', `${story} and more`);
    await sync();
    await database.write((connection) =>
      connection.exec('DELETE FROM fingerprint; DELETE FROM fingerprint_key; DELETE FROM duplicate_link'),
    );
    expect(await linkedUris('a.md')).toEqual([]);
    const revisions = (await record.documents.list({})).data.map(({ revision }) => revision);
    cuts = [];
    expect((await sync()).counts).toMatchObject({ unchanged: 2, done: 0 });
    expect(cuts).toHaveLength(2);
    expect(await linkedUris('a.md')).toEqual(['b.md near']);
    expect((await record.documents.list({})).data.map(({ revision }) => revision)).toEqual(revisions);
    expect(await linkRecorded({ record, parsers, chunking }, 'docs')).toBe(0);
  });

  it('are found for the others where one text cannot be read again', async () => {
    for (const name of ['a.md', 'b.md', 'c.md']) write(name, `${story} ${name}`);
    await sync();
    await database.write((connection) =>
      connection.exec('DELETE FROM fingerprint; DELETE FROM fingerprint_key; DELETE FROM duplicate_link'),
    );
    const refused = (await record.documents.findByUri('docs', 'a.md'))?.id;
    const refusing: CuttingPool = {
      ...parsers,
      async cut(input, plan) {
        if (plan.documentId === refused) throw new FootnoteError('invalid-media', 'text.txt is not a text.');
        return parsers.cut(input, plan);
      },
    };
    expect(await linkRecorded({ record, parsers: refusing, chunking }, 'docs')).toBe(2);
    expect(await linkedUris('c.md')).toEqual(['b.md near']);
  });
});
