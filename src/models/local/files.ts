// The files that every local model has — config.json, the tokenizer's, the ONNX graph — found, read and checked, whatever the model
// is for. Invariant: each way a folder can be wrong has a fault of its own, and the weights themselves are not read.
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';

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
  | 'not-reranker'
  | 'not-judge'
  | 'pooling'
  | 'dimensions'
  | 'not-a-number'
  | 'no-runtime'
  | 'runtime-platform'
  | 'runtime-broken';

/** A `config-invalid` that names the fault for programs. */
export function localFault(fault: LocalFault, message: string, cause?: unknown): FootnoteError {
  return new FootnoteError('config-invalid', message, {
    details: { fault },
    ...(cause !== undefined && { cause }),
  });
}

export type Json = Readonly<Record<string, unknown>>;

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

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : undefined;
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const asObject = (value: unknown): Json =>
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

async function findWeights(path: string, task: string): Promise<readonly [string, ...string[]]> {
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
      `Take the ONNX files of the model too, or export them: optimum-cli export onnx --task ${task} --model MODEL FOLDER.`,
  );
}

export interface LocalPurpose {
  /** Setting that names the model, for messages. */
  readonly setting: string;
  /** As optimum-cli names it. */
  readonly task: string;
}

export interface LocalFiles {
  /** Absolute path of the model's own folder. */
  readonly path: string;
  readonly name: string;
  /** Paths inside the folder, `/` between; the first is the ONNX file, the rest is data that it refers to. */
  readonly weights: readonly [string, ...string[]];
  readonly weightsBytes: number;
  /** Small files that decide what the model gives, as they are in the folder: all that `parsed` has found so far. */
  readonly settings: Readonly<Record<string, string>>;
  /** `bert`, `xlm-roberta`, …, as config.json says. */
  readonly architecture: string;
  /** Classes of its own code: `BertModel`, `BertForSequenceClassification`. */
  readonly classes: readonly string[];
  readonly config: Json;
  readonly tokenizerConfig: Json;
  /** Another JSON file of the folder; undefined where there is none. Throws `file-damaged`, `file-is-pointer`. */
  readonly parsed: (inside: string) => Promise<unknown>;
}

/** What is known of every model, whatever it is for. */
export interface LocalFacts extends Omit<LocalFiles, 'classes' | 'config' | 'tokenizerConfig' | 'parsed'> {
  /** Tokens of a text, or of a pair of texts, that are read, special ones counted; what follows is left out. */
  readonly windowTokens: number;
  readonly lowercase: boolean;
  /** What no file says, and what is taken instead: one sentence each. */
  readonly assumed: readonly string[];
}

/**
 * `folder` holds one folder for each model, `name` may have several parts (`BAAI/bge-small-en-v1.5`). Throws `config-invalid` with
 * `details.fault`.
 */
export async function openLocalFiles(folder: string, name: string, purpose: LocalPurpose): Promise<LocalFiles> {
  const { setting, task } = purpose;
  if (name.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..'))
    throw localFault('bad-name', `"${name}" is no name of a folder in ${folder}. Set ${setting} to onnx:NAME.`);
  const path = join(folder, name);
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isDirectory())
    throw localFault(
      'no-folder',
      `There is no folder ${path}. Put the model's files there, or set MODELS_FOLDER and ${setting} to where they are; "footnote models" lists what is found.`,
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
  const weights = await findWeights(path, task);
  let weightsBytes = 0;
  for (const inside of weights) {
    await refusePointer(join(path, inside), inside);
    weightsBytes += (await stat(join(path, inside))).size;
  }

  const root = asObject(config);
  const architecture = asText(root['model_type']) ?? '';
  const classes = Array.isArray(root['architectures']) ? root['architectures'].map(String) : [];
  return {
    path,
    name,
    weights,
    weightsBytes,
    settings,
    architecture,
    classes,
    config: root,
    tokenizerConfig: asObject(tokenizerConfig),
    parsed,
  };
}

/** `leastTokens` is the smallest window that can be meant. */
export async function factsOf(files: LocalFiles, leastTokens: number): Promise<LocalFacts> {
  const { classes: _, config: __, tokenizerConfig: ___, parsed: ____, ...facts } = files;
  const sentenceFile = asObject(await files.parsed('sentence_bert_config.json'));
  const window = windowOf(files, asNumber(sentenceFile['max_seq_length']));
  return {
    ...facts,
    windowTokens: Math.max(leastTokens, window ?? 512),
    lowercase: sentenceFile['do_lower_case'] === true,
    assumed: window === undefined ? ['window: 512 tokens, because no file says how many the model reads'] : [],
  };
}

/** Tokens that a model reads at most, special ones counted, as far as its files say; `longest` is what a file of its own may add. */
function windowOf({ config, tokenizerConfig, architecture }: LocalFiles, longest?: number): number | undefined {
  const places = asNumber(config['max_position_embeddings']);
  const limits = [
    longest ?? asNumber(tokenizerConfig['model_max_length']),
    places === undefined ? undefined : places - (offsetPlaces.test(architecture) ? 2 : 0),
  ].filter((limit) => limit !== undefined && limit < 1_000_000);
  return limits.length === 0 ? undefined : Math.min(...(limits as number[]));
}
