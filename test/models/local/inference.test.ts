import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalInference } from '../../../src/models/local/inference.ts';
import type { LocalEmbedSetup } from '../../../src/models/local/protocol.ts';
import { hasLocalRuntime } from '../local-runtime.ts';
import { tinyDimensions, tinyTokens, tinyWindow, writeTinyModel } from '../local-tiny-model.ts';

const canRun = hasLocalRuntime();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote-local-inference-'));
  writeTinyModel(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const setup = (changes: Partial<LocalEmbedSetup> = {}): LocalEmbedSetup => ({
  task: 'embed',
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
  it.skipIf(!canRun)('cuts texts into the tokens of the model, within its window', async () => {
    const inference = await openLocalInference(setup());
    const short = 'The CATS lend a river';
    expect(inference.tokenize(short)).toEqual({ tokens: tinyTokens(short), truncated: false });
    const full = Array.from({ length: tinyWindow - 2 }, () => 'river').join(' ');
    expect(inference.tokenize(full)).toEqual({ tokens: tinyTokens(full), truncated: false });
    const long = `${full} bank sea`;
    expect(inference.tokenize(long)).toEqual({ tokens: tinyTokens(full), truncated: true });
    expect(inference.prefixTokens('query: ')).toBe(0);
    const apart = await openLocalInference(setup({ poolsPrefix: false }));
    expect([apart.prefixTokens('query: '), apart.prefixTokens('')]).toEqual([3, 0]);
  });
});
