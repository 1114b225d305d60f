// One ONNX model with its tokenizer: texts to tokens, rows of tokens to the outputs of the graph. Only files of the model's folder are read,
// never the network. Invariant: what cannot be loaded or run is a fault that says what to do.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, OnnxValue, Tensor } from 'onnxruntime-node';
import { localFault } from './files.ts';
import { installCommand, optimizationLevel } from './onnx-runtime.ts';
import type { LocalSource } from './protocol.ts';

export interface TokenOptions {
  /** A second text: the tokens of both, as the model wants pairs. */
  readonly pair?: string;
  /** Without the special tokens around a text, and without those that stand in it. */
  readonly plain?: boolean;
}

/** Tokens of one text or pair. */
export interface TokenRow {
  readonly tokens: readonly number[];
  /** Where the second text begins, for models that tell the texts of a pair apart. */
  readonly secondFrom?: number | undefined;
}

export type Outputs = Readonly<Record<string, Tensor>>;

/** Longer texts are cut before they are tokenized: no window holds so much, and a megabyte takes a third of a second. */
export const longestTextCharacters = 20_000;

export interface LocalRuntime {
  tokensOf(text: string, options?: TokenOptions): readonly number[];
  /** One run; all rows are padded to `length`. */
  run(rows: readonly TokenRow[]): Promise<{ readonly outputs: Outputs; readonly length: number }>;
}

const messageOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 300);

async function loadRuntime() {
  try {
    const [onnx, tokenizers] = await Promise.all([import('onnxruntime-node'), import('@huggingface/tokenizers')]);
    return { onnx, tokenizers };
  } catch (cause) {
    throw localFault(
      'runtime-broken',
      `The packages that run local models cannot be loaded: ${messageOf(cause)} Install them again: ${installCommand()}`,
      cause,
    );
  }
}

interface Tokens {
  readonly tokenizer: Tokenizer;
  readonly padding: number;
  readonly special: ReadonlySet<number>;
}

async function loadTokenizer(create: typeof Tokenizer, folder: string): Promise<Tokens> {
  try {
    const read = async (name: string): Promise<Record<string, unknown>> =>
      JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, unknown>;
    const config = await read('tokenizer_config.json');
    const tokenizer = new create(await read('tokenizer.json'), config);
    const idOf = (name: string): number | undefined => {
      const token = config[name] as string | { readonly content?: string } | undefined;
      const content = typeof token === 'string' ? token : token?.content;
      return content === undefined ? undefined : tokenizer.token_to_id(content);
    };
    const unknown = idOf('unk_token');
    // A word that the model does not know is a word.
    const special = [...tokenizer.get_added_tokens_decoder().values()].filter(
      ({ id, special }) => special && id !== unknown,
    );
    return { tokenizer, padding: idOf('pad_token') ?? 0, special: new Set(special.map(({ id }) => id)) };
  } catch (cause) {
    throw localFault(
      'file-damaged',
      `tokenizer.json in ${folder} cannot be used: ${messageOf(cause)} Download tokenizer.json and tokenizer_config.json again.`,
      cause,
    );
  }
}

type Onnx = Awaited<ReturnType<typeof loadRuntime>>['onnx'];

async function loadModel(onnx: Onnx, { folder, graph, threads }: LocalSource): Promise<InferenceSession> {
  try {
    return await onnx.InferenceSession.create(join(folder, graph), {
      executionProviders: ['cpu'],
      graphOptimizationLevel: optimizationLevel,
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
    });
  } catch (cause) {
    throw localFault(
      'weights-damaged',
      `${folder}/${graph} cannot be loaded: ${messageOf(cause)} The file is damaged, incomplete, or of a newer kind than the installed onnxruntime-node reads. Download it again.`,
      cause,
    );
  }
}

/** Numbers of a tensor as 32-bit floats; half precision comes as Float16Array, or as its bits where there is no such array. */
export function toFloats({ type, data }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type === 'float16' && data instanceof Uint16Array)
    return Float32Array.from(new Float16Array(data.buffer, data.byteOffset, data.length));
  return Float32Array.from(data as ArrayLike<number>);
}

/** Throws `config-invalid` with the fault of what cannot be loaded. */
export async function openLocalRuntime(source: LocalSource): Promise<LocalRuntime> {
  const { folder, graph } = source;
  const { onnx, tokenizers } = await loadRuntime();
  const { tokenizer, padding, special } = await loadTokenizer(tokenizers.Tokenizer, folder);
  const session = await loadModel(onnx, source);

  return {
    tokensOf(text, { pair, plain = false } = {}) {
      const read = (one: string): string =>
        (source.lowercase ? one.toLowerCase() : one).slice(0, longestTextCharacters).toWellFormed();
      const tokens: readonly number[] = tokenizer.encode(read(text), {
        ...(pair !== undefined && { text_pair: read(pair) }),
        add_special_tokens: !plain,
      }).ids;
      return plain ? tokens.filter((token) => !special.has(token)) : tokens;
    },
    async run(rows) {
      const length = Math.max(...rows.map(({ tokens }) => tokens.length));
      const size = rows.length * length;
      const ids = new BigInt64Array(size).fill(BigInt(padding));
      const mask = new BigInt64Array(size);
      const types = new BigInt64Array(size);
      rows.forEach(({ tokens, secondFrom = tokens.length }, row) => {
        tokens.forEach((token, place) => {
          ids[row * length + place] = BigInt(token);
          mask[row * length + place] = 1n;
          if (place >= secondFrom) types[row * length + place] = 1n;
        });
      });
      const given: Readonly<Record<string, BigInt64Array>> = {
        input_ids: ids,
        attention_mask: mask,
        token_type_ids: types,
      };
      const missing = session.inputNames.filter((name) => !(name in given));
      if (missing.length > 0) throw noEncoder(missing);
      const inputs: Record<string, OnnxValue> = {};
      for (const name of session.inputNames) {
        const data = given[name];
        if (data) inputs[name] = new onnx.Tensor('int64', data, [rows.length, length]);
      }
      try {
        return { outputs: (await session.run(inputs)) as Outputs, length };
      } catch (cause) {
        throw localFault(
          'weights-damaged',
          `${folder}/${graph} failed on a text of ${length} tokens: ${messageOf(cause)} Its files may belong to different models: take all of them from one place.`,
          cause,
        );
      }
    },
  };

  function noEncoder(missing: readonly string[]) {
    return localFault(
      'architecture',
      `${folder}/${graph} asks for inputs that a text does not have (${missing.join(', ')}): it is no encoder of texts. Choose a model of the BERT family, exported for ${source.task === 'embed' ? 'feature extraction' : 'text classification'}.`,
    );
  }
}
