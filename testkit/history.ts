// A history of transactions that is a function of its seed: what the writer child writes, and what the record must hold
// after the first n of them. The checker compares the whole state, so a half-visible transaction matches no n.
import { toFootnoteError } from '../src/core/errors.ts';
import { sha256 } from '../src/core/ids.ts';
import type { RecordChange } from '../src/db/repositories/changes.ts';
import type { StoreOutcome } from '../src/stores/delivered.ts';
import type { WrittenStore } from '../src/stores/embedded/port.ts';
import { deleteAll, putAll } from './record-changes.ts';
import { createWrite } from './record-fixture.ts';
import { dayOfRun, isLongRun } from './sample.ts';

export interface Random {
  /** Uniform in 0..1. */
  next(): number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
}

/** mulberry32: small, seeded, good enough to choose where to cut. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, below: (end) => Math.floor(next() * end) };
}

export type Operation =
  | { readonly kind: 'put'; readonly id: string; readonly text: string }
  | { readonly kind: 'delete'; readonly id: string };

const documents = 12;
const words = ['river', 'stone', 'Zürich', 'ledger', '東京', 'copper', 'orbit', 'fable', '\u{1F9EA}'];

/** Transaction `index` (from 0) of the history: one to three operations on documents whose ids start with `prefix`. */
export function transactionAt(seed: number, index: number, prefix = 'doc'): readonly Operation[] {
  const random = createRandom(seed * 1_000_003 + index);
  return Array.from({ length: 1 + random.below(3) }, (): Operation => {
    const id = `${prefix}_${random.below(documents)}`;
    if (random.next() < 0.2) return { kind: 'delete', id };
    const length = random.next() < 0.1 ? 3000 : 20 + random.below(400);
    const text = Array.from({ length }, () => words[random.below(words.length)]).join(' ');
    return { kind: 'put', id, text: `${index} ${text}` };
  });
}

/** Changes that write what the operations say, in the record and in a store within it where one is given. */
export function changesOf(operations: readonly Operation[], revision: number, store?: WrittenStore): RecordChange[] {
  return operations.flatMap((operation) => {
    const { id } = operation;
    if (operation.kind === 'delete') return deleteAll([id], store);
    return putAll([createWrite(operation.text, { id, uri: `${id}.md`, revision })], store);
  });
}

/** After each number of transactions, the text hash of each document. `states[0]` is empty. */
export function statesOf(seed: number, transactions: number, prefix = 'doc'): readonly ReadonlyMap<string, string>[] {
  const states: ReadonlyMap<string, string>[] = [new Map()];
  for (let index = 0; index < transactions; index += 1) {
    const state = new Map(states.at(-1));
    for (const operation of transactionAt(seed, index, prefix))
      if (operation.kind === 'delete') state.delete(operation.id);
      else state.set(operation.id, sha256(operation.text));
    states.push(state);
  }
  return states;
}

/** The same text for the same documents with the same hashes, in any order. */
export function toStateText(state: Iterable<readonly [id: string, textHash: string]>): string {
  return Array.from(state, ([id, textHash]) => `${id} ${textHash}`)
    .sort()
    .join('\n');
}

/** Delivers as the queue does, again where the machine was too busy to connect; all else that fails fails. */
export async function againUntilTaken(deliver: () => Promise<readonly (readonly StoreOutcome[])[]>): Promise<void> {
  const most = 5;
  for (let tries = 1; ; tries += 1)
    try {
      const error = (await deliver()).flat().find((outcome) => outcome.error)?.error;
      if (error) throw error;
      return;
    } catch (thrown) {
      if (tries === most || toFootnoteError(thrown).code !== 'upstream-unavailable') throw thrown;
    }
}

/** Days in which the short runs try all histories that the long one tries. */
const shares = 100;

/** Which of the first `all` histories a run tries, numbered from 1; other ones with each `FOOTNOTE_TEST_SEED`, no two of which share one. */
export function historiesOfRun(all = 10_000): { readonly first: number; readonly count: number } {
  const first = (Number(process.env['FOOTNOTE_TEST_SEED'] ?? 1) - 1) * 10_000 + 1;
  const count = isLongRun ? all : all / shares;
  return { first: isLongRun ? first : first + (dayOfRun % shares) * count, count };
}

/** Several histories at a time, numbered from `first`, each from its own seed: most of one is waiting for answers that do not come. */
export async function runHistories(
  { first, count }: { first: number; count: number },
  run: (seed: number) => Promise<void>,
): Promise<number> {
  const atOnce = 4;
  let next = first;
  let ended = 0;
  const lane = async (): Promise<void> => {
    for (let seed = next++; seed < first + count; seed = next++) {
      await run(seed);
      ended += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return ended;
}
