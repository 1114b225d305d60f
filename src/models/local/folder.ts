// What a folder of a sentence embedding model says of itself: weights, tokens, pooling, prefixes, window, dimensions, read from
// the files that sentence-transformers and Optimum write (sbert.net "Creating Custom Models"). Invariant: nothing is guessed in
// silence — whatever no file says is named in `assumed` — and each way a folder can be wrong has a fault of its own.
import { join } from 'node:path';
import {
  asNumber,
  asObject,
  asText,
  factsOf,
  type Json,
  type LocalFacts,
  localFault,
  openLocalFiles,
} from './files.ts';
import type { Pooling } from './pooling.ts';

export interface LocalFolder extends LocalFacts {
  readonly dimensions: number;
  readonly pooling: Pooling;
  /** Whether the tokens of the prefix take part in pooling. */
  readonly poolsPrefix: boolean;
  /** Layers behind the pooling that only a graph with a `sentence_embedding` output computes. */
  readonly needsSentenceOutput: boolean;
  readonly prefixes: { readonly query: string; readonly document: string };
  /** Similarity that the model was trained for, where its files name one. */
  readonly similarity?: string;
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
  const files = await openLocalFiles(folder, name, { setting: 'MODEL_EMBED', task: 'feature-extraction' });
  const { path, config: root, classes, parsed, settings } = files;
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

  const facts = await factsOf(files, 3);
  assumed.push(...facts.assumed);
  const promptFile = asObject(await parsed('config_sentence_transformers.json'));
  if (settings['config_sentence_transformers.json'] === undefined)
    assumed.push('prefixes: none, because there is no config_sentence_transformers.json');
  const similarity = asText(promptFile['similarity_fn_name']);

  return {
    ...facts,
    dimensions,
    pooling: poolingFile === undefined ? 'mean' : poolingOf(poolingConfig, join(path, poolingPlace)),
    poolsPrefix: poolingConfig['include_prompt'] !== false,
    needsSentenceOutput: further.length > 0,
    prefixes: prefixesOf(promptFile),
    ...(similarity !== undefined && { similarity }),
    assumed,
  };
}
