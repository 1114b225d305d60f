// What `footnote models` tells: the embedding model that is configured, what lies in the folder of local models, whether the
// package that runs them is there, and what to do. Reads files only; nothing is downloaded, loaded or changed until a trial.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { isFootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import { fingerprintOf } from '../models/local-fingerprint.ts';
import { type LocalFolder, readLocalFolder } from '../models/local-folder.ts';
import { openLocalModel } from '../models/local-model.ts';
import { findLocalPeer, installCommand, type PeerPlaces } from '../models/local-peer.ts';

export interface FoundModel {
  /** As MODEL_EMBED names it behind `local:`. */
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
    readonly source: 'corpus' | 'none' | 'local';
    readonly usable: boolean;
    readonly detail: string;
    /** Name of the vector space, of a usable local model. */
    readonly id?: string;
  };
  readonly folder: { readonly path: string; readonly exists: boolean };
  readonly peer: { readonly usable: boolean; readonly detail: string; readonly version?: string };
  readonly found: readonly FoundModel[];
  /** What to do next, in order. */
  readonly advice: readonly string[];
}

export interface ModelTrial {
  readonly source: 'corpus' | 'none' | 'local';
  readonly detail: string;
  readonly id?: string;
  readonly dimensions?: number;
  /** Opening, loading and the first vector. */
  readonly firstMs?: number;
  /** One further vector: the median of five. */
  readonly nextMs?: number;
}

type ModelsConfig = Pick<Config, 'models' | 'chunking' | 'effective'>;
type Places = Omit<PeerPlaces, 'modelsFolder'>;

/** Folders that are looked into at most. */
const mostFolders = 200;
/** WordPiece and similar vocabularies cut texts finer than o200k_base, which chunks are measured in. */
const tokensOfChunk = 0.75;

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !/^\.|^node_modules$/.test(entry.name))
    .map((entry) => entry.name)
    .sort();
}

/** Names of models: folders with a model's files, or folders of such folders (`BAAI/bge-small-en-v1.5`). */
async function modelNames(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of (await foldersIn(folder)).slice(0, mostFolders)) {
    const files = await readdir(join(folder, name)).catch(() => []);
    const inside = await foldersIn(join(folder, name)).catch((): string[] => []);
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

function sourceOf(setting: string): { source: 'corpus' | 'none' | 'local'; name: string } {
  if (setting === 'corpus' || setting === 'none') return { source: setting, name: '' };
  return { source: 'local', name: setting.replace(/^local:/, '') };
}

async function examineConfigured(
  config: ModelsConfig,
  { peer, found }: Pick<ModelsReport, 'peer' | 'found'>,
  signal?: AbortSignal,
): Promise<ModelsReport['configured']> {
  const { embed, folder } = config.models;
  const origin = config.effective.find(({ name }) => name === 'MODEL_EMBED')?.origin ?? 'default';
  const { source, name } = sourceOf(embed);
  const shown = { setting: embed, origin, source };
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
  if (!peer.usable) return { ...shown, usable: false, detail: peer.detail };
  const id = `local:${name}@${await fingerprintOf(await readLocalFolder(folder, name), signal)}`;
  return { ...shown, usable: true, detail: `From ${join(folder, name)}.`, id };
}

/** Throws `cancelled`, and `storage-denied` where the folder of models may not be read. */
export async function examineModels(
  config: ModelsConfig,
  places: Places = {},
  signal?: AbortSignal,
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
  const peer = await findLocalPeer({ modelsFolder: folder, ...places }).then(
    ({ path, version }) => ({ usable: true, detail: path, version }),
    (error: unknown) => {
      if (isFootnoteError(error)) return { usable: false, detail: error.message };
      throw error;
    },
  );
  const configured = await examineConfigured(config, { peer, found }, signal);
  const usable = found.filter((one) => one.usable);
  const wantsLocal = configured.source === 'local' || found.length > 0;
  const advice = [
    ...(wantsLocal && !peer.usable && configured.detail !== peer.detail ? [`Run: ${installCommand(folder)}`] : []),
    ...(usable.length === 0
      ? [
          `For a model of your own, put the files of a sentence embedding model with ONNX weights into ${join(folder, 'NAME')}; docs/models.md says which files and from where. Nothing is downloaded by this program.`,
        ]
      : []),
    ...(configured.source !== 'local' && usable[0] && peer.usable
      ? [
          `To use one of them, set MODEL_EMBED, for example to local:${usable[0].name}, and try it with "footnote models test".`,
        ]
      : []),
  ];
  return { configured, folder: { path: folder, exists: names !== undefined }, peer, found, advice };
}

/**
 * Embeds a text with the configured model. A model that is learned from documents is only described. Throws what the model
 * throws: `config-invalid`, `upstream-unavailable`, `cancelled`.
 */
export async function tryModel(
  config: ModelsConfig,
  options: { readonly text: string; readonly clock: Clock; readonly places?: Places },
  signal?: AbortSignal,
): Promise<ModelTrial> {
  const { source, name } = sourceOf(config.models.embed);
  if (source === 'none') return { source, detail: 'Search by meaning is switched off (MODEL_EMBED=none).' };
  if (source === 'corpus')
    return {
      source,
      detail:
        'The model is learned from the documents: there is nothing to load. "footnote search --mode vector" tries it, and says what is still missing.',
    };
  const { text, clock, places } = options;
  const started = clock.elapsedMs();
  const model = await openLocalModel(
    { folder: config.models.folder, name, ...(places && { peerPlaces: places }) },
    signal,
  );
  try {
    const embed = () => model.embed([text], { kind: 'query', ...(signal && { signal }) });
    await embed();
    const firstMs = clock.elapsedMs() - started;
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const before = clock.elapsedMs();
      await embed();
      times.push(clock.elapsedMs() - before);
    }
    const cut =
      model.usage().truncated > 0
        ? ` The text is longer than its window of ${model.folder.windowTokens} tokens and was cut.`
        : '';
    return {
      source,
      detail: `It loads and embeds.${cut}`,
      id: model.id,
      dimensions: model.dimensions,
      firstMs,
      nextMs: times.sort((a, b) => a - b)[2] ?? 0,
    };
  } finally {
    await model.close();
  }
}
