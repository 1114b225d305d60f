import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LocalModel, type LocalModelOptions, openLocalModel } from '../../../src/models/local/model.ts';
import { hasLocalRuntime } from '../local-runtime.ts';
import {
  computeTiny,
  type TinyShape,
  tinyDimensions,
  tinyFiles,
  tinyTokens,
  tinyWindow,
  toLengthOne,
  writeTinyModel,
} from '../local-tiny-model.ts';

const canRun = hasLocalRuntime();

/** The mean of the token outputs, of length 1: the model by hand. */
function meanOf(text: string, shape: TinyShape = {}): number[] {
  const rows = computeTiny(tinyTokens(text), shape);
  return toLengthOne(
    Array.from({ length: tinyDimensions }, (_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0)),
  );
}

const distance = (a: ArrayLike<number> | undefined, b: readonly number[]): number =>
  a?.length === b.length ? Math.max(...b.map((value, at) => Math.abs(value - (a[at] ?? Number.NaN)))) : Number.NaN;

const texts = ['the river flows to sea', 'a bank lends money', 'cats', 'Cats lend the zebra a river : a sea !'];

describe.skipIf(!canRun)('a model in a local folder', () => {
  let folder: string;
  const opened: LocalModel[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'footnote local models '));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((model) => model.close()));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let written = 0;
  const write = (shape: TinyShape = {}, changes: Record<string, unknown> = {}): string => {
    const name = `tiny-${++written}`;
    writeTinyModel(join(folder, name), shape, changes);
    return name;
  };
  const open = async (name: string, options: Partial<LocalModelOptions> = {}): Promise<LocalModel> => {
    const model = await openLocalModel({ folder, name, ...options });
    opened.push(model);
    return model;
  };
  const pooled = (flag: string) => ({
    '1_Pooling/config.json': {
      word_embedding_dimension: tinyDimensions,
      pooling_mode_mean_tokens: false,
      [flag]: true,
    },
  });

  it('gives the vectors that the same model has by hand', async () => {
    const model = await open(write());
    const vectors = await model.embed(texts, { kind: 'document' });
    expect(vectors).toHaveLength(texts.length);
    texts.forEach((text, at) => {
      expect(distance(vectors[at], meanOf(text))).toBeLessThan(1e-5);
    });
    // The vectors tell the texts apart: the comparison above is not one of equal things.
    expect(distance(vectors[0], meanOf('a bank lends money'))).toBeGreaterThan(0.05);
    expect(model.dimensions).toBe(tinyDimensions);
  });

  it('pools as the folder says', async () => {
    const text = 'the river flows to sea';
    const rows = computeTiny(tinyTokens(text));
    const columns = Array.from({ length: tinyDimensions }, (_, at) => at);
    const expected = {
      pooling_mode_cls_token: rows[0] ?? [],
      pooling_mode_lasttoken: rows.at(-1) ?? [],
      pooling_mode_max_tokens: columns.map((at) => Math.max(...rows.map((row) => row[at] ?? 0))),
      pooling_mode_weightedmean_tokens: columns.map((at) =>
        rows.reduce((sum, row, place) => sum + (place + 1) * (row[at] ?? 0), 0),
      ),
    };
    for (const [flag, vector] of Object.entries(expected)) {
      const model = await open(write({}, pooled(flag)));
      // A longer neighbour makes padding, which no pooling may see.
      const [alone] = await model.embed([text, `${text} the river flows to`], { kind: 'document' });
      expect([flag, distance(alone, toLengthOne(vector)) < 1e-5]).toEqual([flag, true]);
    }
  });

  it('puts the prefix of its settings before a query and before a document', async () => {
    const prompts = { 'config_sentence_transformers.json': { prompts: { query: 'query: ', passage: 'passage: ' } } };
    const model = await open(write({}, prompts));
    const [query] = await model.embed(['the river'], { kind: 'query' });
    const [document] = await model.embed(['the river'], { kind: 'document' });
    expect(distance(query, meanOf('query: the river'))).toBeLessThan(1e-5);
    expect(distance(document, meanOf('passage: the river'))).toBeLessThan(1e-5);
    expect(distance(query, meanOf('the river'))).toBeGreaterThan(0.01);
  });

  it('leaves the prefix out of the pooling where the settings say so', async () => {
    const model = await open(
      write(
        {},
        {
          'config_sentence_transformers.json': { prompts: { query: 'query: ' } },
          '1_Pooling/config.json': { pooling_mode_mean_tokens: true, include_prompt: false },
        },
      ),
    );
    const [query] = await model.embed(['the river'], { kind: 'query' });
    // [CLS] query : the river [SEP]: three tokens of the prefix take no part.
    const rows = computeTiny(tinyTokens('query: the river')).slice(3);
    const sum = Array.from({ length: tinyDimensions }, (_, at) =>
      rows.reduce((total, row) => total + (row[at] ?? 0), 0),
    );
    expect(distance(query, toLengthOne(sum))).toBeLessThan(1e-5);
  });

  it('cuts a text at the window, keeps its closing token, and counts it', async () => {
    const model = await open(write());
    const long = Array.from({ length: 40 }, (_, at) => texts[at % 3]).join(' ');
    const [vector, short] = await model.embed([long, 'cats'], { kind: 'document' });
    expect(tinyTokens(long)).toHaveLength(tinyWindow);
    expect(distance(vector, meanOf(long))).toBeLessThan(1e-5);
    expect(distance(short, meanOf('cats'))).toBeLessThan(1e-5);
    expect(model.usage()).toEqual({ texts: 2, truncated: 1 });
  });

  it('gives a text the same vector alone, among others, and in any order', async () => {
    const model = await open(write());
    const many = Array.from({ length: 150 }, (_, at) =>
      Array.from({ length: (at % 9) + 1 }, (__, n) => `${texts[(at + n) % 4]}`.split(' ')[n % 4]).join(' '),
    );
    const together = await model.embed(many, { kind: 'document' });
    for (const at of [0, 7, 8, 63, 64, 149]) expect(distance(together[at], meanOf(many[at] ?? ''))).toBeLessThan(1e-5);
    const lengths = together.map((vector) => Math.hypot(...vector));
    expect(Math.max(...lengths.map((length) => Math.abs(length - 1)))).toBeLessThan(1e-6);
  });

  it('knows nothing of an empty text', async () => {
    const model = await open(write());
    const vectors = await model.embed(['', 'cats', ' \n'], { kind: 'document' });
    expect(vectors.map((vector) => vector.some((value) => value !== 0))).toEqual([false, true, false]);
  });

  it('reads half precision, and vectors that the graph pools itself', async () => {
    const half = await open(write({ gives: 'half' }));
    expect(
      distance((await half.embed([texts[0] ?? ''], { kind: 'document' }))[0], meanOf(texts[0] ?? '')),
    ).toBeLessThan(2e-3);
    const sentence = await open(write({ gives: 'sentence' }));
    const [vector] = await sentence.embed([texts[0] ?? ''], { kind: 'document' });
    expect(distance(vector, meanOf(texts[0] ?? ''))).toBeLessThan(1e-5);
  });

  it('runs small weights one text at a time, so that neighbours change nothing', async () => {
    const { 'onnx/model.onnx': graph } = tinyFiles({ gives: 'neighbours' });
    const both = ['cats', 'the river flows to sea'];
    const vectorsOf = async (file: string) => {
      const model = await open(write({}, { 'onnx/model.onnx': undefined, [`onnx/${file}`]: graph }));
      const [alone] = await model.embed(['cats'], { kind: 'document' });
      const [among] = await model.embed(both, { kind: 'document' });
      return distance(among, [...(alone ?? [])]);
    };
    expect(await vectorsOf('model_quantized.onnx')).toBe(0);
    // The same graph in a batch: the neighbour shows.
    expect(await vectorsOf('model.onnx')).toBeGreaterThan(1e-4);
  });

  it('has another id for other weights, pooling, prefixes or tokens, and the same for a copy', async () => {
    const first = write();
    const { 'tokenizer.json': tokenizer } = tinyFiles();
    const others = [
      write({ seed: 2 }),
      write({}, pooled('pooling_mode_cls_token')),
      write({}, { 'config_sentence_transformers.json': { prompts: { query: 'query: ' } } }),
      write({}, { 'tokenizer.json': { ...(tokenizer as object), normalizer: null } }),
      write({}, { 'onnx/model.onnx_data': 'weights beside the graph' }),
    ];
    const ids = await Promise.all([first, ...others].map(async (name) => (await open(name)).id.split('@')[1]));
    expect(new Set(ids).size).toBe(ids.length);
    cpSync(join(folder, first), join(folder, 'copy'), { recursive: true });
    expect((await open('copy')).id).toBe(`local:copy@${ids[0]}`);
  });

  it('embeds nothing more once its files changed', async () => {
    const name = write();
    const model = await open(name);
    writeTinyModel(join(folder, name), { seed: 9 });
    await expect(model.embed(['cats'], { kind: 'query' })).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each<[string, TinyShape, Record<string, unknown>, string, RegExp]>([
    ['scores of classes', { gives: 'logits' }, {}, 'not-embedding', /gives logits/],
    ['an input that no text has', { gives: 'pixels' }, {}, 'architecture', /pixel_values/],
    ['vectors of another length', { width: 6 }, {}, 'dimensions', /6 numbers.* 8/],
    ['numbers that are none', { gives: 'not-a-number' }, {}, 'not-a-number', /not finite/],
    [
      'a layer that the graph lacks',
      {},
      {
        'modules.json': [
          { type: 'x.Transformer' },
          { type: 'x.Pooling', path: '1_Pooling' },
          { type: 'x.Dense', path: '2_Dense' },
        ],
      },
      'architecture',
      /sentence_embedding/,
    ],
    [
      'a file that is no graph',
      {},
      { 'onnx/model.onnx': 'not a graph' },
      'weights-damaged',
      /model\.onnx cannot be loaded/,
    ],
    [
      'a tokenizer of another kind',
      {},
      { 'tokenizer.json': { model: { type: 'Unheard' } } },
      'file-damaged',
      /tokenizer\.json/,
    ],
  ])('refuses %s, and says what to do', async (_, shape, changes, fault, message) => {
    const model = await open(write(shape, changes));
    const failure = await model.embed(['cats'], { kind: 'query' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'config-invalid', details: { fault } });
    expect(String(failure)).toMatch(message);
    expect(String(failure)).toMatch(/Choose|take all|Download|Export|Use another/);
  });

  it('refuses weights that end in the middle', async () => {
    const name = write();
    const { 'onnx/model.onnx': graph } = tinyFiles();
    writeFileSync(join(folder, name, 'onnx/model.onnx'), (graph as Uint8Array).subarray(0, 1500));
    const model = await open(name);
    await expect(model.embed(['cats'], { kind: 'query' })).rejects.toMatchObject({
      code: 'config-invalid',
      details: { fault: 'weights-damaged' },
    });
  });

  it('lets a query overtake the documents', async () => {
    const model = await open(write(), { batchTokens: 1 });
    const finished: string[] = [];
    const documents = model
      .embed(
        Array.from({ length: 600 }, (_, at) => texts[at % 4] ?? ''),
        { kind: 'document' },
      )
      .then(() => finished.push('documents'));
    const query = model.embed(['cats'], { kind: 'query' }).then(() => finished.push('query'));
    await Promise.all([documents, query]);
    expect(finished).toEqual(['query', 'documents']);
  });

  it('stops when it is told to, and goes on with the next', async () => {
    const name = write();
    const [model, other] = await Promise.all([open(name, { batchTokens: 1 }), open(name, { batchTokens: 1 })]);
    await Promise.all([model, other].map((one) => one.embed(['cats'], { kind: 'query' })));
    const documents = (count: number) => Array.from({ length: count }, () => texts[0] ?? '');
    const controller = new AbortController();
    const many = model.embed(documents(40_000), { kind: 'document', signal: controller.signal });
    const cancelled = expect(many).rejects.toMatchObject({ code: 'cancelled' });
    await model.embed(['cats'], { kind: 'query' });
    controller.abort();
    await cancelled;
    // What is asked next waits behind whatever is still being done, and would come after a quarter of the work elsewhere.
    const finished: string[] = [];
    await Promise.all([
      model.embed(['cats'], { kind: 'document' }).then(() => finished.push('next')),
      other.embed(documents(10_000), { kind: 'document' }).then(() => finished.push('elsewhere')),
    ]);
    expect(finished).toEqual(['next', 'elsewhere']);
    const [next] = await model.embed(['cats'], { kind: 'document' });
    expect(distance(next, meanOf('cats'))).toBeLessThan(1e-5);
    expect(model.usage().texts).toBe(4);
    await expect(model.embed(['cats'], { kind: 'query', signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('embeds nothing more once it is closed', async () => {
    const model = await open(write());
    await model.embed(['cats'], { kind: 'query' });
    await model.close();
    await expect(model.embed(['cats'], { kind: 'query' })).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });
});
