// Texts to vectors with one ONNX model through transformers.js: tokens, runs, pooling. Only files of the model's folder are read,
// never the network. Invariant: tokens are cut to the window with their closing token kept, padding changes no vector, and what
// is not a finite vector of the promised length is a fault, not a vector.
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path/posix';
import { localFault } from './local-folder.ts';
import { poolTokens, type TokenStates, toUnitLength } from './local-pooling.ts';
import type { LocalSetup } from './local-protocol.ts';

/** What is used of @huggingface/transformers 4; it is no dependency, so its own types cannot be imported. */
interface Tensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}
interface Tokenizer {
  (text: string, options: { readonly return_tensor: false }): { readonly input_ids: readonly number[] };
  readonly pad_token_id?: number | null;
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

export interface TokenizedText {
  readonly tokens: readonly number[];
  readonly truncated: boolean;
}

export interface LocalInference {
  tokenize(text: string): TokenizedText;
  /** Tokens that stand before every text with this prefix. */
  prefixTokens(prefix: string): number;
  /** One run; vectors of length 1 in the order of the texts. */
  run(texts: readonly (readonly number[])[], prefixTokens: number): Promise<readonly Float32Array[]>;
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

async function loadModel(peer: Transformers, { folder, graph, threads }: LocalSetup): Promise<Model> {
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
function toFloats({ type, data }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type === 'float16' && data instanceof Uint16Array)
    return Float32Array.from(new Float16Array(data.buffer, data.byteOffset, data.length));
  return Float32Array.from(data);
}

/** Throws `config-invalid` with the fault of what cannot be loaded. */
export async function openLocalInference(setup: LocalSetup): Promise<LocalInference> {
  const { folder, dimensions, windowTokens, pooling } = setup;
  const peer = loadPeer(setup.peer);
  const tokenizer = await loadTokenizer(peer, folder);
  const model = await loadModel(peer, setup);
  const tokensOf = (text: string): readonly number[] =>
    tokenizer(setup.lowercase ? text.toLowerCase() : text, { return_tensor: false }).input_ids;

  // Special tokens around every text, such as [CLS] and [SEP]: those of the empty text, parted where a word would stand.
  const around = tokensOf('');
  const word = tokensOf('a');
  let before = 0;
  while (before < around.length && around[before] === word[before]) before++;
  const closing = around.slice(before);

  function tokenize(text: string): TokenizedText {
    const tokens = tokensOf(text);
    if (tokens.length <= windowTokens) return { tokens, truncated: false };
    return { tokens: [...tokens.slice(0, windowTokens - closing.length), ...closing], truncated: true };
  }

  const notEmbedding = (what: string) =>
    localFault('not-embedding', `${folder}/${setup.graph} ${what}. Choose a sentence embedding model.`);

  /** What the outputs of a run are: pooled by the graph, or states of the tokens. */
  function readOutputs(outputs: Readonly<Record<string, Tensor>>, length: number): TokenStates | Float32Array {
    const names = Object.keys(outputs);
    const pooled = outputs['sentence_embedding'];
    const perToken =
      outputs['last_hidden_state'] ??
      outputs['token_embeddings'] ??
      Object.entries(outputs).find(
        ([name, { dims }]) => name !== 'logits' && dims.length === 3 && dims[1] === length,
      )?.[1];
    const wanted = setup.needsSentenceOutput ? pooled : (perToken ?? pooled);
    if (wanted === undefined && setup.needsSentenceOutput)
      throw localFault(
        'architecture',
        `${folder} has layers behind the pooling (modules.json) that its graph does not compute: it gives ${names.join(', ')}, not sentence_embedding. Export it with sentence-transformers, or choose a model without them.`,
      );
    if (wanted === undefined) throw notEmbedding(`gives ${names.join(', ')}, neither states of tokens nor a vector`);
    const width = wanted.dims.at(-1);
    if (width !== dimensions)
      throw localFault(
        'dimensions',
        `${folder}/${setup.graph} gives vectors of ${width} numbers, but the model's settings say ${dimensions}. The files belong to different models: take all of them from one place.`,
      );
    const floats = toFloats(wanted);
    return wanted === pooled ? floats : { states: floats, length, dimensions };
  }

  async function run(texts: readonly (readonly number[])[], prefixTokens: number): Promise<readonly Float32Array[]> {
    const length = Math.max(...texts.map((tokens) => tokens.length));
    const size = texts.length * length;
    const ids = new BigInt64Array(size).fill(BigInt(tokenizer.pad_token_id ?? 0));
    const mask = new BigInt64Array(size);
    texts.forEach((tokens, text) => {
      tokens.forEach((token, place) => {
        ids[text * length + place] = BigInt(token);
        mask[text * length + place] = 1n;
      });
    });
    const tensor = (data: BigInt64Array): Tensor => new peer.Tensor('int64', data, [texts.length, length]);
    let outputs: Readonly<Record<string, Tensor>>;
    try {
      outputs = await model({
        input_ids: tensor(ids),
        attention_mask: tensor(mask),
        token_type_ids: tensor(new BigInt64Array(size)),
      });
    } catch (cause) {
      const missing = /Missing the following inputs: ([^".]+)/.exec(messageOf(cause))?.[1];
      if (missing !== undefined)
        throw localFault(
          'architecture',
          `${folder}/${setup.graph} asks for inputs that a text does not have (${missing}): it is no encoder of texts. Choose a model of the BERT family, exported for feature extraction.`,
          cause,
        );
      throw localFault(
        'weights-damaged',
        `${folder}/${setup.graph} failed on a text of ${length} tokens: ${messageOf(cause)} Its files may belong to different models: take all of them from one place.`,
        cause,
      );
    }
    const read = readOutputs(outputs, length);
    return texts.map((tokens, text) => {
      const vector =
        read instanceof Float32Array
          ? toUnitLength(read.slice(text * dimensions, (text + 1) * dimensions))
          : poolTokens(read, {
              text,
              mask: tokens.map((_, place) => (place < prefixTokens ? 0 : 1)),
              pooling,
            });
      if (!vector.every((value) => Number.isFinite(value)))
        throw localFault(
          'not-a-number',
          `${folder}/${setup.graph} gave numbers that are not finite. Use another of the model's ONNX files; half precision often does this on a processor.`,
        );
      return vector;
    });
  }

  return {
    tokenize,
    prefixTokens: (prefix) =>
      setup.poolsPrefix || prefix === '' ? 0 : Math.max(0, tokensOf(prefix).length - closing.length),
    run,
    close: async () => {
      await model.dispose();
    },
  };
}
