// Stores beside the record are told of a document that was moved: the same id, a newer revision, and nothing to take away.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { localScope } from '../../../src/core/scope.ts';
import { createPipeline } from '../../../src/ingest/pipeline.ts';
import { openFolderRun, startIngestion } from '../../../testkit/folder-run.ts';
import { createMemoryStores } from '../../../testkit/memory-store.ts';

it('follows a move', async () => {
  const place = await openFolderRun();
  try {
    const pipeline = createPipeline({
      ...place.ports,
      stores: [createMemoryStores({ name: 'cloud' }).store(localScope())],
    });
    const connector = { kind: 'folder', path: place.docs } as const;
    const source = { name: 'docs', type: 'docs', connector } as const;
    const run = async () => {
      await place.record.commit([{ kind: 'put-source', source }]);
      const ingestion = await startIngestion(place.record, 'docs');
      return pipeline.syncSource({ source, connector, ingestion });
    };
    await place.write('a.md', '# A\n\nThe mast is 12 metres tall.\n');
    await run();
    const [before] = (await place.record.documents.list({ limit: 10 })).data;
    const id = before?.id ?? '';
    expect(await place.record.documents.deliveries(id)).toMatchObject([{ store: 'cloud', revision: 1 }]);
    await rename(join(place.docs, 'a.md'), join(place.docs, 'b.md'));
    expect(await run()).toMatchObject({ state: 'done', counts: { deleted: 0 } });
    expect(await place.record.documents.get(id)).toMatchObject({ uri: 'b.md', revision: 2 });
    expect(await place.record.documents.deliveries(id)).toMatchObject([
      { store: 'cloud', revision: 2, status: 'pending' },
    ]);
    expect((await place.record.documents.listDeliveries({ limit: 10 })).data).toHaveLength(1);
  } finally {
    await place.close();
  }
});
