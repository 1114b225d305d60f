// `footnote models` as a person types it, without a model, with one that cannot be used, and beside a running server.
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';
import { testPeers } from '../models/local-peers.ts';
import { writeTinyModel } from '../models/local-tiny-model.ts';

const peers = testPeers();
let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
});
afterAll(() => place.remove());

describe('footnote models', () => {
  it('shows the model that needs nothing', async () => {
    const { code, out } = await place.run(['models']);
    expect(code).toBe(0);
    expect(out).toContain('Embedding model: corpus (default)');
    expect(out).toContain('which is not there');
    const tested = await place.run(['models', 'test']);
    expect(tested).toMatchObject({ code: 0, out: expect.stringContaining('learned from the documents') });
  });

  it('shows what is wrong with a local one, fails with it, and says when a server goes by other settings', async () => {
    const { stop } = await place.serve();
    writeTinyModel(join(place.folder, 'models/tiny'), {}, { 'onnx/model.onnx': undefined });
    const env = { MODEL_EMBED: 'local:tiny' };
    const listed = await place.run(['models'], { env });
    expect(listed.code).toBe(1);
    expect(listed.out).toContain('XX  local:tiny');
    expect(listed.out).toContain('holds no ONNX file');
    expect(listed.err).toMatch(/A server \(pid \d+\) is running/);
    const asJson = (await place.run(['models', '--json'], { env })).json();
    expect(asJson).toMatchObject({ configured: { usable: false }, note: expect.stringContaining('A server') });
    const tested = await place.run(['models', 'test'], { env });
    expect(tested).toMatchObject({ code: 11, err: expect.stringContaining('holds no ONNX file') });
    await stop();
  });

  it.skipIf(peers === undefined)('tries a local one, with the package beside the models', async () => {
    const { symlink } = await import('node:fs/promises');
    writeTinyModel(join(place.folder, 'models/tiny'));
    await symlink(join(dirname(peers ?? ''), 'node_modules'), join(place.folder, 'models/node_modules'));
    const { code, out, err } = await place.run(['models', 'test', 'the river'], { env: { MODEL_EMBED: 'local:tiny' } });
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/local:tiny@[0-9a-f]{16}, 8 dimensions/);
  });
});
