import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/models/local/fingerprint.ts';
import { type LocalFolder, readLocalFolder } from '../../../src/models/local/folder.ts';
import { findOnnxRuntime, installCommand } from '../../../src/models/local/onnx-runtime.ts';
import { poolTokens } from '../../../src/models/local/pooling.ts';
import { tinyDimensions, tinyFiles, tinyWindow, writeTinyModel } from '../local-tiny-model.ts';

let folder: string;
let written = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote-local-folder-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (changes: Record<string, unknown> = {}): string => {
  const name = `model-${++written}`;
  writeTinyModel(join(folder, name), {}, changes);
  return name;
};
const read = (changes: Record<string, unknown> = {}): Promise<LocalFolder> => readLocalFolder(folder, write(changes));
const config = tinyFiles()['config.json'] as Record<string, unknown>;
const graph = tinyFiles()['onnx/model.onnx'];

describe("a model's folder", () => {
  it('is read as its files say', async () => {
    const prompts = { query: 'query: ', document: 'passage: ', passage: 'not this one' };
    const name = write({
      'config_sentence_transformers.json': { prompts, similarity_fn_name: 'dot' },
      'sentence_bert_config.json': { max_seq_length: 10, do_lower_case: true },
    });
    expect(await readLocalFolder(folder, name)).toMatchObject({
      path: join(folder, name),
      weights: ['onnx/model.onnx'],
      weightsBytes: (graph as Uint8Array).length,
      architecture: 'bert',
      dimensions: tinyDimensions,
      windowTokens: 10,
      pooling: 'mean',
      poolsPrefix: true,
      needsSentenceOutput: false,
      lowercase: true,
      prefixes: { query: 'query: ', document: 'passage: ' },
      similarity: 'dot',
      assumed: [],
    });
  });

  it('names what no file says', async () => {
    const found = await read({
      'config.json': { ...config, max_position_embeddings: undefined },
      'tokenizer_config.json': { model_max_length: 1e30 },
      '1_Pooling/config.json': undefined,
      'modules.json': undefined,
    });
    expect(found).toMatchObject({ pooling: 'mean', windowTokens: 512, prefixes: { query: '', document: '' } });
    expect(found.assumed.map((line) => line.split(':')[0])).toEqual(['pooling', 'window', 'prefixes']);
  });

  it('takes the smallest of the windows that its files know', async () => {
    const windowOf = async (changes: Record<string, unknown>): Promise<number> => (await read(changes)).windowTokens;
    expect(await windowOf({})).toBe(tinyWindow);
    expect(await windowOf({ 'sentence_bert_config.json': { max_seq_length: 384 } })).toBe(tinyWindow);
    expect(await windowOf({ 'tokenizer_config.json': { model_max_length: 7 } })).toBe(7);
    // RoBERTa counts its places from 2: a table of 514 rows is a window of 512.
    const roberta = { ...config, model_type: 'xlm-roberta', max_position_embeddings: 514 };
    expect(await windowOf({ 'config.json': roberta })).toBe(512);
  });

  it('falls back to the default prompt, as sentence-transformers does', async () => {
    const prompts = { prompts: { plain: 'text: ', query: 'ask: ' }, default_prompt_name: 'plain' };
    const { prefixes } = await read({ 'config_sentence_transformers.json': prompts });
    expect(prefixes).toEqual({ query: 'ask: ', document: 'text: ' });
  });

  it('prefers exact weights, takes what there is, and takes the data beside it', async () => {
    const weightsOf = async (files: readonly string[]): Promise<readonly string[]> =>
      (await read({ 'onnx/model.onnx': undefined, ...Object.fromEntries(files.map((file) => [file, graph])) })).weights;
    expect(await weightsOf(['onnx/model_quantized.onnx', 'onnx/model.onnx'])).toEqual(['onnx/model.onnx']);
    expect(await weightsOf(['onnx/model_int8.onnx', 'onnx/model_fp16.onnx'])).toEqual(['onnx/model_fp16.onnx']);
    expect(await weightsOf(['model.onnx'])).toEqual(['model.onnx']);
    expect(await weightsOf(['model_optimized.onnx'])).toEqual(['model_optimized.onnx']);
    expect(await weightsOf(['onnx/model.onnx', 'onnx/model.onnx_data'])).toEqual([
      'onnx/model.onnx',
      'onnx/model.onnx_data',
    ]);
  });

  const dense = [
    { type: 'a.Transformer' },
    { type: 'a.Pooling', path: '1_Pooling' },
    { type: 'a.Dense', path: '2_Dense' },
  ];
  it('knows of layers behind the pooling', async () => {
    const found = await read({ 'modules.json': dense, '2_Dense/config.json': { in_features: 8, out_features: 4 } });
    expect(found).toMatchObject({ needsSentenceOutput: true, dimensions: 4 });
  });

  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 90868376\n';
  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['no config.json', { 'config.json': undefined }, 'no-config', /Take all files/],
    ['no tokenizer', { 'tokenizer.json': undefined }, 'no-tokenizer', /no tokenizer\.json/],
    [
      'no settings of the tokenizer',
      { 'tokenizer_config.json': undefined },
      'no-tokenizer',
      /no tokenizer_config\.json/,
    ],
    ['no weights', { 'onnx/model.onnx': undefined }, 'no-weights', /optimum-cli export/],
    [
      'weights of another kind',
      { 'onnx/model.onnx': undefined, 'model.safetensors': 'x' },
      'no-weights',
      /only model\.safetensors/,
    ],
    ['a pointer in the place of weights', { 'onnx/model.onnx': pointer }, 'file-is-pointer', /git lfs pull/],
    ['a pointer in the place of a file', { 'tokenizer.json': pointer }, 'file-is-pointer', /git lfs pull/],
    ['half a file', { 'config.json': '{"hidden_size": 8' }, 'file-damaged', /config\.json is not valid JSON/],
    [
      'a classifier',
      { 'modules.json': undefined, 'config.json': { ...config, architectures: ['BertForSequenceClassification'] } },
      'not-embedding',
      /BertForSequenceClassification/,
    ],
    [
      'a model of images',
      { 'modules.json': [{ type: 'sentence_transformers.models.CLIPModel' }] },
      'architecture',
      /CLIPModel/,
    ],
    [
      'two poolings',
      { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true } },
      'pooling',
      /several/,
    ],
    [
      'unheard pooling',
      { '1_Pooling/config.json': { pooling_mode: 'attention' } },
      'pooling',
      /no pooling that is known/,
    ],
    [
      'no length of vectors',
      { 'config.json': { model_type: 'bert' }, '1_Pooling/config.json': undefined },
      'dimensions',
      /hidden_size/,
    ],
  ])('with %s is refused, and the message says what to do', async (_, changes, fault, message) => {
    const name = write(changes);
    const failure = await readLocalFolder(folder, name).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'config-invalid', details: { fault } });
    expect(String(failure)).toMatch(message);
    expect(String(failure)).toContain(name);
  });

  it.each([
    ['absent', 'no-folder'],
    ['a-file', 'no-folder'],
    ['../elsewhere', 'bad-name'],
    ['.', 'bad-name'],
  ])('that is %s is refused', async (name, fault) => {
    writeFileSync(join(folder, 'a-file'), '');
    await expect(readLocalFolder(folder, name)).rejects.toMatchObject({ code: 'config-invalid', details: { fault } });
  });

  it('has a fingerprint of its weights that follows every change', async () => {
    const name = write();
    const first = await fingerprintOf(await readLocalFolder(folder, name));
    expect(await fingerprintOf(await readLocalFolder(folder, name))).toBe(first);
    writeTinyModel(join(folder, name), { seed: 3 });
    const second = await fingerprintOf(await readLocalFolder(folder, name));
    expect(second).not.toBe(first);
    writeTinyModel(join(folder, name));
    expect(await fingerprintOf(await readLocalFolder(folder, name))).toBe(first);
    await expect(
      fingerprintOf({ ...(await readLocalFolder(folder, name)), weights: ['gone.onnx'] }),
    ).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

describe('what runs local models', () => {
  it('is found where it is installed, and asked for with the command that installs it', () => {
    expect(findOnnxRuntime()).toMatchObject({ version: expect.stringMatching(/^1\./u) });
    expect(() => findOnnxRuntime(join(folder, 'elsewhere/index.js'))).toThrow(
      expect.objectContaining({
        code: 'config-invalid',
        details: { fault: 'no-runtime' },
        message: expect.stringContaining(installCommand()),
      }),
    );
  });

  it('is installed in the versions that package.json pins', () => {
    const { optionalDependencies } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    );
    for (const [name, version] of Object.entries(optionalDependencies))
      expect(installCommand()).toContain(`${name}@${version}`);
  });
});

describe('pooling', () => {
  // Two texts of three places, two dimensions; the second text has one token less.
  const states = Float32Array.of(3, 0, 0, 4, 1, 1, 0, 2, 2, 2, 900, 900);
  const pool = (text: number, mask: number[], pooling: Parameters<typeof poolTokens>[1]['pooling']): number[] =>
    [...poolTokens({ states, length: 3, dimensions: 2 }, { text, mask, pooling })].map((value) =>
      Number(value.toFixed(6)),
    );
  const unit = (x: number, y: number): number[] => [x, y].map((value) => Number((value / Math.hypot(x, y)).toFixed(6)));

  it('takes the tokens of the text and of the mask only', () => {
    expect(pool(0, [1, 1, 1], 'mean')).toEqual(unit(4, 5));
    expect(pool(1, [1, 1, 0], 'mean')).toEqual(unit(2, 4));
    expect(pool(0, [0, 1, 1], 'mean')).toEqual(unit(1, 5));
    expect(pool(0, [0, 1, 1], 'cls')).toEqual(unit(0, 4));
    expect(pool(1, [1, 1, 0], 'last')).toEqual(unit(2, 2));
    expect(pool(1, [1, 1, 0], 'max')).toEqual(unit(2, 2));
    expect(pool(0, [1, 1, 1], 'weighted-mean')).toEqual(unit(3 + 3, 8 + 3));
    expect(pool(0, [0, 0, 0], 'max')).toEqual([0, 0]);
  });
});
