// Finds transformers.js, which runs local models and which operators install themselves: 470 MB that most installations do not
// need. Looked up where this program is installed, then beside the models, then in the working directory; never downloaded.
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
  const shown = /^[\w./-]+$/.test(modelsFolder) ? modelsFolder : `'${modelsFolder.replaceAll("'", "'\\''")}'`;
  return `ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix ${shown} ${peerName}@${testedPeer}`;
}

/** `places` are files or folders to resolve from, the first that has the package wins. */
async function findPeer(places: readonly string[]): Promise<LocalPeer | undefined> {
  for (const place of places) {
    for (const parent of createRequire(place).resolve.paths(peerName) ?? []) {
      const path = join(parent, peerName);
      const manifest = await readFile(join(path, 'package.json'), 'utf8').catch(() => undefined);
      if (manifest === undefined) continue;
      const { version } = JSON.parse(manifest) as { version?: unknown };
      return { path, version: String(version) };
    }
  }
  return undefined;
}

export interface PeerPlaces {
  /** Folder of local models. */
  readonly modelsFolder: string;
  /** Default: the working directory. */
  readonly workingFolder?: string;
  /** Where this program looks for its own packages; tests give another file. */
  readonly program?: string;
}

/** Throws `config-invalid`: `no-peer` with the command that installs it, or `peer-version`. */
export async function findLocalPeer({ modelsFolder, workingFolder, program }: PeerPlaces): Promise<LocalPeer> {
  const peer = await findPeer([
    program ?? import.meta.url,
    join(modelsFolder, 'package.json'),
    join(workingFolder ?? process.cwd(), 'package.json'),
  ]);
  const advice = `Install it with: ${installCommand(modelsFolder)}`;
  if (peer === undefined)
    throw localFault(
      'no-peer',
      `Local models need the package ${peerName}, which is neither installed with this program, nor in ${join(modelsFolder, 'node_modules')}, nor in the working directory. ${advice}`,
    );
  const major = testedPeer.split('.')[0];
  if (peer.version.split('.')[0] !== major)
    throw localFault(
      'peer-version',
      `${peerName} ${peer.version} in ${dirname(dirname(peer.path))} is not of version ${major}. ${advice}`,
    );
  return peer;
}
