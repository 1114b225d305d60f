// Signing in to Firestore: nothing is asked but what is configured.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { openFirestoreStores } from '../../../src/stores/firestore/firestore-store.ts';
import { scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0).toReversed()) await close();
});

it('looks for no machine of Google where it has no credentials, and says what is missing', async () => {
  const asked: string[] = [];
  const machine = createServer(({ url = '' }, reply) => {
    asked.push(url);
    reply.writeHead(200, { 'metadata-flavor': 'Google' }).end('{}');
  });
  await new Promise<void>((resolve) => machine.listen(0, '127.0.0.1', resolve));
  const place = temporaryFolder();
  closing.push(place.remove, () => machine.close());
  const { port } = machine.address() as AddressInfo;
  vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${port}`);
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', undefined);
  vi.stubEnv('HOME', place.folder);
  vi.stubEnv('CLOUDSDK_CONFIG', place.folder);
  const stores = openFirestoreStores({ projectId: 'my-footnote' });
  closing.push(stores.close);
  expect(await stores.store(scopeOf()).health()).toMatchObject({
    status: 'down',
    detail: expect.stringContaining('GOOGLE_APPLICATION_CREDENTIALS'),
  });
  expect(asked).toEqual([]);
});
