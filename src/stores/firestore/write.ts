// Chunks into a collection and out of it, in batches that happen whole or not at all. Invariant: what is new is written before what is old
// goes, and a batch that the service finds too large is sent as two.
import type { FootnoteError } from '../../core/errors.ts';
import type { ConcurrencyLimit } from '../../core/waiting/limit-concurrency.ts';
import { inHalves } from '../in-halves.ts';
import { commitOf } from './commit.ts';
import type { FirestoreConnection } from './connection.ts';
import type { Row } from './rows.ts';

export interface WritePlace {
  readonly connection: FirestoreConnection;
  /** Of the collection. */
  readonly name: string;
  /** Commits that are under way at once. */
  readonly lanes: ConcurrencyLimit;
}

export interface Writing {
  readonly rows: readonly Row[];
  /** Ids of rows. */
  readonly gone: readonly string[];
  /** Where vectors go. */
  readonly field: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const mostWrites = 500;
/** Less than the 10 MiB of the service: a slow line has to carry it in the time of a call. */
const mostBytes = 4_000_000;

type Part = readonly (Row | string)[];

export async function written(place: WritePlace, { rows, gone, field, signal }: Writing): Promise<void> {
  const { connection, name, lanes } = place;
  const batches: (Row | string)[][] = [];
  let bytes = 0;
  for (const one of [...rows, ...gone]) {
    const size = typeof one === 'string' ? 200 : one.bytes;
    const last = batches.at(-1);
    if (last && last.length < mostWrites && bytes + size <= mostBytes) last.push(one);
    else {
      batches.push([one]);
      bytes = 0;
    }
    bytes += size;
  }

  const collection = `${connection.root}/${name}`;
  const send = async (part: Part): Promise<readonly never[]> => {
    await lanes(() => connection.commit(commitOf(part, { collection, field }), signal), signal);
    return [];
  };
  const tooLarge = (_: Row | string, error: FootnoteError): never => {
    throw error;
  };
  /** Ends when all have ended: nothing is left under way. */
  const all = async (parts: readonly Part[]): Promise<void> => {
    const ended = await Promise.allSettled(parts.map((part) => inHalves(part, { send, tooLarge })));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  };

  const isNew = (part: Part): boolean => part.every((one) => typeof one !== 'string');
  await all(batches.filter(isNew));
  await all(batches.filter((part) => !isNew(part)));
}
