// A sentence encoder from a folder, all-MiniLM-L6-v2 where nothing else is named: it comes with Footnote, as an int8 graph (models/encoder).
// One text a run on one thread: int8 arithmetic scales by all that is in a run, so that a batch would change vectors, and be slower. Invariant:
// nothing is loaded before the first text, and a text alone decides its vector.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFootnoteError } from '../../core/errors.ts';
import { embedTexts } from '../local/embed-texts.ts';
import { type LocalFault, localFault } from '../local/files.ts';
import { embeddingKind } from '../local/model.ts';
import { type LocalPlace, openLocal } from '../local/open-local.ts';
import type { MatchWork } from '../local/protocol.ts';
import { longestTextCharacters } from '../local/runtime.ts';
import type { Encoder } from './encoder.ts';

export interface LocalEncoder extends Encoder {
  /** Of its vectors. */
  readonly dimensions: number;
  /** Loads the model, so that the first question does not wait for it. Throws like `encode`. */
  warm(): Promise<void>;
  /** Ends the process. Encoding afterwards throws `upstream-unavailable`. */
  close(): Promise<void>;
}

/** Where the encoder that comes with Footnote lies, from the sources as from the package. */
const bundledFolder = join(dirname(fileURLToPath(import.meta.url)), '../../../models');

/** It is given back where nobody asks for so long. */
const idleMs = 300_000;
/** A text of the whole window takes 25 ms; whoever waits has given up long before. */
const stepTimeoutMs = 10_000;
const loadTimeoutMs = 30_000;

/** Hashes the files; the model is loaded later. Throws `config-invalid` with its fault where it cannot be run here, `cancelled`, `storage-denied`. */
export async function openLocalEncoder(place: Partial<LocalPlace> = {}, signal?: AbortSignal): Promise<LocalEncoder> {
  const { folder, fingerprint, runtime, process } = await openLocal(
    { folder: bundledFolder, name: 'encoder', idleMs, stepTimeoutMs, loadTimeoutMs, ...place },
    embeddingKind({ batchTokens: 1, threads: 1 }),
    signal,
  ).catch((thrown: unknown) => {
    throw place.folder === undefined ? ofBundled(thrown) : thrown;
  });
  const { dimensions, prefixes } = folder;
  const cut = (text: string): string => text.slice(0, longestTextCharacters);
  const embed = async (texts: readonly string[], prefix: string, urgent: boolean, signal: AbortSignal | undefined) =>
    (await embedTexts(process, { texts: texts.map(cut), dimensions, prefix, urgent }, signal)).vectors;
  const matchBy =
    (by: MatchWork['by']): Encoder['match'] =>
    async (query, texts, signal) => {
      if (texts.length === 0) return [];
      const work = { kind: 'match', by, urgent: false, query: cut(query), texts: texts.map(cut) } as const;
      return [...(await process.run(work, signal)).vectors];
    };
  return {
    id: `${place.name ?? 'all-MiniLM-L6-v2'}@${fingerprint}/${runtime}`,
    languages: ['en'],
    dimensions,
    encode: (texts, signal) => embed(texts, prefixes.document, false, signal),
    async encodeQuery(query, signal) {
      const [vector = new Float32Array(dimensions)] = await embed([query], prefixes.query, true, signal);
      return vector;
    },
    match: matchBy('mean'),
    leastMatch: matchBy('least'),
    warm: () => process.warm(),
    close: () => process.close(),
  };
}

/** Nobody put these files there by hand: what is wrong with them is put right by installing them. */
function ofBundled(thrown: unknown): unknown {
  if (!isFootnoteError(thrown) || thrown.code !== 'config-invalid') return thrown;
  const fault = String(thrown.details?.['fault']);
  if (fault.includes('runtime')) return thrown;
  return localFault(
    fault as LocalFault,
    `The files of the sentence encoder that come with Footnote (models/encoder) are missing or damaged. Install Footnote again, or set ENCODER=off.`,
    thrown,
  );
}
