import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalInference } from '../../../src/models/local/inference.ts';
import { peerName } from '../../../src/models/local/peer.ts';
import type { LocalEmbedSetup } from '../../../src/models/local/protocol.ts';
import { createLocalThread } from '../../../src/models/local/thread.ts';
import { testPeers } from '../local-peers.ts';
import { tinyDimensions, tinyTokens, tinyWindow, writeTinyModel } from '../local-tiny-model.ts';

const peers = testPeers();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote-local-inference-'));
  writeTinyModel(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const setup = (changes: Partial<LocalEmbedSetup> = {}): LocalEmbedSetup => ({
  task: 'embed',
  peer: join(dirname(peers ?? ''), 'node_modules', peerName),
  folder,
  graph: 'onnx/model.onnx',
  dimensions: tinyDimensions,
  windowTokens: tinyWindow,
  pooling: 'mean',
  poolsPrefix: true,
  needsSentenceOutput: false,
  lowercase: false,
  batchTokens: 64,
  threads: 1,
  ...changes,
});

describe('inference with a local model', () => {
  it('tells from its own thread that the package cannot be loaded', async () => {
    const thread = createLocalThread({
      prepare: async () => setup({ peer: join(folder, 'absent') }),
      entry: new URL('../../../src/models/local/local-worker.ts', import.meta.url),
    });
    await expect(thread.embed({ texts: ['a'], prefix: '', urgent: true })).rejects.toMatchObject({
      code: 'config-invalid',
      details: { fault: 'peer-broken' },
      message: expect.stringContaining(join(folder, 'absent')),
    });
    await thread.close();
  });

  it.skipIf(peers === undefined)('cuts texts into the tokens of the model, within its window', async () => {
    const inference = await openLocalInference(setup());
    const short = 'The CATS lend a river';
    expect(inference.tokenize(short)).toEqual({ tokens: tinyTokens(short), truncated: false });
    const full = Array.from({ length: tinyWindow - 2 }, () => 'river').join(' ');
    expect(inference.tokenize(full)).toEqual({ tokens: tinyTokens(full), truncated: false });
    const long = `${full} bank sea`;
    expect(inference.tokenize(long)).toEqual({ tokens: tinyTokens(full), truncated: true });
    expect(inference.prefixTokens('query: ')).toBe(0);
    await inference.close();
    const apart = await openLocalInference(setup({ poolsPrefix: false }));
    expect([apart.prefixTokens('query: '), apart.prefixTokens('')]).toEqual([3, 0]);
    await apart.close();
  });

  it.skipIf(peers === undefined)('lets the package download nothing', async () => {
    await (await openLocalInference(setup())).close();
    const { env, AutoTokenizer } = createRequire(import.meta.url)(setup().peer) as {
      env: { allowRemoteModels: boolean; fetch: () => Promise<unknown> };
      AutoTokenizer: { from_pretrained(name: string): Promise<unknown> };
    };
    await expect(env.fetch()).rejects.toThrow('never downloaded');
    let calls = 0;
    env.fetch = () => Promise.reject(new Error(`call ${++calls}`));
    await expect(AutoTokenizer.from_pretrained('someone/some-model')).rejects.toThrow();
    expect(calls).toBe(0);
    // So it would be seen otherwise.
    env.allowRemoteModels = true;
    await expect(AutoTokenizer.from_pretrained('someone/other-model')).rejects.toThrow();
    env.allowRemoteModels = false;
    expect(calls).toBeGreaterThan(0);
  });
});
