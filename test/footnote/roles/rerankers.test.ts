// From settings to a reranker: each kind, what it needs, and that a local one that is not there harms no search.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { createDeadline } from '../../../src/core/deadline.ts';
import {
  type OpenedReranker,
  openReranker,
  type RerankerSettings,
  rerankerSettingsOf,
} from '../../../src/footnote/roles/rerankers.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';
import { rerank } from '../../../src/retrieval/rerank.ts';
import { openFakeServer } from '../../../src/testing/fake-http.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';
import { callContext } from '../../../testkit/request-context.ts';
import { standardReply, teiReply } from '../../fakes/rerank-http.ts';
import { hasLocalRuntime } from '../../models/local-runtime.ts';
import { tinyRerankerFiles, writeTinyModel } from '../../models/local-tiny-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'footnote-rerankers-'));
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = (changes: Partial<RerankerSettings> = {}): RerankerSettings => ({
  model: 'none',
  address: undefined,
  topK: 10,
  timeoutMs: 20_000,
  threshold: 0,
  modelsFolder: folder,
  ...changes,
});
const open = async (...given: Parameters<typeof openReranker>): Promise<OpenedReranker> => {
  const opened = await openReranker(...given);
  if (!opened) throw new Error('There is no reranker.');
  closing.push(() => opened.close());
  return opened;
};
const texts = ['brown paint', 'the tower is tall'];
const ask = ({ reranking }: OpenedReranker) =>
  reranking.model.rerank({ query: 'how tall is the tower', texts }, { deadline: createDeadline(20_000) });

describe('openReranker', () => {
  it('opens none where none is named, as by default', async () => {
    expect(await openReranker(settings())).toBeUndefined();
    const config = loadConfig({ folder, environment: {} });
    expect(rerankerSettingsOf(config)).toMatchObject({ model: 'none', topK: 10, timeoutMs: 2000, threshold: 0 });
    expect(await openReranker(rerankerSettingsOf(config))).toBeUndefined();
  });

  it('asks a service at its address, in its form, with its key', async () => {
    for (const reply of [standardReply, teiReply]) {
      const server = await openFakeServer(reply);
      closing.push(() => server.close());
      const opened = await open(
        settings({ model: 'service:bge-reranker-v2-m3', address: `${server.address}/v1`, apiKey: 'k' }),
      );
      const { ranking, model } = await ask(opened);
      expect([ranking[0]?.index, model]).toEqual([1, 'service:bge-reranker-v2-m3']);
      expect(server.requests[0]?.headers.authorization).toBe('Bearer k');
    }
  });

  it('has the language model of the role grade', async () => {
    const reply = JSON.stringify({
      grades: [
        { id: 1, grade: 0 },
        { id: 2, grade: 3 },
      ],
    });
    const language = createScriptedModel([{ reply }]);
    const opened = await open(settings({ model: 'openai:gpt-5.2-mini' }), { language });
    opened.warm();
    expect((await ask(opened)).ranking[0]?.index).toBe(1);
    expect(opened.reranking.model.method).toBe('language-model');
  });

  it.each<[Partial<RerankerSettings>, RegExp]>([
    [{ model: 'service:x' }, /RERANK_BASE_URL/u],
    [{ model: 'openai:gpt-5.2-mini' }, /MODEL_RERANK/u],
    [{ model: 'service:x', address: 'http://127.0.0.1:1/v1', prices: 'nonsense' }, /[Pp]rices/u],
  ])('says what is missing: %j', async (changes, message) => {
    await expect(openReranker(settings(changes))).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message),
    });
  });

  it('lets searches go on where the local model is not there, and says so in each', async () => {
    const { reranking, warm } = await open(settings({ model: 'onnx:nowhere' }));
    warm();
    const evidence = texts.map((text, at) => evidenceOf({ id: `c${at}`, text, score: 2 - at }));
    for (let time = 0; time < 2; time++) {
      const found = await rerank(evidence, { query: 'q', reranking, context: callContext() });
      expect(found.evidence).toEqual(evidence);
      expect(found.degraded).toMatchObject({ code: 'config-invalid', detail: expect.stringContaining('nowhere') });
    }
  });

  const canRun = hasLocalRuntime();
  it.skipIf(!canRun)('opens a local model when it is there, and again when its files changed', async () => {
    const local = { idleMs: 0 };
    const path = join(folder, 'tiny');
    writeTinyModel(path, { gives: 'logits', width: 1 }, tinyRerankerFiles());
    const opened = await open(settings({ model: 'onnx:tiny' }), { local });
    opened.warm();
    const first = await ask(opened);
    expect(first.ranking).toHaveLength(2);
    expect(first.model).toMatch(/^local:tiny@[0-9a-f]{16}$/u);
    writeTinyModel(path, { gives: 'logits', width: 1, seed: 9 }, tinyRerankerFiles());
    // Until the idle thread is gone the model that it holds serves; the next one finds other files, and then they are read.
    const said: string[] = [];
    const asked = async (): Promise<string> => {
      const one = await ask(opened).then(
        ({ model }) => (model === first.model ? 'same' : 'other'),
        (error: { code: string }) => error.code,
      );
      said.push(one);
      return one;
    };
    await expect.poll(asked, { interval: 10, timeout: 120_000 }).toBe('other');
    expect(said.filter((one) => one !== 'same')).toEqual(['conflict', 'other']);
  });
});
