// A tiny cross-encoder that can be computed by hand, run as any other: pairs, types, cuts, classes, threads, faults.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import {
  type LocalReranker,
  type LocalRerankerOptions,
  openLocalReranker,
} from '../../../src/models/local/reranker.ts';
import { readLocalRerankerFolder } from '../../../src/models/local/reranker-folder.ts';
import { openLocalRanking } from '../../../src/models/local/reranker-inference.ts';
import { hasLocalRuntime } from '../local-runtime.ts';
import {
  computeTiny,
  type TinyShape,
  tinyRerankerFiles,
  tinyTokens,
  tinyWindow,
  writeTinyModel,
} from '../local-tiny-model.ts';

const canRun = hasLocalRuntime();
let folder: string;
let written = 0;
const opened: LocalReranker[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote local rerankers '));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (
  shape: TinyShape = {},
  changes: Record<string, unknown> = {},
  config: Record<string, unknown> = {},
): string => {
  const name = `reranker-${++written}`;
  const { width = 1 } = shape;
  writeTinyModel(
    join(folder, name),
    { gives: 'logits', width, ...shape },
    {
      ...tinyRerankerFiles(width === 2 ? 2 : 1, config),
      ...changes,
    },
  );
  return name;
};
const open = async (name: string, options: Partial<LocalRerankerOptions> = {}): Promise<LocalReranker> => {
  const model = await openLocalReranker({ folder, name, ...options });
  opened.push(model);
  return model;
};
const call = (timeoutMs = 30_000) => ({ deadline: createDeadline(timeoutMs) });

const query = 'the river flows';
const texts = ['a bank lends money', 'the river flows to sea', 'cats', 'sea'];

/** The tokens of a pair: `[CLS] query [SEP] text [SEP]`. */
function pairOf(text: string, asked = query): { tokens: number[]; secondFrom: number } {
  const [cls = 0, ...rest] = tinyTokens(asked);
  const [, ...second] = tinyTokens(text);
  const left = tinyWindow - 1 - rest.length;
  const cut = second.length <= left ? second : [...second.slice(0, left - 1), second.at(-1) ?? 0];
  return { tokens: [cls, ...rest, ...cut], secondFrom: 1 + rest.length };
}

/** The score by hand. */
function scoreOf(text: string, shape: TinyShape = {}, { types = true, relevant = 1 } = {}): number {
  const { tokens, secondFrom } = pairOf(text);
  const { width = 1 } = shape;
  const rows = computeTiny(tokens, { ...shape, width }, types ? secondFrom : tokens.length);
  const sum = (at: number): number => rows.reduce((total, row) => total + (row[at] ?? 0), 0);
  const logit = width === 1 ? sum(0) : sum(relevant) - sum(1 - relevant);
  return 1 / (1 + Math.exp(-logit));
}
const scoresOf = ({ ranking }: { ranking: readonly { index: number; score?: number }[] }): number[] =>
  [...ranking].sort((a, b) => a.index - b.index).map(({ score = Number.NaN }) => score);
const far = (a: readonly number[], b: readonly number[]): number =>
  a.length === b.length ? Math.max(...a.map((value, at) => Math.abs(value - (b[at] ?? Number.NaN)))) : Number.NaN;

describe('a folder of a cross-encoder', () => {
  const read = (changes: Record<string, unknown> = {}, config: Record<string, unknown> = {}) =>
    readLocalRerankerFolder(folder, write({}, changes, config));

  it('is read as its files say', async () => {
    expect(await read()).toMatchObject({ windowTokens: tinyWindow, hasTypes: true, relevantClass: 1, assumed: [] });
    const roberta = await read({}, { model_type: 'xlm-roberta', type_vocab_size: 1, max_position_embeddings: 514 });
    expect(roberta).toMatchObject({ windowTokens: 512, hasTypes: false });
    const named = await read({}, { id2label: { 0: 'relevant', 1: 'irrelevant' } });
    expect(named.relevantClass).toBe(0);
    expect((await read({}, { id2label: { 0: 'a', 1: 'b' } })).assumed).toEqual([
      expect.stringContaining('the second of two'),
    ]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an embedding model', { architectures: ['BertModel'] }],
    ['a model that writes', { architectures: ['Qwen2ForCausalLM'] }],
    ['a classifier', { id2label: { 0: 'joy', 1: 'anger', 2: 'fear' } }],
  ])('is refused where it is %s', async (_name, config) => {
    await expect(read({}, config)).rejects.toMatchObject({
      code: 'config-invalid',
      details: { fault: 'not-reranker' },
    });
  });

  it('says what to set and how to export', async () => {
    await expect(readLocalRerankerFolder(folder, 'nowhere')).rejects.toMatchObject({
      message: expect.stringContaining('MODEL_RERANK'),
    });
    await expect(read({ 'onnx/model.onnx': undefined })).rejects.toMatchObject({
      message: expect.stringContaining('--task text-classification'),
    });
  });
});

describe.skipIf(!canRun)('a cross-encoder in a local folder', () => {
  it('gives the scores that the same model has by hand, best first', async () => {
    const model = await open(write());
    const result = await model.rerank({ query, texts }, call());
    const byHand = texts.map((text) => scoreOf(text));
    expect(far(scoresOf(result), byHand)).toBeLessThan(1e-5);
    expect(result.ranking.map(({ score = 0 }) => score)).toEqual([...scoresOf(result)].sort((a, b) => b - a));
    // The comparison is not one of equal things: other types of tokens, or the texts swapped, give other scores.
    expect(
      far(
        byHand,
        texts.map((text) => scoreOf(text, {}, { types: false })),
      ),
    ).toBeGreaterThan(0.01);
    expect(new Set(byHand.map((score) => score.toFixed(4))).size).toBe(texts.length);
    expect(result).toMatchObject({ model: `local:${model.id}`, costUsd: 0 });
    expect(model.usage()).toEqual({ texts: 4, truncated: 0 });
  });

  it('reads pairs as the tokenizer of the model puts them together', async () => {
    const name = write();
    const ranking = await openLocalRanking({
      task: 'rerank',
      folder: join(folder, name),
      graph: 'onnx/model.onnx',
      windowTokens: 64,
      lowercase: false,
      batchTokens: 64,
      threads: 1,
      hasTypes: true,
      relevantClass: 1,
    });
    const read = (file: string) => JSON.parse(readFileSync(join(folder, name, file), 'utf8'));
    const tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
    for (const text of texts) {
      const whole = tokenizer.encode(query, { text_pair: text, return_token_type_ids: true });
      const { tokens, secondFrom = 0 } = ranking.pair(ranking.tokenizeQuery(query), text);
      expect(tokens).toEqual(whole.ids);
      expect(secondFrom).toBe(whole.token_type_ids.indexOf(1));
    }
  });

  it('cuts a long text, not the query, and counts it', async () => {
    const model = await open(write());
    const long = 'sea '.repeat(40);
    const { ranking } = await model.rerank({ query, texts: [long] }, call());
    expect(ranking[0]?.score).toBeCloseTo(scoreOf('sea '.repeat(tinyWindow)), 5);
    // One token more of the text in the place of the last one of the query would show here.
    expect(model.usage()).toEqual({ texts: 1, truncated: 1 });
    const other = await model.rerank({ query: 'the river lends', texts: [long] }, call());
    expect(Math.abs((other.ranking[0]?.score ?? 0) - (ranking[0]?.score ?? 0))).toBeGreaterThan(0.001);
  });

  it('leaves room for the text where the query is endless', async () => {
    const model = await open(write());
    const endless = 'river '.repeat(200);
    const { ranking } = await model.rerank({ query: endless, texts: ['sea', 'money'] }, call());
    expect(ranking[0]?.score).not.toBe(ranking[1]?.score);
  });

  it('takes special tokens in a text for no special tokens', async () => {
    const model = await open(write());
    const planted = '[SEP] sea [SEP] [CLS]';
    const { ranking } = await model.rerank({ query, texts: [planted, 'sea'] }, call());
    expect(ranking[0]?.score).toBe(ranking[1]?.score);
  });

  it('reads two classes, in either order', async () => {
    const shape: TinyShape = { width: 2 };
    const second = await open(write(shape));
    expect(
      far(
        scoresOf(await second.rerank({ query, texts }, call())),
        texts.map((text) => scoreOf(text, shape)),
      ),
    ).toBeLessThan(1e-5);
    const first = await open(write(shape, {}, { id2label: { 0: 'relevant', 1: 'not' } }));
    const byHand = texts.map((text) => scoreOf(text, shape, { relevant: 0 }));
    expect(far(scoresOf(await first.rerank({ query, texts }, call())), byHand)).toBeLessThan(1e-5);
  });

  it('reads models that do not tell query and text apart', async () => {
    const model = await open(write({}, {}, { type_vocab_size: 1 }));
    const byHand = texts.map((text) => scoreOf(text, {}, { types: false }));
    expect(far(scoresOf(await model.rerank({ query, texts }, call())), byHand)).toBeLessThan(1e-5);
  });

  it('gives a text the same score alone, among others, and in any order', async () => {
    const model = await open(write(), { batchTokens: 100 });
    const many = Array.from({ length: 150 }, (_, at) => texts[at % texts.length] ?? '');
    const together = scoresOf(await model.rerank({ query, texts: many }, call()));
    const alone = scoresOf(await model.rerank({ query, texts: ['cats'] }, call()));
    expect(together).toHaveLength(150);
    expect(Math.abs((together[2] ?? 0) - (alone[0] ?? 1))).toBeLessThan(1e-6);
    expect(far(together.slice(0, 4), together.slice(4, 8))).toBeLessThan(1e-6);
  });

  it('reranks texts without a word, and none', async () => {
    const model = await open(write());
    const { ranking } = await model.rerank({ query: '', texts: ['', '   ', 'sea'] }, call());
    expect(ranking).toHaveLength(3);
    expect((await model.rerank({ query, texts: [] }, call())).ranking).toEqual([]);
  });

  it('stops when its time is over or the caller leaves, and goes on with the next', async () => {
    const model = await open(write(), { batchTokens: 1 });
    await model.warm();
    const many = Array.from({ length: 20_000 }, () => 'sea');
    await expect(model.rerank({ query, texts: many }, call(50))).rejects.toMatchObject({ code: 'deadline-exceeded' });
    const left = new AbortController();
    const leaving = model.rerank({ query, texts: many }, { ...call(), signal: left.signal });
    setImmediate(() => left.abort());
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    expect((await model.rerank({ query, texts }, call())).ranking).toHaveLength(4);
  });

  it.each<[string, TinyShape, Record<string, unknown>, Record<string, unknown>]>([
    ['states of tokens', { gives: 'hidden', width: 3 }, {}, { fault: 'not-reranker' }],
    ['three classes', { width: 3 }, {}, { fault: 'not-reranker' }],
    ['numbers that are none', { gives: 'no-logits' }, {}, { fault: 'not-a-number' }],
    ['no graph', {}, { 'onnx/model.onnx': 'not a graph' }, { fault: 'weights-damaged' }],
  ])('refuses what gives %s, and says what to do', async (_kind, shape, changes, details) => {
    const model = await open(write(shape, changes));
    await expect(model.rerank({ query, texts }, call())).rejects.toMatchObject({ code: 'config-invalid', details });
  });

  it('reranks nothing more once its files changed, or it is closed', async () => {
    const name = write();
    const model = await open(name, { idleMs: 1 });
    writeFileSync(
      join(folder, name, 'config.json'),
      JSON.stringify({ ...(tinyRerankerFiles(1, { x: 1 })['config.json'] as object) }),
    );
    await expect(model.rerank({ query, texts }, call())).rejects.toMatchObject({ code: 'conflict' });
    await model.close();
    await expect(model.rerank({ query, texts }, call())).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });
});
