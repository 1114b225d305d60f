// A folder with an embedding model of the BERT layout, small enough to be computed by hand: written by the tests, never
// committed. Each token's output depends on its word, place, segment and, through a masked mean, on all other tokens, so a
// mistake in tokens, padding, mask or order shows in the numbers. `computeTiny` is the same model without ONNX.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type OnnxGraph, toOnnx } from './local-onnx-writer.ts';

export const tinyWindow = 12;
export const tinyDimensions = 8;

const words = 'query passage : the river flows to sea a bank lends money cat ##s s q';
const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...words.split(' ')];
const idOf = new Map(vocabulary.map((word, id) => [word, id]));
const [cls, sep, unknown] = [2, 3, 1];

/** Numbers in -0.5..0.5 from a seed (mulberry32), the same everywhere; larger ones would all end at 1 behind the tanh. */
function numbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  });
}

export interface TinyShape {
  /** Another seed makes other weights. */
  readonly seed?: number;
  /** Width of the vectors that the weights really give. */
  readonly width?: number;
  /**
   * What the graph gives: hidden states, the same in half precision, the same moved by the largest number of the whole run (as
   * dynamic quantisation lets neighbours move one another), pooled vectors, scores of classes (or none that are numbers), numbers that
   * are none; or it asks
   * for an input that no text has.
   */
  readonly gives?: 'hidden' | 'half' | 'neighbours' | 'sentence' | 'logits' | 'no-logits' | 'pixels' | 'not-a-number';
}

const weightsOf = ({ seed = 1, width = tinyDimensions }: TinyShape) => ({
  word: numbers(vocabulary.length * width, seed),
  // Row 0 is never used: places count from 1. A text longer than the window finds no row and fails.
  place: numbers((tinyWindow + 1) * width, seed + 1),
  segment: numbers(2 * width, seed + 2),
  own: numbers(width * width, seed + 3),
  context: numbers(width * width, seed + 4),
});

function tinyGraph(shape: TinyShape): OnnxGraph {
  const { width = tinyDimensions, gives = 'hidden' } = shape;
  const weights = weightsOf(shape);
  const tokens = { type: 'int64', dims: ['batch', 'length'] } as const;
  const hidden = { type: 'float', dims: ['batch', 'length', width] } as const;
  const outputs: Record<NonNullable<TinyShape['gives']>, OnnxGraph['outputs']> = {
    hidden: { last_hidden_state: hidden },
    half: { last_hidden_state: { ...hidden, type: 'float16' } },
    neighbours: { last_hidden_state: hidden },
    sentence: { sentence_embedding: { type: 'float', dims: ['batch', width] } },
    logits: { logits: { type: 'float', dims: ['batch', width] } },
    'no-logits': { logits: { type: 'float', dims: ['batch', width] } },
    pixels: { last_hidden_state: hidden },
    'not-a-number': { last_hidden_state: hidden },
  };
  return {
    inputs: {
      input_ids: tokens,
      attention_mask: tokens,
      token_type_ids: tokens,
      ...(gives === 'pixels' && { pixel_values: { type: 'float', dims: ['batch', 'length', width] } as const }),
    },
    outputs: outputs[gives],
    constants: {
      word: { dims: [vocabulary.length, width], data: weights.word },
      place: { dims: [tinyWindow + 1, width], data: weights.place },
      segment: { dims: [2, width], data: weights.segment },
      own: { dims: [width, width], data: weights.own },
      context: { dims: [width, width], data: weights.context },
      one: { dims: [], data: BigInt64Array.of(1n) },
      last: { dims: [1], data: BigInt64Array.of(2n) },
      middle: { dims: [1], data: BigInt64Array.of(1n) },
      zero: { dims: [1], data: Float32Array.of(0) },
    },
    nodes: [
      { op: 'Gather', inputs: ['word', 'input_ids'], output: 'words' },
      { op: 'CumSum', inputs: ['attention_mask', 'one'], output: 'places' },
      { op: 'Gather', inputs: ['place', 'places'], output: 'placed' },
      { op: 'Gather', inputs: ['segment', 'token_type_ids'], output: 'segments' },
      { op: 'Add', inputs: ['words', 'placed'], output: 'sum1' },
      { op: 'Add', inputs: ['sum1', 'segments'], output: 'sum2' },
      { op: 'Cast', inputs: ['attention_mask'], output: 'maskFlat', attributes: { to: 1 } },
      { op: 'Unsqueeze', inputs: ['maskFlat', 'last'], output: 'mask' },
      { op: 'Mul', inputs: ['sum2', 'mask'], output: 'masked' },
      { op: 'ReduceSum', inputs: ['masked', 'middle'], output: 'total', attributes: { keepdims: 1 } },
      { op: 'ReduceSum', inputs: ['mask', 'middle'], output: 'count', attributes: { keepdims: 1 } },
      { op: 'Div', inputs: ['total', 'count'], output: 'mean' },
      { op: 'MatMul', inputs: ['mean', 'context'], output: 'fromAll' },
      { op: 'MatMul', inputs: ['sum2', 'own'], output: 'fromOwn' },
      { op: 'Add', inputs: ['fromOwn', 'fromAll'], output: 'both' },
      ...(gives === 'hidden' || gives === 'pixels'
        ? [{ op: 'Tanh', inputs: ['both'], output: 'last_hidden_state' }]
        : [{ op: 'Tanh', inputs: ['both'], output: 'states' }]),
      ...(gives === 'neighbours'
        ? [
            { op: 'ReduceMax', inputs: ['states'], output: 'largest', attributes: { keepdims: 0 } },
            { op: 'Add', inputs: ['states', 'largest'], output: 'last_hidden_state' },
          ]
        : []),
      ...(gives === 'half'
        ? [{ op: 'Cast', inputs: ['states'], output: 'last_hidden_state', attributes: { to: 10 } }]
        : []),
      ...(gives === 'sentence' || gives === 'logits'
        ? [
            { op: 'Mul', inputs: ['states', 'mask'], output: 'kept' },
            {
              op: 'ReduceSum',
              inputs: ['kept', 'middle'],
              output: gives === 'logits' ? 'logits' : 'sentence_embedding',
              attributes: { keepdims: 0 },
            },
          ]
        : []),
      ...(gives === 'no-logits'
        ? [
            { op: 'ReduceSum', inputs: ['states', 'middle'], output: 'sum', attributes: { keepdims: 0 } },
            { op: 'Div', inputs: ['sum', 'zero'], output: 'logits' },
          ]
        : []),
      ...(gives === 'not-a-number' ? [{ op: 'Div', inputs: ['states', 'zero'], output: 'last_hidden_state' }] : []),
    ],
  };
}

const tokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: vocabulary.slice(0, 5).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
      { Sequence: { id: 'B', type_id: 1 } },
      { SpecialToken: { id: '[SEP]', type_id: 1 } },
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [cls], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [sep], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(idOf),
  },
};

/** The files of the folder by their paths; a JSON value stands for its text. */
export function tinyFiles(shape: TinyShape = {}): Record<string, unknown> {
  return {
    'config.json': {
      architectures: ['BertModel'],
      model_type: 'bert',
      hidden_size: tinyDimensions,
      max_position_embeddings: tinyWindow,
      num_hidden_layers: 1,
      num_attention_heads: 1,
      vocab_size: vocabulary.length,
    },
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      model_max_length: 512,
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      cls_token: '[CLS]',
      sep_token: '[SEP]',
      mask_token: '[MASK]',
    },
    'modules.json': [
      { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
      { idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.models.Normalize' },
    ],
    '1_Pooling/config.json': {
      word_embedding_dimension: tinyDimensions,
      pooling_mode_cls_token: false,
      pooling_mode_mean_tokens: true,
      pooling_mode_max_tokens: false,
    },
    'onnx/model.onnx': toOnnx(tinyGraph(shape)),
  };
}

/** What makes a cross-encoder of it: logits of one class, or of two. */
export const tinyRerankerFiles = (
  labels: 1 | 2 = 1,
  config: Record<string, unknown> = {},
): Record<string, unknown> => ({
  'config.json': {
    ...(tinyFiles()['config.json'] as Record<string, unknown>),
    architectures: ['BertForSequenceClassification'],
    id2label: Object.fromEntries(Array.from({ length: labels }, (_, label) => [label, `LABEL_${label}`])),
    ...config,
  },
  'modules.json': undefined,
  '1_Pooling/config.json': undefined,
});

/** Writes the folder; `changes` replace files of it, `undefined` leaves one out. */
export function writeTinyModel(folder: string, shape: TinyShape = {}, changes: Record<string, unknown> = {}): void {
  for (const [path, content] of Object.entries({ ...tinyFiles(shape), ...changes })) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      content instanceof Uint8Array || typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
}

/** The tokens of a text, cut to the window with the closing token kept, as BERT's own tokenizer cuts. */
export function tinyTokens(text: string): number[] {
  const pieces = (text.toLowerCase().match(/\w+|[^\w\s]/g) ?? []).flatMap((word) => {
    if (idOf.has(word)) return [idOf.get(word) ?? unknown];
    const stem = word.replace(/s$/, '');
    return stem !== word && idOf.has(stem) ? [idOf.get(stem) ?? unknown, idOf.get('##s') ?? unknown] : [unknown];
  });
  return [cls, ...pieces.slice(0, tinyWindow - 2), sep];
}

/** The output of each token; those from `secondFrom` on belong to the second text of a pair. */
export function computeTiny(
  tokens: readonly number[],
  shape: TinyShape = {},
  secondFrom: number = tokens.length,
): number[][] {
  const { width = tinyDimensions } = shape;
  const weights = weightsOf(shape);
  const at = (table: Float32Array, row: number, column: number): number => table[row * width + column] ?? Number.NaN;
  const columns = Array.from({ length: width }, (_, column) => column);
  const sums = tokens.map((id, place) =>
    columns.map(
      (column) =>
        at(weights.word, id, column) +
        at(weights.place, place + 1, column) +
        at(weights.segment, place < secondFrom ? 0 : 1, column),
    ),
  );
  const mean = columns.map((column) => sums.reduce((total, row) => total + (row[column] ?? 0), 0) / tokens.length);
  const times = (row: readonly number[], matrix: Float32Array): number[] =>
    columns.map((column) => row.reduce((total, value, index) => total + value * at(matrix, index, column), 0));
  const fromAll = times(mean, weights.context);
  return sums.map((row) => times(row, weights.own).map((value, column) => Math.tanh(value + (fromAll[column] ?? 0))));
}

export function toLengthOne(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
