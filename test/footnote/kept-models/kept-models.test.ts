// Models as people name them: fetched after they agreed, put to work after one test call, in the file that the product reads, and kept while a role is set
// to them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { systemClock } from '../../../src/core/ids.ts';
import {
  getModel,
  keptModels,
  type Plan,
  removeKept,
  takeModel,
} from '../../../src/footnote/kept-models/kept-models.ts';
import { applyModel, findRunning, tellServer } from '../../../src/footnote/kept-models/use-model.ts';
import { libraryHere, runtimeVersion } from '../../../src/models/gguf/runtime.ts';
import { openFakeServer, type SeenRequest, type Wire } from '../../../src/testing/fake-http.ts';
import { renderChat } from '../../../src/testing/openai-chat.ts';
import { ggufBytes, localFiles, openFolder, openStandIn } from '../../models/hub/stand-in-hub.ts';
import { hasLocalRuntime } from '../../models/local-runtime.ts';
import { tinyRerankerFiles, writeTinyModel } from '../../models/local-tiny-model.ts';

const closers: (() => Promise<void> | void)[] = [];
let work: ReturnType<typeof openFolder>;
beforeEach(() => {
  work = openFolder();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  work.remove();
});

type Environment = Readonly<Record<string, string>>;
const configOf = (environment: Environment = {}) =>
  loadConfig({ folder: work.path, environment: { HOME: work.path, ...environment } });
const write = (name: string, text: string): void => writeFileSync(join(work.path, name), text);
const textOf = (name: string): string => readFileSync(join(work.path, name), 'utf8');

async function serve(answer: (request: SeenRequest) => Wire) {
  const server = await openFakeServer(answer);
  closers.push(server.close);
  return { ...server, port: Number(new URL(server.address).port) };
}

/** A server of models that lists some, and writes what the trial of an answer asks for. */
const openOllama = () =>
  serve((request) => {
    const list = { models: [{ name: 'qwen3:4b' }, { name: 'gemma3:4b' }] };
    if (request.path === '/api/tags')
      return { headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(list)] };
    return renderChat({ text: '{"words": ["ready"]}' }, request);
  });

const use = (
  reference: string,
  more: { environment?: Environment; ports?: object; url?: string; file?: string } = {},
) =>
  applyModel({
    reference,
    clock: systemClock,
    folder: work.path,
    ...more,
    environment: { HOME: work.path, ...more.environment },
  });

describe('get', () => {
  async function hubOf(files: Readonly<Record<string, Uint8Array>>) {
    const hub = await openStandIn({ files });
    closers.push(hub.close);
    return hub;
  }
  const copyOfRuntime = (): string => {
    for (const name of ['node-llama-cpp', libraryHere()]) {
      mkdirSync(join(work.path, 'copy', 'node_modules', name), { recursive: true });
      write(join('copy', 'node_modules', name, 'package.json'), JSON.stringify({ version: runtimeVersion }));
    }
    return join(work.path, 'copy');
  };

  it('says size, licence and commit first, and fetches nothing where nobody agrees', async () => {
    const hub = await hubOf({ 'Qwen3-1.7B-Q8_0.gguf': ggufBytes() });
    const plans: Plan[] = [];
    const agree = async (plan: Plan): Promise<boolean> => {
      plans.push(plan);
      return false;
    };
    const config = configOf({ HF_ENDPOINT: hub.address });
    await expect(getModel(config, { wanted: 'qwen3-1.7b', agree })).rejects.toMatchObject({ code: 'cancelled' });
    const model = { repository: 'Qwen/Qwen3-1.7B-GGUF', revision: 'a'.repeat(40), license: 'apache-2.0' };
    const bytes = ggufBytes().length;
    expect(plans).toEqual([{ name: 'qwen3-1.7b', model: { ...model, bytes }, runtimeBytes: 83e6 }]);
    expect(hub.requests.map(({ path }) => path.includes('/resolve/'))).toEqual([false]);
    expect(await keptModels(config)).toEqual([]);
  });

  it('brings one with what runs it; of other repositories too; and no name that is unknown', async () => {
    const hub = await hubOf({ 'Qwen3-1.7B-Q8_0.gguf': ggufBytes(), 'x.gguf': ggufBytes() });
    const config = configOf({ HF_ENDPOINT: hub.address, MODEL_ANSWER: 'gguf:qwen3-1.7b' });
    const agree = async (): Promise<boolean> => true;
    await getModel(config, { wanted: 'qwen3-1.7b', agree, runtimeFrom: copyOfRuntime() });
    await getModel(config, { wanted: 'Some/Other-GGUF', file: 'x.gguf', agree });
    expect(await keptModels(config)).toMatchObject([
      { name: 'qwen3-1.7b', kind: 'writer', usedBy: ['MODEL_ANSWER'], isThere: true },
      { name: 'other-gguf', repository: 'Some/Other-GGUF', usedBy: [] },
    ]);
    expect(await getModel(config, { wanted: 'runtime', agree })).toBeUndefined();
    await expect(getModel(config, { wanted: 'gpt-17', agree })).rejects.toMatchObject({ code: 'not-found' });
    await expect(getModel(config, { wanted: 'Some/Other-GGUF', agree })).rejects.toThrow(
      /only .*x\.gguf\. Name one with --file/u,
    );
    await expect(removeKept(config, 'qwen3-1.7b', false)).rejects.toMatchObject({ code: 'conflict' });
    await removeKept(config, 'qwen3-1.7b', true);
    await removeKept(config, 'other-gguf', false);
    expect(await keptModels(config)).toEqual([]);
  });
});

describe('use', () => {
  it.each([
    [
      'footnote.yaml',
      'port: 8080 # mine\n\nmodelAnswer: none\n# the end',
      'port: 8080 # mine\n\nmodelAnswer: compatible:qwen3:4b\n# the end\nopenaiBaseUrl: ADDRESS\n',
    ],
    [
      '.env',
      "# mine\nexport MODEL_ANSWER='none'\r\nFOOTNOTE_PORT=1",
      '# mine\nMODEL_ANSWER=compatible:qwen3:4b\r\nFOOTNOTE_PORT=1\nOPENAI_BASE_URL=ADDRESS\n',
    ],
  ])('writes into %s after a test call, and leaves its other lines', async (name, before, after) => {
    const ollama = await openOllama();
    write(name, before);
    const { file, trial } = await use('ollama:qwen3:4b', { ports: { ollama: ollama.port } });
    expect([file, trial.ok]).toEqual([join(work.path, name), true]);
    const base = `${ollama.address}/v1`;
    const wanted = after.replace('ADDRESS', base).split('\n').toSorted();
    expect(textOf(name).split('\n').toSorted()).toEqual(wanted);
    const { language } = configOf();
    expect([language.roles['answer'], language.openaiBaseUrl]).toEqual(['compatible:qwen3:4b', base]);
  });

  it('makes footnote.yaml where there is no file, or takes the one that is named', async () => {
    const ollama = await openOllama();
    const ports = { ollama: ollama.port };
    expect((await use('ollama:qwen3:4b', { ports })).file).toBe(join(work.path, 'footnote.yaml'));
    write('own.yaml', 'port: 1\n');
    expect((await use('compatible:qwen3:4b', { url: `${ollama.address}/v1`, file: 'own.yaml' })).file).toBe(
      join(work.path, 'own.yaml'),
    );
    expect(textOf('own.yaml')).toContain('port: 1\n');
  });

  it('writes nothing where the test call fails, or the model is none', async () => {
    write('footnote.yaml', 'port: 8080\n');
    const deaf = await serve(() => ({ status: 404, chunks: ['{}'] }));
    await expect(use('ollama:qwen3:4b', { ports: { ollama: deaf.port } })).rejects.toThrow(/^Nothing was written/u);
    await expect(use('nothing')).rejects.toMatchObject({ code: 'config-invalid', details: { fault: 'no-folder' } });
    await expect(use('someone:model')).rejects.toMatchObject({ code: 'invalid-request' });
    expect(textOf('footnote.yaml')).toBe('port: 8080\n');
  });

  it('takes back what the product would not read, and sends no key elsewhere', async () => {
    const ollama = await openOllama();
    const ports = { ollama: ollama.port };
    write('footnote.yaml', 'port: 8080\n');
    const environment = { MODEL_ANSWER: 'none' };
    await expect(use('ollama:qwen3:4b', { ports, environment })).rejects.toThrow(/environment says none/u);
    write('footnote.yaml', '{ port: 8080 }\n');
    await expect(use('ollama:qwen3:4b', { ports })).rejects.toMatchObject({ code: 'config-invalid' });
    expect(textOf('footnote.yaml')).toBe('{ port: 8080 }\n');
    const before = ollama.requests.length;
    for (const keys of [
      { OPENAI_API_KEY: 'sk-a-key-of-openai' },
      { OPENAI_BASE_URL: 'https://gateway.example/v1', MODEL_EMBED: 'compatible:e5' },
    ])
      await expect(use('ollama:qwen3:4b', { ports, environment: keys as Environment })).rejects.toMatchObject({
        code: 'conflict',
      });
    expect(ollama.requests.length).toBe(before);
  });

  const agree = async (): Promise<boolean> => true;

  it.skipIf(!hasLocalRuntime())('puts a model of the folder to work, which then has its last use', async () => {
    writeTinyModel(join(work.path, 'tiny'));
    await takeModel(configOf(), { path: join(work.path, 'tiny'), agree });
    const { values, trial } = await use('tiny');
    expect([values, trial.ok]).toEqual([{ MODEL_EMBED: 'onnx:tiny' }, true]);
    const [kept] = await keptModels(configOf());
    expect(kept).toMatchObject({ name: 'tiny', kind: 'encoder', usedBy: ['MODEL_EMBED'] });
    expect(kept?.lastUsedAt).toMatch(/^20/u);
    await expect(removeKept(configOf(), 'tiny', false)).rejects.toMatchObject({ code: 'conflict' });
  });

  it.skipIf(!hasLocalRuntime())('tries a judge on what its passage says, and puts it to work', async () => {
    const id2label = { 0: 'contradiction', 1: 'entailment', 2: 'neutral' };
    writeTinyModel(join(work.path, 'judge'), { gives: 'logits', width: 3 }, tinyRerankerFiles(1, { id2label }));
    await takeModel(configOf(), { path: join(work.path, 'judge'), agree });
    const { values, trial } = await use('judge');
    expect(values).toEqual({ MODEL_JUDGE: 'onnx:judge' });
    expect(trial.detail).toMatch(/^gave a chance of [\d.]+ to what its passage says$/u);
    expect((await keptModels(configOf()))[0]).toMatchObject({ kind: 'judge', usedBy: ['MODEL_JUDGE'] });
  });

  it('tries a cross-encoder in the role that orders', async () => {
    const files = localFiles('BertForSequenceClassification', 1);
    mkdirSync(join(work.path, 'orders', 'onnx'), { recursive: true });
    for (const [path, bytes] of Object.entries(files)) writeFileSync(join(work.path, 'orders', path), bytes);
    await takeModel(configOf(), { path: join(work.path, 'orders'), agree });
    // Its weights are no graph.
    await expect(use('orders')).rejects.toThrow(/^Nothing was written, because a test call failed: /u);
    expect(configOf().reranking.model).toBe('none');
  });
});

describe('what runs on this machine', () => {
  it('is told where no model answers, and nobody said that none should', async () => {
    const ollama = await openOllama();
    const ports = { ollama: ollama.port, lmstudio: 9, llamacpp: 9, vllm: 9 };
    const told = async (environment: Environment = {}) =>
      (await findRunning(configOf(environment), { ports, waitMs: 60_000 })).map(tellServer);
    expect(await told()).toEqual(['Ollama is running with qwen3:4b and 1 more: footnote models use ollama:qwen3:4b']);
    const asked = ollama.requests.length;
    for (const environment of [
      { MODEL_DETECT: 'off' },
      { MODEL_ANSWER: 'none' },
      { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', MODEL_ANSWER: 'compatible:x' },
      { OPENAI_API_KEY: 'sk-a-key-of-openai' },
      { MODEL_ANSWER: 'someone' },
    ])
      expect(await told(environment as Environment)).toEqual([]);
    expect(ollama.requests.length).toBe(asked);
  });
});
