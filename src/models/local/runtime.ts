// One ONNX model with its tokenizer through transformers.js: texts to tokens, rows of tokens to the outputs of the graph. Only files
// of the model's folder are read, never the network. Invariant: what cannot be loaded or run is a fault that says what to do.
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path/posix';
import { localFault } from './files.ts';
import type { LocalSource } from './protocol.ts';

/** What is used of @huggingface/transformers 4; it is no dependency, so its own types cannot be imported. */
export interface Tensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}
interface Tokenizer {
  (
    text: string,
    options: { readonly return_tensor: false; readonly text_pair?: string; readonly add_special_tokens?: boolean },
  ): { readonly input_ids: readonly number[] };
  readonly pad_token_id?: number | null;
  readonly unk_token_id?: number | null;
  readonly all_special_ids?: readonly number[];
}
type Model = ((inputs: Readonly<Record<string, Tensor>>) => Promise<Readonly<Record<string, Tensor>>>) & {
  dispose(): Promise<unknown>;
};
interface Transformers {
  readonly env: Record<string, unknown>;
  readonly AutoTokenizer: { from_pretrained(folder: string, options: object): Promise<Tokenizer> };
  readonly AutoModel: { from_pretrained(folder: string, options: object): Promise<Model> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

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

export interface LocalRuntime {
  tokensOf(text: string, options?: TokenOptions): readonly number[];
  /** One run; all rows are padded to `length`. */
  run(rows: readonly TokenRow[]): Promise<{ readonly outputs: Outputs; readonly length: number }>;
  close(): Promise<void>;
}

const messageOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 300);

function loadPeer(path: string): Transformers {
  let peer: Transformers;
  try {
    peer = createRequire(import.meta.url)(path) as Transformers;
  } catch (cause) {
    throw localFault(
      'peer-broken',
      `The package in ${path} cannot be loaded: ${messageOf(cause)} Remove it and install it again; "footnote models" says how.`,
      cause,
    );
  }
  Object.assign(peer.env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    useBrowserCache: false,
    useFSCache: false,
    useWasmCache: false,
    // Nothing is logged: what goes wrong is thrown.
    logLevel: 50,
    fetch: () => Promise.reject(new Error('Models are never downloaded.')),
  });
  return peer;
}

async function loadTokenizer(peer: Transformers, folder: string): Promise<Tokenizer> {
  try {
    return await peer.AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  } catch (cause) {
    throw localFault(
      'file-damaged',
      `tokenizer.json in ${folder} cannot be used: ${messageOf(cause)} Download tokenizer.json and tokenizer_config.json again.`,
      cause,
    );
  }
}

async function loadModel(peer: Transformers, { folder, graph, threads }: LocalSource): Promise<Model> {
  try {
    return await peer.AutoModel.from_pretrained(folder, {
      local_files_only: true,
      device: 'cpu',
      // The file is named in full; `fp32` adds no ending to the name. What is inside may be of any precision.
      dtype: 'fp32',
      model_file_name: basename(graph, '.onnx'),
      subfolder: dirname(graph) === '.' ? '' : dirname(graph),
      // Every model of texts is one graph of tokens in and vectors out; which inputs it asks for is seen when it runs.
      config: { model_type: 'custom' },
      session_options: { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 4 },
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
  return Float32Array.from(data);
}

/** Throws `config-invalid` with the fault of what cannot be loaded. */
export async function openLocalRuntime(source: LocalSource): Promise<LocalRuntime> {
  const { folder, graph } = source;
  const peer = loadPeer(source.peer);
  const tokenizer = await loadTokenizer(peer, folder);
  const model = await loadModel(peer, source);
  const special = new Set(tokenizer.all_special_ids ?? []);
  // A word that the model does not know is a word.
  if (typeof tokenizer.unk_token_id === 'number') special.delete(tokenizer.unk_token_id);

  return {
    tokensOf(text, { pair, plain = false } = {}) {
      const { input_ids: tokens } = tokenizer(source.lowercase ? text.toLowerCase() : text, {
        return_tensor: false,
        ...(pair !== undefined && { text_pair: pair }),
        ...(plain && { add_special_tokens: false }),
      });
      return plain ? tokens.filter((token) => !special.has(token)) : tokens;
    },
    async run(rows) {
      const length = Math.max(...rows.map(({ tokens }) => tokens.length));
      const size = rows.length * length;
      const ids = new BigInt64Array(size).fill(BigInt(tokenizer.pad_token_id ?? 0));
      const mask = new BigInt64Array(size);
      const types = new BigInt64Array(size);
      rows.forEach(({ tokens, secondFrom = tokens.length }, row) => {
        tokens.forEach((token, place) => {
          ids[row * length + place] = BigInt(token);
          mask[row * length + place] = 1n;
          if (place >= secondFrom) types[row * length + place] = 1n;
        });
      });
      const tensor = (data: BigInt64Array): Tensor => new peer.Tensor('int64', data, [rows.length, length]);
      try {
        const outputs = await model({
          input_ids: tensor(ids),
          attention_mask: tensor(mask),
          token_type_ids: tensor(types),
        });
        return { outputs, length };
      } catch (cause) {
        throw toRunFault(cause, length);
      }
    },
    close: async () => {
      await model.dispose();
    },
  };

  function toRunFault(cause: unknown, length: number) {
    const missing = /Missing the following inputs: ([^".]+)/.exec(messageOf(cause))?.[1];
    if (missing !== undefined)
      return localFault(
        'architecture',
        `${folder}/${graph} asks for inputs that a text does not have (${missing}): it is no encoder of texts. Choose a model of the BERT family, exported for ${source.task === 'embed' ? 'feature extraction' : 'text classification'}.`,
        cause,
      );
    return localFault(
      'weights-damaged',
      `${folder}/${graph} failed on a text of ${length} tokens: ${messageOf(cause)} Its files may belong to different models: take all of them from one place.`,
      cause,
    );
  }
}
