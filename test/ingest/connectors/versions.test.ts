// An item that still has the version with which it was read is not read again, and everything that may have changed is.
import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipFile } from '../../../packages/readers/testkit/zip-file.ts';
import type { FolderConnector } from '../../../src/core/connector.ts';
import type { Source } from '../../../src/core/document.ts';
import type { ItemsRequest } from '../../../src/ingest/connectors/connector.ts';
import type { Connectors } from '../../../src/ingest/connectors/connectors.ts';
import { openFolder } from '../../../src/ingest/connectors/folder.ts';
import type { SourceItem } from '../../../src/ingest/connectors/source-item.ts';
import { createPipeline } from '../../../src/ingest/pipeline.ts';
import { createPreviews } from '../../../src/ingest/preview.ts';
import { type FolderRun, openFolderRun, startIngestion } from '../../../testkit/folder-run.ts';

let place: FolderRun;
let read: string[];
let asked: (ItemsRequest | undefined)[];
beforeEach(async () => {
  place = await openFolderRun();
  [read, asked] = [[], []];
});
afterEach(() => place.close());

const source = (): Source => ({ name: 'docs', type: 'docs', connector: { kind: 'folder', path: place.docs } });

const counted = (item: SourceItem): SourceItem => ({
  ...item,
  read(signal) {
    read.push(item.uri);
    return item.read(signal);
  },
});

/** Folders as they are, a minute later, with an account of what is read. */
const watched: Pick<Connectors, 'open'> = {
  open(connector, options) {
    const now = (): string => new Date(Date.now() + 60_000).toISOString();
    const reader = openFolder(connector as FolderConnector, { ...options, clock: { now } });
    return {
      async *items(request) {
        asked.push(request);
        for await (const item of reader.items(request)) yield item.kind === 'item' ? counted(item) : item;
      },
    };
  },
};

async function sync(connectors = watched, more: { readonly reread?: boolean } = {}) {
  read = [];
  await place.record.commit([{ kind: 'put-source', source: source() }]);
  const ingestion = await startIngestion(place.record, 'docs');
  const pipeline = createPipeline({ ...place.ports, connectors, stores: [place.store] });
  const { connector } = source();
  if (connector === undefined) throw new Error('The source has a connector.');
  const { state, counts } = await pipeline.syncSource({ source: source(), connector, ingestion, ...more });
  return { state, counts, read: read.toSorted() };
}

describe('files of a folder', () => {
  it('are read once, and again where they changed', async () => {
    await place.write('a.md', '# A\n\nThe pier is 40 metres long.\n');
    await place.write('b.md', '# B\n\nThe mast is 12 metres tall.\n');
    expect((await sync()).read).toEqual(['a.md', 'b.md']);
    expect(await sync()).toMatchObject({
      state: 'done',
      read: [],
      counts: { found: 2, unchanged: 2, done: 0, deleted: 0 },
    });
    await place.write('b.md', '# B\n\nThe mast is 13 metres tall.\n');
    expect(await sync()).toMatchObject({ read: ['b.md'], counts: { unchanged: 1, done: 1 } });
    expect(await place.uris()).toEqual(['a.md', 'b.md']);
    expect((await sync(watched, { reread: true })).read).toEqual(['a.md', 'b.md']);
    await place.remove('a.md');
    expect(await sync()).toMatchObject({ read: [], counts: { found: 1, unchanged: 1, deleted: 1 } });
    // What is known of a file goes with it; the folder itself is known by the dot.
    expect((await place.record.readings.items('docs')).map(({ uri }) => uri).sort()).toEqual(['.', 'b.md']);
  });

  it('are read again where a program set the time back, and the length is the same', async () => {
    await place.write('a.md', '# A\n\nThe pier is 40 metres long.\n');
    await sync();
    const { atime, mtime } = await stat(join(place.docs, 'a.md'));
    await writeFile(join(place.docs, 'a.md'), '# A\n\nThe pier is 41 metres long.\n');
    await utimes(join(place.docs, 'a.md'), atime, mtime);
    expect(await sync()).toMatchObject({ read: ['a.md'], counts: { done: 1 } });
  });

  it('are read again where they were changed only just now', async () => {
    await place.write('a.md', '# A\n\nThe pier is 40 metres long.\n');
    const fresh: typeof watched = {
      open: (connector, options) => {
        const reader = openFolder(connector as FolderConnector, options);
        return { items: reader.items };
      },
    };
    await sync(fresh);
    expect((await place.record.readings.items('docs')).map(({ uri }) => uri)).toEqual(['.']);
  });

  it('are read again where their document is gone', async () => {
    await place.write('a.md', '# A\n\nThe pier is 40 metres long.\n');
    await sync();
    const [id] = [(await place.record.documents.findByUri('docs', 'a.md'))?.id ?? ''];
    await place.pipeline.deleteDocument(id);
    expect(await sync()).toMatchObject({ read: ['a.md'], counts: { done: 1 } });
  });

  it('that hold others are opened once', async () => {
    await place.write(
      'in.zip',
      zipFile([
        { name: 'x.md', content: '# X\n\nThe quay is deep.\n' },
        { name: 'y.md', content: '# Y\n\nThe buoy is red.\n' },
      ]),
    );
    expect(await sync()).toMatchObject({ read: ['in.zip'], counts: { found: 3, done: 3 } });
    expect(await sync()).toMatchObject({ read: [], counts: { found: 3, unchanged: 3, deleted: 0 } });
    expect(await place.uris()).toEqual(['in.zip/x.md', 'in.zip/y.md']);
  });
});

describe('a connector', () => {
  it('that cannot tell versions or lengths is read each time, and told when the last whole run began', async () => {
    const itemOf = (uri: string): SourceItem => ({
      kind: 'item',
      uri,
      name: uri,
      async read() {
        read.push(uri);
        return new TextEncoder().encode(`The text of ${uri}.`);
      },
    });
    const plain: typeof watched = {
      open: () => ({
        async *items(request) {
          asked.push(request);
          yield* [itemOf('a.txt'), itemOf('b.txt')];
        },
      }),
    };
    expect(await sync(plain)).toMatchObject({ read: ['a.txt', 'b.txt'], counts: { done: 2 } });
    expect(await sync(plain)).toMatchObject({ read: ['a.txt', 'b.txt'], counts: { unchanged: 2 } });
    expect(asked).toHaveLength(2);
    const large = {
      open: () => ({
        items: async function* () {
          yield { ...itemOf('c.txt'), read: async () => new Uint8Array(2_000_000) };
        },
      }),
    };
    expect((await sync(large)).counts).toMatchObject({ failed: 1 });
  });

  it('is asked once for a look at what a run would bring', async () => {
    await place.write('a.md', '# A\n\nThe pier is 40 metres long.\n');
    await place.write('b.log', 'x');
    const previews = createPreviews({ ...place.ports, connectors: watched, openEmbedPlan: async () => undefined });
    const preview = await previews.folder(source());
    expect([asked.length, preview.bytes, preview.counts.found]).toEqual([1, 34, 2]);
    expect(await place.record.readings.items('docs')).toEqual([]);
  });
});
