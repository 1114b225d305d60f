// Opens a model from a local folder, whatever it is for: reads what the folder says, hashes the weights, and has a child process that loads
// them when the first text comes. Invariant: files that changed after they were hashed are never loaded, so one id stays one model.

import { availableParallelism } from 'node:os';
import { basename } from 'node:path/posix';
import { arch, platform } from 'node:process';
import { FootnoteError } from '../../core/errors.ts';
import { entryFile } from '../../threads/entry-file.ts';
import { createModelProcess, type ModelProcess, type ModelProcessOptions } from '../../threads/model-process.ts';
import type { LocalFacts } from './files.ts';
import { fingerprintOf } from './fingerprint.ts';
import { noteUse } from './lock.ts';
import { findOnnxRuntime, optimizationLevel } from './onnx-runtime.ts';
import type {
  EmbeddedTexts,
  LocalEmbedSetup,
  LocalModelFiles,
  LocalRerankSetup,
  LocalSetup,
  LocalWork,
} from './protocol.ts';

const childFile = entryFile('./local-child', import.meta.url);

export interface LocalPlace extends Omit<ModelProcessOptions, 'prepare' | 'entry'> {
  /** The child's file; tests give another one. */
  readonly entry?: URL;
  /** Folder of local models (MODELS_FOLDER). */
  readonly folder: string;
  /** The model's folder inside it. */
  readonly name: string;
}

/** What differs from one kind of model to another. */
export interface LocalKind<Folder> {
  /** Throws `config-invalid` with `details.fault`. */
  readonly read: (folder: string, name: string) => Promise<Folder>;
  readonly toSetup: (
    folder: Folder,
  ) => Omit<LocalEmbedSetup, keyof LocalModelFiles> | Omit<LocalRerankSetup, keyof LocalModelFiles>;
  readonly batchTokens: number;
  /** Processor threads that one run takes. Default: all but one. */
  readonly threads?: number;
  /** Said where the files have changed, behind what they are of. */
  readonly changed: string;
}

export interface OpenedLocal<Folder> {
  readonly folder: Folder;
  /** Of weights and settings. */
  readonly fingerprint: string;
  /** What runs it: version of the runtime, machine and level of optimisation, which its numbers depend on. */
  readonly runtime: string;
  readonly process: ModelProcess<LocalWork, EmbeddedTexts>;
}

/** Throws what reading throws, `config-invalid` where nothing here can run it, `cancelled`, `storage-denied`. */
export async function openLocal<Folder extends LocalFacts>(
  { folder: modelsFolder, name, ...processOptions }: LocalPlace,
  kind: LocalKind<Folder>,
  signal?: AbortSignal,
): Promise<OpenedLocal<Folder>> {
  const folder = await kind.read(modelsFolder, name);
  const fingerprint = await fingerprintOf(folder, signal);
  // Said before the first text comes, not with it.
  const { version } = findOnnxRuntime();

  async function prepare(): Promise<LocalSetup> {
    const present = await kind.read(modelsFolder, name);
    if ((await fingerprintOf(present)) !== fingerprint)
      throw new FootnoteError('conflict', `The files of ${folder.path} ${kind.changed}`);
    void noteUse(modelsFolder, name);
    const { path, windowTokens, lowercase } = present;
    const [graph] = present.weights;
    return {
      ...kind.toSetup(present),
      folder: path,
      graph,
      windowTokens,
      lowercase,
      ...loadOf(graph, kind.batchTokens),
      ...(kind.threads !== undefined && { threads: kind.threads }),
    };
  }
  const runtime = `onnxruntime-${version}-${platform}-${arch}-${optimizationLevel}`;
  return {
    folder,
    fingerprint,
    runtime,
    process: createModelProcess({ entry: childFile, ...processOptions, prepare }),
  };
}

/** Files of plain floating point numbers, as Optimum and sentence-transformers name them. */
const plainNumbers = /^model(_fp16|_bf16|_O[1-4])?\.onnx$/;

/** How much of the machine one run takes: tokens at once and processor threads. */
function loadOf(graph: string, batchTokens: number): Pick<LocalSetup, 'batchTokens' | 'threads'> {
  return {
    // Dynamic quantisation scales by the largest number of the whole run: what a text gives would depend on its neighbours.
    batchTokens: plainNumbers.test(basename(graph)) ? batchTokens : 1,
    // One processor stays free for the searches.
    threads: Math.max(1, Math.min(8, availableParallelism() - 1)),
  };
}
