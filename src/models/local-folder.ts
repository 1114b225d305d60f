// What a folder of a sentence embedding model says of itself: weights, tokens, pooling, prefixes, window, dimensions, read from
// the files that sentence-transformers and Optimum write (sbert.net "Creating Custom Models"). Invariant: nothing is guessed in
// silence — whatever no file says is named in `assumed` — and each way a folder can be wrong has a fault of its own.
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Pooling } from './local-pooling.ts';

export type LocalFault =
  | 'bad-name'
  | 'no-folder'
  | 'no-config'
  | 'no-tokenizer'
  | 'no-weights'
  | 'file-damaged'
  | 'file-is-pointer'
  | 'weights-damaged'
  | 'architecture'
  | 'not-embedding'
  | 'pooling'
  | 'dimensions'
  | 'not-a-number'
  | 'no-peer'
  | 'peer-version'
  | 'peer-broken';

/** A `config-invalid` that names the fault for programs. */
export function localFault(fault: LocalFault, message: string, cause?: unknown): FootnoteError {
  return new FootnoteError('config-invalid', message, {
    details: { fault },
    ...(cause !== undefined && { cause }),
  });
}

export interface LocalFolder {
  /** Absolute path of the model's own folder. */
  readonly path: string;
  readonly name: string;
  /** Paths inside the folder, `/` between; the first is the ONNX file, the rest is data that it refers to. */
  readonly weights: readonly [string, ...string[]];
  readonly weightsBytes: number;
  /** Small files that decide what a vector means, as they are in the folder. */
  readonly settings: Readonly<Record<string, string>>;
  /** `bert`, `xlm-roberta`, …, as config.json says. */
  readonly architecture: string;
  readonly dimensions: number;
  /** Tokens of a text that are read, special ones counted; what follows is left out. */
  readonly windowTokens: number;
  readonly pooling: Pooling;
  /** Whether the tokens of the prefix take part in pooling. */
  readonly poolsPrefix: boolean;
  /** Layers behind the pooling that only a graph with a `sentence_embedding` output computes. */
  readonly needsSentenceOutput: boolean;
  readonly lowercase: boolean;
  readonly prefixes: { readonly query: string; readonly document: string };
  /** Similarity that the model was trained for, where its files name one. */
  readonly similarity?: string;
  /** What no file says, and what is taken instead: one sentence each. */
  readonly assumed: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Preferred first: exact weights before small ones. Operators choose by keeping one file. */
const preferredWeights = [
  'model.onnx',
  'model_fp16.onnx',
  'model_quantized.onnx',
  'model_int8.onnx',
  'model_uint8.onnx',
  'model_q4.onnx',
];

/** Models whose places start behind the padding token's id, which costs two rows of the table (fairseq's RoBERTa). */
const offsetPlaces = /roberta|camembert|mpnet|longformer|xmod/;

const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : undefined;
const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

const pointerStart = 'version https://git-lfs.github.com/spec';

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(pointerStart.length), 0, pointerStart.length, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function refusePointer(path: string, inside: string): Promise<void> {
  if ((await startOf(path)) === pointerStart)
    throw localFault(
      'file-is-pointer',
      `${path} is a Git LFS pointer, not the file itself. Run "git lfs pull" where the model was cloned, or download ${inside} again.`,
    );
}

/** The text of a file, undefined where there is none. */
async function readIfThere(folder: string, inside: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, inside), 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw toFootnoteError(error);
  }
}

async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw toFootnoteError(error);
  }
}

async function findWeights(path: string): Promise<readonly [string, ...string[]]> {
  for (const place of ['onnx', '']) {
    const names = await listFolder(join(path, place));
    const graphs = names.filter((name) => name.endsWith('.onnx'));
    const chosen = preferredWeights.find((name) => graphs.includes(name)) ?? graphs[0];
    if (chosen === undefined) continue;
    const inside = (name: string): string => (place === '' ? name : `${place}/${name}`);
    // Weights over 2 GB stand beside the graph: model.onnx_data, model.onnx.data.
    const beside = names.filter((name) => name !== chosen && name.startsWith(chosen));
    return [inside(chosen), ...beside.map(inside)];
  }
  const others = (await listFolder(path)).filter((name) => /\.(safetensors|bin|pt|gguf|h5)$/.test(name));
  throw localFault(
    'no-weights',
    `${path} holds no ONNX file, neither onnx/model.onnx nor model.onnx${others.length > 0 ? `, only ${others.join(', ')}` : ''}. ` +
      'Take the ONNX files of the model too, or export them: optimum-cli export onnx --task feature-extraction --model MODEL FOLDER.',
  );
}

/** The last word of a module's type: `sentence_transformers.models.Pooling` is `Pooling`. */
const moduleKind = (module: Json): string => (asText(module['type']) ?? '').split('.').at(-1) ?? '';

function poolingOf(config: Json, place: string): Pooling {
  const byFlag: Readonly<Record<string, Pooling>> = {
    pooling_mode_cls_token: 'cls',
    pooling_mode_mean_tokens: 'mean',
    pooling_mode_max_tokens: 'max',
    // The square root of the length goes away when the vector is brought to length 1.
    pooling_mode_mean_sqrt_len_tokens: 'mean',
    pooling_mode_weightedmean_tokens: 'weighted-mean',
    pooling_mode_lasttoken: 'last',
  };
  const byName: Readonly<Record<string, Pooling>> = {
    cls: 'cls',
    mean: 'mean',
    max: 'max',
    mean_sqrt_len_tokens: 'mean',
    weightedmean: 'weighted-mean',
    lasttoken: 'last',
  };
  const named = config['pooling_mode'];
  const chosen =
    named === undefined
      ? Object.entries(byFlag).flatMap(([flag, pooling]) => (config[flag] === true ? [pooling] : []))
      : [named].flat().flatMap((name) => byName[asText(name) ?? ''] ?? []);
  const [first] = chosen;
  if (first === undefined || chosen.length > 1)
    throw localFault(
      'pooling',
      `${place} asks for ${first === undefined ? 'no pooling that is known here' : `several poolings at once (${chosen.join(', ')})`}. ` +
        'Use a model that takes one of cls, mean, max, weighted mean or last token.',
    );
  return first;
}

function prefixesOf(settings: Json): LocalFolder['prefixes'] {
  const prompts = asObject(settings['prompts']);
  // The names that encode_query and encode_document of sentence-transformers 5 look for, in their order.
  const fallback = prompts[asText(settings['default_prompt_name']) ?? ''];
  const first = (...names: string[]): string =>
    names.map((name) => asText(prompts[name])).find((prompt) => prompt !== undefined) ?? asText(fallback) ?? '';
  return { query: first('query'), document: first('document', 'passage', 'corpus') };
}

/**
 * Reads a model's folder: `folder` holds one folder for each model, `name` may have several parts (`BAAI/bge-small-en-v1.5`).
 * The weights are not read. Throws `config-invalid` with `details.fault`.
 */
export async function readLocalFolder(folder: string, name: string): Promise<LocalFolder> {
  if (name.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..'))
    throw localFault('bad-name', `"${name}" is no name of a folder in ${folder}. Set MODEL_EMBED to local:NAME.`);
  const path = join(folder, name);
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isDirectory())
    throw localFault(
      'no-folder',
      `There is no folder ${path}. Put the model's files there, or set MODELS_FOLDER and MODEL_EMBED to where they are; "footnote models" lists what is found.`,
    );

  const settings: Record<string, string> = {};
  const parsed = async (inside: string): Promise<unknown> => {
    const text = await readIfThere(path, inside);
    if (text === undefined) return undefined;
    settings[inside] = text;
    try {
      return JSON.parse(text);
    } catch (cause) {
      await refusePointer(join(path, inside), inside);
      throw localFault(
        'file-damaged',
        `${join(path, inside)} is not valid JSON (${(cause as Error).message}). Download it again.`,
        cause,
      );
    }
  };

  const config = await parsed('config.json');
  if (config === undefined)
    throw localFault('no-config', `${path} has no config.json. Take all files of the model, not only its weights.`);
  const tokenizer = await parsed('tokenizer.json');
  const tokenizerConfig = await parsed('tokenizer_config.json');
  if (tokenizer === undefined || tokenizerConfig === undefined)
    throw localFault(
      'no-tokenizer',
      `${path} has no ${tokenizer === undefined ? 'tokenizer.json' : 'tokenizer_config.json'}, without which texts cannot be cut into tokens. Take it from the model's page (a vocab.txt or sentencepiece file alone is not enough).`,
    );
  const weights = await findWeights(path);
  let weightsBytes = 0;
  for (const inside of weights) {
    await refusePointer(join(path, inside), inside);
    weightsBytes += (await stat(join(path, inside))).size;
  }

  const root = asObject(config);
  const architecture = asText(root['model_type']) ?? '';
  const classes = Array.isArray(root['architectures']) ? root['architectures'].map(String) : [];
  const modulesFile = await parsed('modules.json');
  const modules = Array.isArray(modulesFile) ? modulesFile.map(asObject) : [];
  const head = classes.find((one) =>
    /For(SequenceClassification|TokenClassification|QuestionAnswering|CausalLM)$/.test(one),
  );
  if (modules.length === 0 && head !== undefined)
    throw localFault(
      'not-embedding',
      `${path} is not an embedding model: config.json names ${head}, which gives classes or words, not vectors of texts. Choose a sentence embedding model.`,
    );
  if (modules.length > 0 && moduleKind(modules[0] ?? {}) !== 'Transformer')
    throw localFault(
      'architecture',
      `${path} starts with a ${moduleKind(modules[0] ?? {}) || 'module without a type'} (modules.json), not with a transformer. Choose a model of the BERT family: BERT, RoBERTa, MPNet, ModernBERT, …`,
    );

  const assumed: string[] = [];
  const folderOf = (kind: string, fallback: string): string => {
    const place = asText(modules.find((module) => moduleKind(module) === kind)?.['path']) ?? fallback;
    return /^[\w-]+$/.test(place) ? place : fallback;
  };
  const poolingPlace = `${folderOf('Pooling', '1_Pooling')}/config.json`;
  const poolingFile = await parsed(poolingPlace);
  const poolingConfig = asObject(poolingFile);
  if (poolingFile === undefined)
    assumed.push('pooling: the mean of all tokens, because there is no 1_Pooling/config.json');
  const further = modules.filter((module) => !['Transformer', 'Pooling', 'Normalize'].includes(moduleKind(module)));
  const lastLayer = further.at(-1);
  const denseConfig =
    lastLayer === undefined ? {} : asObject(await parsed(`${folderOf(moduleKind(lastLayer), '2_Dense')}/config.json`));

  const dimensions =
    asNumber(denseConfig['out_features']) ??
    asNumber(root['hidden_size']) ??
    asNumber(root['d_model']) ??
    asNumber(root['dim']) ??
    asNumber(poolingConfig['word_embedding_dimension']);
  if (dimensions === undefined)
    throw localFault(
      'dimensions',
      `config.json in ${path} does not say how long the vectors are (hidden_size). Take the config.json that belongs to the weights.`,
    );

  const sentenceFile = asObject(await parsed('sentence_bert_config.json'));
  const places = asNumber(root['max_position_embeddings']);
  const limits = [
    asNumber(sentenceFile['max_seq_length']) ?? asNumber(asObject(tokenizerConfig)['model_max_length']),
    places === undefined ? undefined : places - (offsetPlaces.test(architecture) ? 2 : 0),
  ].filter((limit) => limit !== undefined && limit < 1_000_000);
  if (limits.length === 0) assumed.push('window: 512 tokens, because no file says how many the model reads');
  const promptFile = asObject(await parsed('config_sentence_transformers.json'));
  if (settings['config_sentence_transformers.json'] === undefined)
    assumed.push('prefixes: none, because there is no config_sentence_transformers.json');
  const similarity = asText(promptFile['similarity_fn_name']);

  return {
    path,
    name,
    weights,
    weightsBytes,
    settings,
    architecture,
    dimensions,
    windowTokens: Math.max(3, Math.min(...(limits.length === 0 ? [512] : (limits as number[])))),
    pooling: poolingFile === undefined ? 'mean' : poolingOf(poolingConfig, join(path, poolingPlace)),
    poolsPrefix: poolingConfig['include_prompt'] !== false,
    needsSentenceOutput: further.length > 0,
    lowercase: sentenceFile['do_lower_case'] === true,
    prefixes: prefixesOf(promptFile),
    ...(similarity !== undefined && { similarity }),
    assumed,
  };
}
