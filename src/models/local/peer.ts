// Finds transformers.js, which runs local models and which operators install themselves: 470 MB that most installations do not
// need. Looked up where this program is installed, then beside the models; never downloaded. Invariant: no code is run because of where
// somebody works: the folder of models is looked into only where the person who started the program named or confirmed it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { localFault } from './files.ts';

export const peerName = '@huggingface/transformers';
/** The version that was tested; others of the same major version are taken. */
const testedPeer = '4.3.1';

export interface LocalPeer {
  /** Folder of the package. */
  readonly path: string;
  readonly version: string;
}

/** How to install it into a folder of models: the variable keeps onnxruntime-node from looking for GPU files on the network. */
export function installCommand(modelsFolder: string): string {
  return `ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix ${quoted(modelsFolder)} ${peerName}@${testedPeer}`;
}

/** A path, as a shell takes it for one word. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** The package in one of the folders named `node_modules`; the first that has it wins. */
async function findPeer(folders: readonly string[]): Promise<LocalPeer | undefined> {
  for (const folder of folders) {
    const path = join(folder, peerName);
    const manifest = await readFile(join(path, 'package.json'), 'utf8').catch(() => undefined);
    if (manifest === undefined) continue;
    const { version } = JSON.parse(manifest) as { version?: unknown };
    return { path, version: String(version) };
  }
  return undefined;
}

export interface PeerPlaces {
  /** Folder of local models. */
  readonly modelsFolder: string;
  /** Whether whoever started the program wants code of that folder to be run. */
  readonly isConfirmed: boolean;
  /** Where this program looks for its own packages; tests give another file. */
  readonly program?: string;
}

/** Throws `config-invalid`: `no-peer` with the command that installs it, `peer-unconfirmed`, or `peer-version`. */
export async function findLocalPeer({ modelsFolder, isConfirmed, program }: PeerPlaces): Promise<LocalPeer> {
  const beside = [join(modelsFolder, 'node_modules')];
  const own = createRequire(program ?? import.meta.url).resolve.paths(peerName) ?? [];
  const peer = await findPeer(isConfirmed ? [...own, ...beside] : own);
  if (peer === undefined && !isConfirmed && (await findPeer(beside)))
    throw localFault(
      'peer-unconfirmed',
      `${peerName} stands in ${join(modelsFolder, 'node_modules')}, and running a local model runs its code. If you put it there, run "footnote models trust ${quoted(modelsFolder)}" once, or set MODELS_FOLDER in the environment; if not, do not use this folder.`,
    );
  const advice = `Install it with: ${installCommand(modelsFolder)}`;
  if (peer === undefined)
    throw localFault(
      'no-peer',
      `Local models need the package ${peerName}, which is neither installed with this program nor in ${join(modelsFolder, 'node_modules')}. ${advice}`,
    );
  const major = testedPeer.split('.')[0];
  if (peer.version.split('.')[0] !== major)
    throw localFault(
      'peer-version',
      `${peerName} ${peer.version} in ${dirname(dirname(peer.path))} is not of version ${major}. ${advice}`,
    );
  return peer;
}
