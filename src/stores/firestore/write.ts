// Chunks into a collection and out of it, in batches that happen whole or not at all. Invariant: what is new is written before what is old
// goes, and a batch that the service finds too large is sent as two.
import type { DocumentData } from '@google-cloud/firestore';
import type { FootnoteError } from '../../core/errors.ts';
import { inHalves } from '../in-halves.ts';
import type { FirestoreConnection } from './connection.ts';
import type { Row } from './rows.ts';

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

export async function written(
  connection: FirestoreConnection,
  name: string,
  { rows, gone, field, signal }: Writing,
): Promise<void> {
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

  const send = async (part: Part): Promise<readonly never[]> => {
    await connection.write(async (collection, { FieldValue }) => {
      const into = collection(name);
      const batch = into.firestore.batch();
      for (const one of part)
        if (typeof one === 'string') batch.delete(into.doc(one));
        else {
          const near = field !== undefined && one.vector ? { [field]: FieldValue.vector([...one.vector]) } : {};
          batch.set(into.doc(one.id), { ...one.fields, ...near } as DocumentData);
        }
      await batch.commit();
    }, signal);
    return [];
  };
  const tooLarge = (_: Row | string, error: FootnoteError): never => {
    throw error;
  };

  for (const part of batches) await inHalves(part, { send, tooLarge });
}
