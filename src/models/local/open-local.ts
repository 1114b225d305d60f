// Opens a model from a local folder, whatever it is for: reads what the folder says, hashes the weights, and has a thread that loads
// them when the first text comes. Invariant: files that changed after they were hashed are never loaded, so one id stays one model.
import { FootnoteError } from '../../core/errors.ts';
import type { LocalFacts } from './files.ts';
import { fingerprintOf } from './fingerprint.ts';
import { loadOf } from './load.ts';
import { findLocalPeer, type PeerPlaces } from './peer.ts';
import type { LocalEmbedSetup, LocalModelFiles, LocalRerankSetup, LocalSetup } from './protocol.ts';
import { createLocalThread, type LocalThread, type LocalThreadOptions } from './thread.ts';

export interface LocalPlace extends Omit<LocalThreadOptions, 'prepare'> {
  /** Folder of local models (MODELS_FOLDER), which is also searched for the package that runs them. */
  readonly folder: string;
  /** The model's folder inside it. */
  readonly name: string;
  /** Whether code beside the models may be run. */
  readonly isConfirmed: boolean;
  readonly peerPlaces?: Pick<PeerPlaces, 'program'>;
}

/** What differs from one kind of model to another. */
export interface LocalKind<Folder> {
  /** Throws `config-invalid` with `details.fault`. */
  readonly read: (folder: string, name: string) => Promise<Folder>;
  readonly toSetup: (
    folder: Folder,
  ) => Omit<LocalEmbedSetup, keyof LocalModelFiles> | Omit<LocalRerankSetup, keyof LocalModelFiles>;
  readonly batchTokens: number;
  /** Said where the files have changed, behind what they are of. */
  readonly changed: string;
}

export interface OpenedLocal<Folder> {
  readonly folder: Folder;
  /** Of weights and settings. */
  readonly fingerprint: string;
  readonly thread: LocalThread;
}

/** Throws what reading throws, `config-invalid` where no package can run the model, `cancelled`, `storage-denied`. */
export async function openLocal<Folder extends LocalFacts>(
  { folder: modelsFolder, name, isConfirmed, peerPlaces, ...threadOptions }: LocalPlace,
  kind: LocalKind<Folder>,
  signal?: AbortSignal,
): Promise<OpenedLocal<Folder>> {
  const folder = await kind.read(modelsFolder, name);
  const fingerprint = await fingerprintOf(folder, signal);
  const findPeer = () => findLocalPeer({ modelsFolder, isConfirmed, ...peerPlaces });
  // Said before the first text comes, not with it.
  await findPeer();

  async function prepare(): Promise<LocalSetup> {
    const present = await kind.read(modelsFolder, name);
    if ((await fingerprintOf(present)) !== fingerprint)
      throw new FootnoteError('conflict', `The files of ${folder.path} ${kind.changed}`);
    const { path, windowTokens, lowercase } = present;
    const [graph] = present.weights;
    return {
      ...kind.toSetup(present),
      peer: (await findPeer()).path,
      folder: path,
      graph,
      windowTokens,
      lowercase,
      ...loadOf(graph, kind.batchTokens),
    };
  }
  return { folder, fingerprint, thread: createLocalThread({ ...threadOptions, prepare }) };
}
