import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { examineModels as examineRoles } from '../../../src/footnote/doctor.ts';
import { embedTrial, examineModels } from '../../../src/footnote/roles/models.ts';
import { roleTable } from '../../../src/footnote/roles/role-table.ts';
import { installCommand } from '../../../src/models/local/onnx-runtime.ts';
import { hasLocalRuntime } from '../../models/local-runtime.ts';
import { writeTinyModel } from '../../models/local-tiny-model.ts';

const canRun = hasLocalRuntime();
let root: string;
let folder: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'footnote-models-'));
  folder = join(root, 'models');
  writeTinyModel(join(folder, 'tiny'), {}, { 'config_sentence_transformers.json': { prompts: { query: 'query: ' } } });
  writeTinyModel(join(folder, 'maker/bare'), {}, { 'config.json': undefined });
  mkdirSync(join(folder, 'node_modules/not-a-model'), { recursive: true });
  mkdirSync(join(folder, '.cache'), { recursive: true });
  writeFileSync(join(folder, 'README.md'), '');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const { language } = loadConfig({ environment: {}, folder: tmpdir() });
const noProvider = () => Promise.reject(new Error('no provider is asked here'));
const config = (embed: string, chunkTokens = 1000, models = folder) => ({
  language,
  secret: (name: string) => (name === 'AZURE_OPENAI_API_KEY' ? 'a-key-of-azure' : undefined),
  models: {
    embed,
    isEmbedByKey: false,
    folder: models,
    queryTtlSeconds: 3600,
    queryTimeoutMs: 3000,
  },
  chunking: { maxTokens: chunkTokens, overlapTokens: 0, minTokens: 0 },
  effective: [{ name: 'MODEL_EMBED', value: embed, origin: 'footnote.yaml:3', unused: false }],
});
/** Where no package is. */
const nowhere = () => ({ program: join(root, 'index.js') });
const clock = { now: () => '', elapsedMs: () => performance.now() };

describe('the report of models', () => {
  it('tells of each folder what it is or what it lacks', async () => {
    const { found, configured, runtime, folder: place } = await examineModels(config('corpus'), nowhere());
    expect(place).toEqual({ path: folder, exists: true });
    expect(configured).toMatchObject({ source: 'corpus', origin: 'footnote.yaml:3', usable: true });
    expect(runtime.usable).toBe(false);
    expect(found.map(({ name, usable, fault }) => [name, usable, fault])).toEqual([
      ['maker/bare', false, 'no-config'],
      ['tiny', true, undefined],
    ]);
    expect(found[1]?.facts).toMatchObject({ dimensions: 8, windowTokens: 12, pooling: 'mean' });
    expect(found[1]?.notes).toEqual([expect.stringContaining('Set CHUNK_MAX_TOKENS to 50')]);
  });

  it('warns of chunks that are longer than the window, and only of those', async () => {
    const { found } = await examineModels(config('corpus', 9), nowhere());
    expect(found[1]?.notes).toEqual([]);
    const larger = await examineModels(config('corpus', 10), nowhere());
    expect(larger.found[1]?.notes).toHaveLength(1);
  });

  it('says how to get what is missing', async () => {
    const without = await examineModels(config('onnx:tiny'), nowhere());
    expect(without.configured).toMatchObject({
      usable: false,
      detail: expect.stringContaining(installCommand()),
    });
    const broken = await examineModels(config('onnx:maker/bare'), nowhere());
    expect(broken.configured).toMatchObject({ usable: false, detail: expect.stringContaining('has no config.json') });
    expect(broken.advice).toEqual([expect.stringContaining(installCommand())]);
    const empty = await examineModels(config('corpus', 1000, join(root, 'absent')), nowhere());
    expect(empty.folder.exists).toBe(false);
    expect(empty.advice).toEqual([expect.stringContaining(join(root, 'absent', 'NAME'))]);
    const off = await examineModels(config('none'), nowhere());
    expect(off.configured).toMatchObject({ source: 'none', usable: true });
  });

  it('says what a provider lacks, and that texts go there', async () => {
    const without = await examineModels(config('azure:small'), nowhere());
    expect(without.configured).toMatchObject({
      source: 'provider',
      usable: false,
      detail: expect.stringContaining('needs AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT'),
    });
    const azure = { endpoint: 'https://x.openai.azure.com', apiVersion: undefined, deployment: undefined };
    const settings = { ...config('azure:small'), language: { ...language, azure } };
    expect((await examineModels(settings, nowhere())).configured).toMatchObject({
      usable: true,
      detail: expect.stringContaining('is sent to that provider'),
    });
  });

  it('says of a key or an address that nobody uses how answers come from there', async () => {
    const adviceOf = async (environment: Record<string, string>) =>
      roleTable(loadConfig({ environment, folder: root })).flatMap(({ hints = [] }) => hints);
    const key = { ANTHROPIC_API_KEY: 'sk-ant-not-a-key' };
    expect((await adviceOf(key))[0]).toMatch(/^No model writes answers, .*: set MODEL_ANSWER to anthropic:NAME/u);
    const address = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' };
    expect((await adviceOf(address))[0]).toContain('set MODEL_ANSWER to compatible:NAME');
    for (const settled of [
      {},
      { ...key, MODEL_ANSWER: 'none' },
      { ...address, MODEL_ANSWER: 'qwen3:8b' },
      { OPENAI_API_KEY: 'sk-not-a-key' },
    ])
      expect(await adviceOf(settled)).toEqual([]);
  });

  const azureKey = { AZURE_OPENAI_API_KEY: 'not-a-key' };
  const azureAddress = { AZURE_OPENAI_ENDPOINT: 'https://x.openai.azure.com' };
  it.each([
    ['a key of Azure alone', azureKey, ['AZURE_OPENAI_API_KEY is set: set AZURE_OPENAI_ENDPOINT too']],
    ['an address of Azure alone', azureAddress, ['AZURE_OPENAI_ENDPOINT is set: set AZURE_OPENAI_API_KEY too']],
    ['Azure without a deployment', { ...azureKey, ...azureAddress }, ['set AZURE_OPENAI_DEPLOYMENT']],
    [
      'a base URL without a model',
      { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      ['set MODEL_ANSWER to compatible:NAME'],
    ],
    [
      'two halves',
      { ...azureKey, ANTHROPIC_API_KEY: 'not-a-key' },
      ['AZURE_OPENAI_ENDPOINT too', 'MODEL_ANSWER to anthropic:NAME'],
    ],
  ])('hints at what is missing beside %s, where it says that answers are off', (_name, environment, expected) => {
    const given = loadConfig({ environment, folder: root });
    const hints = roleTable(given).find(({ role }) => role === 'answer')?.hints ?? [];
    expect(hints).toEqual(expected.map((part) => expect.stringContaining(part)));
    expect(examineRoles(given)).toMatchObject([{ area: 'models', state: 'warning', advice: hints.join(' ') }]);
    // Half of a provider is no mistake where models were switched off on purpose, or another one answers.
    for (const settled of [
      { MODEL_ANSWER: 'none' },
      { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', MODEL_ANSWER: 'compatible:x' },
    ])
      expect(
        roleTable(loadConfig({ environment: { ...environment, ...settled }, folder: root })).some(
          ({ hints: some }) => some,
        ),
      ).toBe(false);
  });

  const trialOf = (embed: string, text: string) =>
    embedTrial({ config: config(embed), text, clock, openProvider: noProvider });

  it('has nothing to try where a model is learned or switched off', async () => {
    expect(trialOf('corpus', 'a')).toBeUndefined();
    expect(trialOf('none', 'a')).toBeUndefined();
  });

  it.skipIf(!canRun)('tries the model that is configured', async () => {
    const { configured, advice } = await examineModels(config('onnx:tiny'));
    expect(configured).toMatchObject({ usable: true, id: expect.stringMatching(/^local:tiny@[0-9a-f]{16}$/) });
    expect(advice).toEqual([]);
    const tried = await trialOf('onnx:tiny', 'the river')?.run();
    expect(tried).toMatchObject({ served: configured.id, dimensions: 8 });
    const long = await trialOf('onnx:tiny', 'the river '.repeat(20))?.run();
    expect(long?.notes).toEqual([expect.stringContaining('window of 12 tokens and was cut')]);
    const ready = await examineModels(config('corpus'));
    expect(ready.advice).toEqual([expect.stringContaining('set MODEL_EMBED, for example to onnx:tiny')]);
  });
});
