// What a run over a source goes by: what earlier runs learned of its files, which of them need not be read, and what is told of each.

import type { Source } from '../core/document.ts';
import type { IngestionFile } from '../core/documents/runs.ts';
import type { ContainerState, ReadItem, ReadingFailure } from '../db/repositories/readings.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import { faultOf, outcomeOf, type Progress } from './progress.ts';
import type { Passwords } from './read/passwords.ts';
import { type EditionOf, isOutdated, isReadAgain } from './read/reading-editions.ts';
import { containersOf } from './take/inside.ts';
import { failuresOf, mayOpenNow, readers } from './take/parking.ts';
import { isBad, type Known, type Taken, toldOfInside, type Watch } from './take/taking.ts';

interface ReadingWork {
  readonly record: TenantRecord;
  readonly source: Source;
  readonly reread?: boolean | undefined;
  readonly editionOf?: EditionOf | undefined;
  readonly passwords?: Passwords | undefined;
}

export interface KnownDocument {
  readonly id: string;
  readonly contentHash: string;
  readonly reading?: string;
}

/** What earlier runs learned of the files of the source, and what this one finds. */
export interface RunFacts {
  /** Recorded documents of the source by uri. */
  readonly known: ReadonlyMap<string, KnownDocument>;
  /** Files of the source that could not be read before. */
  readonly failures: readonly ReadingFailure[];
  /** Items as they were read last, by uri. */
  readonly items: ReadonlyMap<string, ReadItem>;
  /** Those that this run read and has not noted yet. */
  readonly newItems: ReadItem[];
  /** Files that held others when they were read last, by uri. */
  readonly containers: ReadonlyMap<string, ContainerState>;
  /** Those of them in which something is to be read again. */
  readonly again: ReadonlySet<string>;
  /** Uris of documents that an earlier edition of their reader read, or one that is not known, and no other since. */
  readonly earlier: Set<string>;
  /** Uris that the source still has. */
  readonly seen: Set<string>;
  /** Containers that did not change: what they brought stays. */
  readonly kept: Set<string>;
  /** Where documents of earlier uris stand now. */
  readonly moved: Map<string, string>;
  /** Uris of documents that their source asks not to keep. */
  readonly withdrawn: Set<string>;
  /** Paths that could not be looked at: what lies at or below them stays. */
  readonly unsure: Set<string>;
}

/** What the run knows: a file whose bytes are those that were read needs no look into the record. */
export function knownOf({ known, containers, again, seen, kept }: RunFacts, work: ReadingWork): Known {
  const isAgain = (uri: string): boolean => isReadAgain(known.get(uri)?.reading, work);
  const isKnown = (uri: string, contentHash: string): boolean => known.get(uri)?.contentHash === contentHash;
  /** Whether all that is in a file was taken when it had these bytes. */
  const isWhole = (uri: string, contentHash: string, state: ContainerState): boolean =>
    state.isComplete &&
    state.contentHash === contentHash &&
    state.readers === readers &&
    !work.reread &&
    !again.has(uri);
  return {
    mayHoldLines: known.size > 0,
    container: async (uri) => containers.get(uri),
    // The hash decides; whatever else is recorded may have been changed by hand.
    isSame: ({ uri, contentHash }, recorded) => recorded.uri === uri && recorded.contentHash === contentHash,
    skip({ uri, contentHash }, state) {
      seen.add(uri);
      if (isAgain(uri) || !(state ? isWhole(uri, contentHash, state) : isKnown(uri, contentHash))) return undefined;
      if (state) kept.add(uri);
      const documentId = known.get(uri)?.id;
      const id = documentId === undefined ? {} : { documentId };
      return { uri, contentHash, state: 'unchanged', ...id, isComplete: true };
    },
    hasLine({ uri, contentHash }) {
      seen.add(uri);
      return isKnown(uri, contentHash) && !isAgain(uri);
    },
  };
}

/** Counts and tells of what becomes of each file. */
export function watchOf({ earlier, seen, unsure }: RunFacts, progress: Progress): Watch {
  return {
    met: (uri) => void seen.add(uri),
    found: progress.found,
    async settled(taken) {
      if (isBad(taken)) unsure.add(taken.uri);
      await progress.report(toIngestionFile(taken));
    },
    written({ uri, chunkCount }) {
      earlier.delete(uri);
      progress.chunks(chunkCount);
    },
    cameOutTheSame: (uri) => void earlier.delete(uri),
    readAgain: progress.readAgain,
    unsure: (uri) => void unsure.add(uri),
  };
}

function toIngestionFile(taken: Taken): IngestionFile {
  const { uri, state, document, error, chunks = 0 } = taken;
  if (error && state !== 'done') return { uri, state, error: faultOf(error, uri) };
  const documentId = document?.id ?? taken.documentId;
  const file: IngestionFile =
    state === 'done' && document
      ? outcomeOf(document)
      : { uri, state, ...(documentId !== undefined && { documentId }), ...(chunks > 0 && { chunks }) };
  const warnings = [
    ...(file.warnings ?? []),
    ...(error ? [error.message] : []),
    ...(taken.warnings ?? []),
    ...toldOfInside(taken),
  ];
  return { ...file, ...(warnings.length > 0 && { warnings }) };
}

export async function factsOf(work: ReadingWork, known: RunFacts['known'], retry: boolean): Promise<RunFacts> {
  const { source, passwords } = work;
  const { readings } = work.record;
  const failures = await failuresOf(readings, source.name);
  const containers = new Map((await readings.containers(source.name)).map((state) => [state.uri, state]));
  const again = new Set<string>();
  const openAround = (uri: string): void => {
    for (const container of containersOf(uri, containers)) again.add(container);
  };
  for (const failure of failures) if (retry || mayOpenNow(failure, passwords)) openAround(failure.uri);
  const earlier = new Set<string>();
  for (const [uri, { contentHash, reading }] of known) {
    if (contentHash === 'damaged') openAround(uri);
    if (reading === undefined || isOutdated(reading, work.editionOf)) earlier.add(uri);
    if (isReadAgain(reading, work)) openAround(uri);
  }
  const items = new Map((await readings.items(source.name)).map((item) => [item.uri, item]));
  const found = {
    newItems: [],
    seen: new Set<string>(),
    kept: new Set<string>(),
    unsure: new Set<string>(),
    withdrawn: new Set<string>(),
    moved: new Map<string, string>(),
  };
  return { known, failures, items, containers, again, earlier, ...found };
}
