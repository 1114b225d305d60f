// Decides, one document at a time per identity, whether something has to be done and under which id and revision:
// two callers that send the same source and uri at once get two revisions, never two documents.

import type { DocumentRecord } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { documentIdOf } from '../../core/ids.ts';
import { limitConcurrency } from '../../core/waiting/limit-concurrency.ts';
import { isSafeId } from '../chunk/names.ts';
import {
  type Identity,
  type IncomingDocument,
  type IncomingFileDocument,
  type Prepared,
  type PreparePorts,
  prepareDocument,
} from '../write/prepare.ts';
import { createParking } from './parking.ts';

/** Documents that are parsed and cut at the same time. */
const concurrency = 2;

/** The recorded revisions of documents, by uri. */
export type Present = ReadonlyMap<string, DocumentRecord>;

export interface Intake {
  /**
   * Runs `work` with the recorded revisions of the documents of one source; work on one identity is done in turn. `ready`
   * resolves when `work` said that it only waits for its write, or when it has ended.
   */
  begin<T>(
    incoming: readonly IncomingDocument[],
    work: (present: Present, queued: () => void) => Promise<T>,
  ): { readonly ready: Promise<void>; readonly done: Promise<T> };
  /** The identities that the documents get, in order. Must be called within `begin`. */
  identify(incoming: readonly IncomingDocument[], present: Present): Promise<readonly Identity[]>;
  /** Parses and cuts; throws at once for a file that is parked. Must be called within `begin`. */
  prepare(incoming: IncomingFileDocument, present: Present, options: PrepareOptions): Promise<Prepared>;
}

export interface PrepareOptions {
  /** Its bytes were counted when it was prepared under another identity. */
  readonly isCounted?: boolean;
  /** Default: that of the ports. */
  readonly countBytes?: PreparePorts['countBytes'];
  readonly signal: AbortSignal | undefined;
}

const keyOf = (incoming: IncomingDocument): string => `${incoming.source.name}\u0000${incoming.uri}`;

export function createIntake(ports: PreparePorts): Intake {
  const { documents, readings } = ports.record;
  const parking = createParking({ readings, clock: ports.clock });
  const turns = new Map<string, Promise<unknown>>();
  /** Ids of documents on their way into the record: by id, and by document. */
  const claimed = new Map<string, string>();
  const claims = new Map<string, string>();
  /** Ids under which damaged entries of the documents in hand stand, by document: they are replaced. */
  const damagedIds = new Map<string, string>();
  const limited = limitConcurrency(concurrency);

  const leave = (key: string): void => {
    const id = claims.get(key);
    if (id !== undefined && claimed.get(id) === key) claimed.delete(id);
    claims.delete(key);
  };

  /** Turns are claimed all at once, so that those who wait for each other's documents do so in one order. */
  async function inTurn<T>(incoming: readonly IncomingDocument[], work: () => Promise<T>): Promise<T> {
    const keys = incoming.map(keyOf);
    const before = [...new Set(keys.map((key) => turns.get(key)))].filter((turn) => turn !== undefined);
    const turn = Promise.allSettled(before).then(work);
    for (const key of keys) turns.set(key, turn);
    try {
      return await turn;
    } finally {
      for (const key of keys) {
        if (turns.get(key) === turn) turns.delete(key);
        leave(key);
        damagedIds.delete(key);
      }
    }
  }

  async function identify(incoming: readonly IncomingDocument[], present: Present): Promise<readonly Identity[]> {
    const wanted = incoming.flatMap(({ uri, wantedId }) =>
      wantedId !== undefined && !present.has(uri) && isSafeId(wantedId) ? [wantedId] : [],
    );
    const held = wanted.length === 0 ? new Set<string>() : await documents.knownIds(wanted);
    return incoming.map((document) => {
      const { source, uri, wantedId } = document;
      const recorded = present.get(uri);
      const isFree = wantedId !== undefined && isSafeId(wantedId) && !held.has(wantedId) && !claimed.has(wantedId);
      const key = keyOf(document);
      leave(key);
      const id = recorded?.id ?? damagedIds.get(key) ?? (isFree ? wantedId : documentIdOf(source.name, uri));
      claimed.set(id, key);
      claims.set(key, id);
      return { id, revision: (recorded?.revision ?? 0) + 1 };
    });
  }

  /** A document whose text or chunks are damaged counts as changed, whatever its bytes: then it is written anew. */
  async function findPresent(source: string, incoming: readonly IncomingDocument[]): Promise<Present> {
    const { sound, damaged } = await documents.findByUris(
      source,
      incoming.map(({ uri }) => uri),
    );
    const present = new Map(sound);
    for (const document of incoming) {
      const { uri, contentHash } = document;
      const damagedId = damaged.get(uri);
      if (damagedId !== undefined && isSafeId(damagedId)) damagedIds.set(keyOf(document), damagedId);
      const recorded = present.get(uri);
      if (recorded?.contentHash === contentHash && !(await documents.isSound(recorded.id)))
        present.set(uri, { ...recorded, contentHash: 'damaged' });
    }
    return present;
  }

  return {
    begin(incoming, work) {
      const ready = Promise.withResolvers<void>();
      const source = incoming[0]?.source.name ?? '';
      const done = inTurn(incoming, async () => {
        return work(await findPresent(source, incoming), ready.resolve);
      }).finally(ready.resolve);
      done.catch(() => undefined);
      return { ready: ready.promise, done };
    },
    identify,
    async prepare(incoming, present, { isCounted = false, countBytes = ports.countBytes, signal }) {
      const [identity] = await identify([incoming], present);
      const takeBack = isCounted ? undefined : await countBytes?.(incoming.bytes.byteLength);
      const prepared = limited(() => {
        if (signal?.aborted || identity === undefined)
          throw new FootnoteError('cancelled', 'The work was cancelled before it was done.', { cause: signal?.reason });
        return parking.attempt(incoming, (password) =>
          prepareDocument(ports, { ...incoming, ...(password !== undefined && { password }) }, identity, signal),
        );
      });
      if (takeBack) void prepared.then(({ route }) => route === 'document' || takeBack(), takeBack);
      return prepared;
    },
  };
}
