// The vendor's own client between us and its stand-in: every call as the specification has it, and nothing else on the way.
import { afterEach, describe, expect, it } from 'vitest';
import { type Egress, openEgress } from '../../../src/net/egress.ts';
import { createVectorStoreClient, type VectorStoreClient } from '../../../src/stores/openai/client.ts';
import { type FakeServer, openFakeServer } from '../../../src/testing/fake-http.ts';
import {
  type OpenaiSimulator,
  openOpenaiSimulator,
  simulatedCalls,
  simulatorKey,
} from '../../../testkit/openai/openai-simulator.ts';

let simulator: OpenaiSimulator | undefined;
let server: FakeServer | undefined;
let egress: Egress | undefined;

afterEach(async () => {
  delete process.env['OPENAI_CUSTOM_HEADERS'];
  delete process.env['OPENAI_ORG_ID'];
  egress?.close();
  await simulator?.close();
  await server?.close();
  [egress, simulator, server] = [undefined, undefined, undefined];
});

function clientAt(address: string): VectorStoreClient {
  egress = openEgress({ addresses: [address] });
  return createVectorStoreClient({ apiKey: simulatorKey, address, fetch: egress.fetch, callTimeoutMs: 5000 });
}

async function clientOf(reply: unknown): Promise<VectorStoreClient> {
  server = await openFakeServer(() => ({
    headers: { 'content-type': 'application/json' },
    chunks: [JSON.stringify(reply)],
  }));
  return clientAt(`${server.address}/v1`);
}

describe('the client of files and vector stores', () => {
  it('speaks every call as the specification has it', async () => {
    simulator = await openOpenaiSimulator();
    const client = clientAt(simulator.address);
    const { id } = await client.createVectorStore({ name: 'one', metadata: { footnote_tenant: 'default' } });
    expect((await client.vectorStores()).map((one) => one.id)).toEqual([id]);
    expect(await client.vectorStore(id)).toMatchObject({ id, file_counts: { total: 0 } });
    const [one, two] = await Promise.all(
      ['The heron waits: äöü €.', 'A crane.'].map((text) => client.upload({ name: 'a.txt', text })),
    );
    const first = one?.id ?? '';
    expect(simulator.state.files.get(first)?.text).toBe('The heron waits: äöü €.');
    expect(await client.uploadedFiles()).toHaveLength(2);
    await client.attach(id, { fileId: first, attributes: { revision: 1, draft: true, title: 'Heron' } });
    await client.describe(id, { fileId: first, attributes: { revision: 2 } });
    const batch = await client.attachAll(id, [{ fileId: two?.id ?? '', attributes: {} }]);
    expect((await client.batchFiles(id, batch.id)).map((file) => file.id)).toEqual([two?.id]);
    expect(await client.attached(id, first)).toMatchObject({ status: 'completed', attributes: { revision: 2 } });
    expect(await client.attachedFiles(id)).toHaveLength(2);
    const found = await client.search(id, { text: 'heron', most: 5, filter: { type: 'and', filters: [] } });
    expect(found.data.map((piece) => piece.file_id)).toEqual([first]);
    await client.detach(id, first);
    await client.removeUploaded(first);
    await client.removeVectorStore(id);
    expect(new Set(simulator.calls.map(({ name }) => name))).toEqual(new Set(simulatedCalls));
    expect(simulator.violations).toEqual([]);
  });

  it('reads lists to their end, over pages', async () => {
    simulator = await openOpenaiSimulator();
    const client = clientAt(simulator.address);
    for (let index = 0; index < 250; index += 1) simulator.state.addStore(`${index}`, {});
    expect(await client.vectorStores()).toHaveLength(250);
    expect(simulator.calls).toHaveLength(3);
  });

  it('refuses a list that does not end', async () => {
    const file = { id: 'file-1', filename: 'a.txt' };
    const client = await clientOf({
      object: 'list',
      data: [file],
      has_more: true,
      last_id: 'file-1',
      first_id: 'file-1',
    });
    await expect(client.uploadedFiles()).rejects.toMatchObject({ code: 'upstream-invalid' });
    expect(server?.requests).toHaveLength(2);
  });

  it.each([null, [], 'text', {}, { data: 'none' }, { data: [{ id: 7 }] }, { data: [null] }])(
    'refuses what is no reply: %j',
    async (reply) => {
      const client = await clientOf(reply);
      for (const asked of [client.uploadedFiles(), client.vectorStores(), client.vectorStore('vs_1')])
        await expect(asked).rejects.toMatchObject({ name: 'FootnoteError', code: 'upstream-invalid' });
    },
  );

  it('sends our key and nothing that the environment would add', async () => {
    process.env['OPENAI_CUSTOM_HEADERS'] = 'x-extra: secret-of-the-environment\nauthorization: Bearer other';
    process.env['OPENAI_ORG_ID'] = 'org-of-the-environment';
    const client = await clientOf({ object: 'list', data: [], has_more: false, first_id: '', last_id: '' });
    await client.uploadedFiles();
    const headers = server?.requests[0]?.headers;
    expect(headers?.authorization).toBe(`Bearer ${simulatorKey}`);
    expect(JSON.stringify(headers)).not.toMatch(/of-the-environment|Bearer other|stainless/u);
  });

  it('does not ask where the signal has aborted', async () => {
    const client = await clientOf({});
    await expect(client.vectorStores(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(server?.requests).toHaveLength(0);
  });
});
