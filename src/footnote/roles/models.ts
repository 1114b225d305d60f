// What `footnote models` tells of search by meaning: the embedding model that is configured, what lies in the folder of local models, whether the
// package that runs them is there, and what to do. Reads files only; nothing is downloaded, loaded or changed until a trial.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { ModelBudget } from '../../core/budget.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type { FixedModel } from '../../models/embedding/semantics.ts';
import { fingerprintOf } from '../../models/local/fingerprint.ts';
import { type LocalFolder, readLocalFolder } from '../../models/local/folder.ts';
import { openLocalModel } from '../../models/local/model.ts';
import { findOnnxRuntime } from '../../models/local/onnx-runtime.ts';
import { type Provider, providerNeeds, providers } from '../../models/roles.ts';
import { type LanguageConfig, modelSettingsOf } from './language-models.ts';
import type { RoleTrial, TrialOutcome } from './role-trial.ts';

/** `provider`: the texts go to a service. */
type Source = 'corpus' | 'none' | 'local' | 'provider';

export interface FoundModel {
  /** As MODEL_EMBED names it behind `onnx:`. */
  readonly name: string;
  readonly usable: boolean;
  /** Of a usable one. */
  readonly facts?: Omit<LocalFolder, 'path' | 'name' | 'settings'>;
  /** Of one that is not: the fault for programs and the message for people. */
  readonly fault?: string;
  readonly message?: string;
  /** What an operator should know before taking it. */
  readonly notes: readonly string[];
}

export interface ModelsReport {
  readonly configured: {
    /** Value of MODEL_EMBED and where it was set. */
    readonly setting: string;
    readonly origin: string;
    readonly source: Source;
    readonly usable: boolean;
    readonly detail: string;
    /** Name of the vector space, of a usable local model. */
    readonly id?: string;
  };
  readonly folder: { readonly path: string; readonly exists: boolean };
  /** What runs local models; `detail` says what to do where it cannot. */
  readonly runtime: { readonly usable: boolean; readonly detail: string; readonly version?: string };
  readonly found: readonly FoundModel[];
  /** What to do next, in order. */
  readonly advice: readonly string[];
}

type ModelsConfig = LanguageConfig & Pick<Config, 'models' | 'chunking' | 'effective'>;

/** Folders that are looked into at most. */
const mostFolders = 200;
/** WordPiece and similar vocabularies cut texts finer than o200k_base, which chunks are measured in. */
const tokensOfChunk = 0.75;

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter(
      (entry) =>
        (entry.isDirectory() || entry.isSymbolicLink()) && !/^\.|^node_modules$|^runtime$|\.part$/.test(entry.name),
    )
    .map((entry) => entry.name)
    .sort();
}

/** Names of models: folders with a model's files, or folders of such folders (`BAAI/bge-small-en-v1.5`). */
async function modelNames(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of (await foldersIn(folder)).slice(0, mostFolders)) {
    const files = await readdir(join(folder, name)).catch(() => []);
    const inside = await foldersIn(join(folder, name)).catch((): string[] => []);
    // Language models are no folders of this kind.
    if (files.some((file) => file.endsWith('.gguf'))) continue;
    const isModel = inside.includes('onnx') || files.some((file) => /\.(json|onnx|safetensors|bin)$/.test(file));
    if (isModel || inside.length === 0) names.push(name);
    else names.push(...inside.map((one) => `${name}/${one}`));
  }
  return names.slice(0, mostFolders);
}

function notesOf(found: LocalFolder, chunkTokens: number): string[] {
  const notes = found.assumed.map((line) => `Assumed ${line}.`);
  if (found.windowTokens * tokensOfChunk < chunkTokens) {
    const fit = Math.max(50, Math.floor((found.windowTokens * tokensOfChunk) / 10) * 10);
    notes.push(
      `It reads ${found.windowTokens} tokens of a text; chunks may have ${chunkTokens}, and the rest of a longer one has no part in its vector. ` +
        `Set CHUNK_MAX_TOKENS to ${fit} and CHUNK_OVERLAP_TOKENS to at most half of that before documents are read.`,
    );
  }
  if (found.similarity !== undefined && found.similarity !== 'cosine')
    notes.push(
      `It was trained for ${found.similarity} similarity; here vectors have length 1 and are compared by cosine, which can cost some quality.`,
    );
  return notes;
}

async function examineFolder(folder: string, name: string, chunkTokens: number): Promise<FoundModel> {
  try {
    const found = await readLocalFolder(folder, name);
    const { path: _, name: __, settings: ___, ...facts } = found;
    return { name, usable: true, facts, notes: notesOf(found, chunkTokens) };
  } catch (thrown) {
    const { message, code, details } = toFootnoteError(thrown);
    const { fault } = details;
    return { name, usable: false, fault: typeof fault === 'string' ? fault : code, message, notes: [] };
  }
}

interface Configured {
  readonly source: Source;
  /** Of a local model; empty otherwise. */
  readonly name: string;
  readonly provider?: Provider;
}

function sourceOf(setting: string): Configured {
  if (setting === 'corpus' || setting === 'none') return { source: setting, name: '' };
  const provider = providers.find((one) => one !== 'onnx' && setting.startsWith(`${one}:`));
  if (provider) return { source: 'provider', name: '', provider };
  return { source: 'local', name: setting.replace(/^onnx:/, '') };
}

async function examineConfigured(
  config: ModelsConfig,
  { runtime, found }: Pick<ModelsReport, 'runtime' | 'found'>,
  signal?: AbortSignal,
): Promise<ModelsReport['configured']> {
  const { embed, folder } = config.models;
  const origin = config.effective.find(({ name }) => name === 'MODEL_EMBED')?.origin ?? 'default';
  const { source, name, provider } = sourceOf(embed);
  const shown = { setting: embed, origin, source };
  if (provider)
    return modelSettingsOf(config)[provider]
      ? { ...shown, usable: true, detail: 'Every passage and every question is sent to that provider.' }
      : { ...shown, usable: false, detail: `MODEL_EMBED: "${embed}" needs ${providerNeeds[provider]}.` };
  if (source === 'corpus')
    return {
      ...shown,
      usable: true,
      detail: 'Learned from the documents themselves, in the background. It needs no files and no package.',
    };
  if (source === 'none') return { ...shown, usable: true, detail: 'Search by meaning is switched off.' };
  const model =
    found.find((one) => one.name === name) ?? (await examineFolder(folder, name, config.chunking.maxTokens));
  if (!model.usable) return { ...shown, usable: false, detail: model.message ?? '' };
  if (!runtime.usable) return { ...shown, usable: false, detail: runtime.detail };
  const id = `local:${name}@${await fingerprintOf(await readLocalFolder(folder, name), signal)}`;
  return { ...shown, usable: true, detail: `From ${join(folder, name)}.`, id };
}

function runtimeHere(program?: string): ModelsReport['runtime'] {
  try {
    const { version } = findOnnxRuntime(program);
    return { usable: true, detail: `onnxruntime-node ${version}`, version };
  } catch (thrown) {
    return { usable: false, detail: toFootnoteError(thrown).message };
  }
}

export interface ExamineOptions {
  readonly signal?: AbortSignal;
  /** Where packages are looked for. Default: where this program looks for its own. */
  readonly program?: string;
}

/** Throws `cancelled`, and `storage-denied` where the folder of models may not be read. */
export async function examineModels(
  config: ModelsConfig,
  { signal, program }: ExamineOptions = {},
): Promise<ModelsReport> {
  const { folder } = config.models;
  const names = await modelNames(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw toFootnoteError(error);
  });
  const found: FoundModel[] = [];
  for (const name of names ?? []) {
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    found.push(await examineFolder(folder, name, config.chunking.maxTokens));
  }
  const runtime = runtimeHere(program);
  const configured = await examineConfigured(config, { runtime, found }, signal);
  const usable = found.filter((one) => one.usable);
  const settings = modelSettingsOf(config);
  const { openai } = settings;
  const wantsLocal = configured.source === 'local' || found.length > 0;
  const advice = [
    ...(wantsLocal && !runtime.usable && configured.detail !== runtime.detail ? [runtime.detail] : []),
    ...(usable.length === 0
      ? [
          `For a model of your own, put the files of a sentence embedding model with ONNX weights into ${join(folder, 'NAME')}; docs/embeddings.md says which files and from where. "footnote models get" shows some that can be fetched.`,
        ]
      : []),
    ...(configured.source !== 'local' && usable[0] && runtime.usable
      ? [
          `To use one of them, set MODEL_EMBED, for example to onnx:${usable[0].name}, and try it with "footnote models test".`,
        ]
      : []),
    ...(configured.source === 'corpus' && openai
      ? [
          'With the key of OpenAI, MODEL_EMBED could be openai:text-embedding-3-small: every passage would be sent there, and paid for.',
        ]
      : []),
    ...(config.models.isEmbedByKey
      ? ['MODEL_EMBED=corpus keeps passages here: nobody named the model, which follows from OPENAI_API_KEY.']
      : []),
  ];
  return { configured, folder: { path: folder, exists: names !== undefined }, runtime, found, advice };
}

/** An embedding model that was opened for a trial. */
export type OpenedEmbedding = FixedModel & {
  close(): Promise<void>;
};

export interface EmbedTrialOptions {
  readonly config: ModelsConfig;
  /** What is embedded, beside a document's sentence. */
  readonly text: string;
  readonly clock: Clock;
  /** Opens a provider's model, by the setting. */
  readonly openProvider: (setting: string, signal?: AbortSignal) => Promise<OpenedEmbedding>;
  /** Pays for what a provider embeds. */
  readonly budget?: ModelBudget;
}

/** A sentence of a document, which a question about leave is nearer to than to most. */
const sampleDocument = 'New employees have 28 days of leave in their first year.';

/** The trial of search by meaning; undefined where there is nothing to try: it is off, or its model is learned from documents. */
export function embedTrial(options: EmbedTrialOptions): RoleTrial | undefined {
  const { config, text, clock, openProvider, budget } = options;
  const { embed, folder } = config.models;
  const { source, name } = sourceOf(embed);
  if (source === 'none' || source === 'corpus') return undefined;

  const openLocal = async (signal?: AbortSignal): Promise<{ model: OpenedEmbedding; cut: () => string[] }> => {
    const model = await openLocalModel({ folder, name }, signal);
    const cut = (): string[] =>
      model.usage().truncated > 0
        ? [`A text is longer than its window of ${model.folder.windowTokens} tokens and was cut.`]
        : [];
    return { model, cut };
  };
  return {
    role: 'embed',
    model: embed,
    async run(signal): Promise<TrialOutcome> {
      const started = clock.elapsedMs();
      const { model, cut } =
        source === 'local' ? await openLocal(signal) : { model: await openProvider(embed, signal), cut: () => [] };
      try {
        const asked = { ...(signal && { signal }), ...(budget && { budget }) };
        await model.embed([text], { kind: 'query', ...asked });
        const firstMs = clock.elapsedMs() - started;
        const before = clock.elapsedMs();
        await model.embed([sampleDocument], { kind: 'document', ...asked });
        const nextMs = clock.elapsedMs() - before;
        const notes = cut();
        const taken = model.remote?.usage();
        return {
          served: model.id,
          detail: `embedded two texts in ${model.dimensions} dimensions: the first in ${firstMs.toFixed(0)} ms with loading, the next in ${nextMs.toFixed(1)} ms`,
          dimensions: model.dimensions,
          ...(taken && { usage: { inputTokens: taken.tokens, outputTokens: 0 } }),
          ...(taken?.costUsd !== undefined && { costUsd: taken.costUsd }),
          ...(notes.length > 0 && { notes }),
        };
      } finally {
        await model.close();
      }
    },
  };
}
