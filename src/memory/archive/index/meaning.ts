// What turns of a tenant's archive mean: their vectors are made in the background, the newest turns first, kept in the record, and asked for
// questions. Invariants: nothing waits for it but a question that comes while a few turns are left; without an encoder words alone are searched.
import { setTimeout } from 'node:timers/promises';
import type { ArchiveMessage } from '../../../core/archive.ts';
import type { ArchiveIndexRepository, ArchiveVectorsRow } from '../../../db/repositories/archive.ts';
import { type ArchiveIndex, roleBit } from './index.ts';
import { createTurnVectors, type Nearness, packVectors, type TurnVectors } from './turn-vectors.ts';

/** A sentence encoder as the archive takes it. */
export interface TurnEncoder {
  /** One id is one space of vectors. Throws where there is no encoder now. */
  id(): Promise<string>;
  /** In the order of the texts, of length 1. */
  encode(texts: readonly string[]): Promise<readonly Float32Array[]>;
  /** Undefined where it does not read the language, or gives no vector in time. */
  encodeQuery(query: string): Promise<Float32Array | undefined>;
}

export interface ArchiveMeaning {
  /** Goes on with turns that have no vector yet; whoever waits for it waits until all have one, or it cannot be gone on with. */
  fill(index: ArchiveIndex): Promise<void>;
  /** Undefined: nobody can say. */
  nearTo(index: ArchiveIndex, query: string, admits: (place: number) => boolean): Promise<Nearness | undefined>;
  /** Ends the background work. */
  close(): Promise<void>;
}

/** Turns that are encoded before they are kept. */
const together = 16;
const readTogether = 2_000;
/** Of a message so much is read: the encoder reads no more, and what is said first says what it is about. */
const readCharacters = 600;
const mostMessages = 4;
/** A question waits so long for turns that have no vector yet. */
const patienceMs = 400;

export function createArchiveMeaning(
  repository: Pick<ArchiveIndexRepository, 'vectorsAfter' | 'putVectors' | 'turnsAfter' | 'changes'>,
  encoder: TurnEncoder,
): ArchiveMeaning {
  let isClosed = false;
  let opened: Promise<{ readonly id: string; readonly vectors: TurnVectors }> | undefined;
  let openedFor: ArchiveIndex | undefined;
  let loaded: TurnVectors | undefined;
  let filling: Promise<void> | undefined;

  async function open(index: ArchiveIndex) {
    const id = await encoder.id();
    const [some = new Float32Array()] = await encoder.encode(['vector']);
    const vectors = createTurnVectors(some.length);
    for (let after = 0; ; ) {
      const rows = await repository.vectorsAfter(id, after, readTogether);
      for (const { row, bytes } of rows) {
        const place = index.placeOf(row);
        if (place !== -1 && bytes.length > 0) vectors.add(place, bytes);
      }
      const last = rows.at(-1);
      if (!last) return { id, vectors };
      after = last.row;
    }
  }

  /** An index that was opened anew has other places. */
  function current(index: ArchiveIndex) {
    if (openedFor === index && opened) return opened;
    openedFor = index;
    loaded = undefined;
    const one = open(index);
    opened = one;
    one.then(
      ({ vectors }) => {
        if (opened === one) loaded = vectors;
      },
      () => {
        if (opened === one) opened = undefined;
      },
    );
    return one;
  }

  async function fillAll(index: ArchiveIndex): Promise<void> {
    const { id, vectors } = await current(index);
    const { columns } = index;
    /** Places that are to be looked at, the newest behind. */
    const gaps: { readonly from: number; to: number }[] = [];
    for (let seen = 0; !isClosed && openedFor === index; ) {
      if (columns.size > seen) gaps.push({ from: seen, to: columns.size });
      seen = columns.size;
      const gap = gaps.at(-1);
      if (!gap) return;
      const first = Math.max(gap.from, gap.to - together);
      const missing = new Map<number, number>();
      for (let place = first; place < gap.to; place += 1)
        if ((columns.conversations[place] as number) !== 0 && !vectors.has(place))
          missing.set(columns.rows[place] as number, place);
      await encodePlaces(missing, { id, vectors });
      gap.to = first;
      if (gap.to === gap.from) gaps.pop();
    }
  }

  /** Places by their rows, ascending. */
  async function encodePlaces(
    places: Map<number, number>,
    { id, vectors }: { readonly id: string; readonly vectors: TurnVectors },
  ): Promise<void> {
    for (let [row] = places.keys(); row !== undefined; [row] = places.keys()) {
      // Another server may have made them.
      const kept = repository.changes ? await repository.vectorsAfter(id, row - 1, together) : [];
      for (const one of kept.filter(({ bytes }) => bytes.length > 0)) {
        const place = places.get(one.row);
        if (place !== undefined && places.delete(one.row)) vectors.add(place, one.bytes);
      }
      if (!places.has(row)) continue;
      const turns = await repository.turnsAfter(row - 1, together);
      const rows = await encodeTurns(turns.filter((turn) => places.has(turn.row)));
      await repository.putVectors(id, rows);
      for (const one of rows) vectors.add(places.get(one.row) as number, one.bytes);
      // Of a turn that is damaged, or gone meanwhile, nothing is made.
      const read = turns.at(-1)?.row ?? Number.POSITIVE_INFINITY;
      for (const [one, place] of places)
        if (one <= read) {
          vectors.add(place, new Uint8Array());
          places.delete(one);
        }
    }
  }

  async function encodeTurns(
    turns: readonly { readonly row: number; readonly messages: readonly ArchiveMessage[] }[],
  ): Promise<readonly ArchiveVectorsRow[]> {
    const told = turns.map(({ row, messages }) => ({ row, messages: messages.filter(isSaid).slice(0, mostMessages) }));
    const texts = told.flatMap(({ messages }) => messages.map(({ text }) => text.slice(0, readCharacters)));
    const vectors = [...(await encoder.encode(texts))];
    return told.map(({ row, messages }) => ({
      row,
      bytes: packVectors(
        messages.map(({ role }) => ({
          role: roleBit(role),
          vector: vectors.shift() ?? new Float32Array(),
        })),
      ),
    }));
  }

  const fill = (index: ArchiveIndex): Promise<void> => {
    filling ??= fillAll(index)
      .catch(() => undefined)
      .finally(() => {
        filling = undefined;
      });
    return filling;
  };

  return {
    fill,
    async nearTo(index, query, admits) {
      const vector = await encoder.encodeQuery(query).catch(() => undefined);
      if (!vector) return undefined;
      const waiting = new AbortController();
      const patience = setTimeout(patienceMs, undefined, { signal: waiting.signal }).catch(() => undefined);
      await Promise.race([fill(index), patience]);
      waiting.abort();
      return openedFor === index ? loaded?.nearTo(vector, index.columns.size, admits) : undefined;
    },
    async close() {
      isClosed = true;
      await filling;
    },
  };
}

const isSaid = ({ text }: ArchiveMessage): boolean => /[\p{L}\p{N}]/u.test(text);
