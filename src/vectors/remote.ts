// Documents through a model that somebody else runs: several calls under way at once, the next batches read meanwhile, and no text
// paid for twice. Invariant: a call that was answered is durable before its lane takes another, so a kill costs what was under way.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelBudget } from '../core/budget.ts';
import { sha256 } from '../core/ids.ts';
import { limitConcurrency } from '../core/waiting/limit-concurrency.ts';
import type { FixedModel } from '../models/embedding/semantics.ts';
import type { ReadChunkTexts, RememberedText, VectorKeeping } from './ports.ts';
import { assertVectors, type EmbeddingTarget, readBatch } from './target.ts';

type RemoteModel = FixedModel & { readonly remote: NonNullable<FixedModel['remote']> };

export interface RemoteTargetOptions {
  /** What the settings call the model. */
  readonly name: string;
  readonly readTexts: ReadChunkTexts;
  readonly spaces: VectorKeeping;
  /** What embedding documents may cost. */
  readonly budget?: ModelBudget | undefined;
}

interface Made {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Those that were not there before. */
  readonly fresh: readonly RememberedText[];
  /** After the fresh ones were written, or could not be. */
  done(): void;
}

/** Half of a SHA-256 as hex: the name by which a text's vector is remembered. */
export const textHashOf = (text: string): string => sha256(text).slice(0, 32);

/** Batches that are read while as many wait for their vectors. */
const readAhead = 2;
/** Far below the time of a call. */
const gatherMs = 3;

export function remoteTarget(
  model: RemoteModel,
  { name, readTexts, spaces, budget }: RemoteTargetOptions,
): EmbeddingTarget {
  const { id, dimensions, metric, remote } = model;
  const { textsPerCall, callsAtOnce } = remote;
  const lanes = limitConcurrency(callsAtOnce);
  /** Texts that some call is about and that are not written yet. */
  const pending = new Map<string, Promise<Float32Array>>();

  let gathering: Promise<void> | undefined;
  /** Where commits are slow, answers wait for each other: one commit for all lanes instead of one for each. */
  function gathered(): Promise<void> {
    gathering ??= sleep(gatherMs).finally(() => {
      gathering = undefined;
    });
    return gathering;
  }

  async function make(texts: ReadonlyMap<string, string>, signal: AbortSignal): Promise<Made> {
    const vectors = new Map<string, Float32Array>();
    const awaited = new Map<string, Promise<Float32Array>>();
    const look = (hash: string): boolean => {
      const one = pending.get(hash);
      if (one) awaited.set(hash, one);
      return one !== undefined;
    };
    // Looked for before the memo is asked: between the two nothing can be written.
    const rest = [...texts.keys()].filter((hash) => !look(hash));
    for (const [hash, vector] of await spaces.recall(id, rest)) vectors.set(hash, vector);
    const own = rest.filter((hash) => !vectors.has(hash) && !look(hash));
    const embedding = (async () => {
      if (own.length === 0) return [];
      const given = own.map((hash) => texts.get(hash) ?? '');
      const found = await model.embed(given, { kind: 'document', signal, ...(budget && { budget }) });
      assertVectors(model, found, own.length);
      return found;
    })();
    own.forEach((hash, at) => {
      const one = embedding.then((found) => found[at] as Float32Array);
      // Whoever waits for it is told; nobody may.
      one.catch(() => undefined);
      pending.set(hash, one);
    });
    const done = (): void => {
      for (const hash of own) pending.delete(hash);
    };
    try {
      const found = await embedding;
      const fresh: RememberedText[] = [];
      own.forEach((hash, at) => {
        const vector = found[at] as Float32Array;
        vectors.set(hash, vector);
        // Of a text that was refused there is nothing to remember: another time it may be taken.
        if (vector.some((component) => component !== 0)) fresh.push({ hash, vector });
      });
      for (const [hash, one] of awaited) vectors.set(hash, await one);
      return { vectors, fresh, done };
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Texts of a batch that takes several calls, call by call: the batch then finds them remembered. */
  async function makeAhead(texts: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void> {
    const all = [...texts];
    const failing = new AbortController();
    const both = AbortSignal.any([signal, failing.signal]);
    const work = Array.from({ length: Math.ceil(all.length / textsPerCall) }, (_, at) =>
      lanes(async () => {
        const some = new Map(all.slice(at * textsPerCall, (at + 1) * textsPerCall));
        const made = await make(some, both);
        try {
          if (made.fresh.length > 0) await spaces.write(id, [], made.fresh);
        } finally {
          made.done();
        }
      }, both).catch((error: unknown) => {
        failing.abort(error);
        throw error;
      }),
    );
    await Promise.allSettled(work);
    await Promise.all(work);
  }

  return {
    model: { space: { name: id, dimensions, metric }, kind: 'fixed', facts: { source: name } },
    batchChunks: textsPerCall,
    batchesAtOnce: callsAtOnce * readAhead,
    async work(batch, write, signal) {
      const read = await readBatch(batch, readTexts);
      const spoken = new Map<string, string>();
      const hashes = read.map((texts) =>
        texts?.map((text) => {
          if (text.trim() === '') return '';
          const hash = textHashOf(text);
          spoken.set(hash, text);
          return hash;
        }),
      );
      signal.throwIfAborted();
      if (spoken.size > textsPerCall) await makeAhead(spoken, signal);
      return lanes(async () => {
        const { vectors, fresh, done } = await make(spoken, signal);
        try {
          const documents = hashes.map((some) => {
            if (!some) return undefined;
            const all = new Float32Array(some.length * dimensions);
            for (const [at, hash] of some.entries()) all.set(vectors.get(hash) ?? [], at * dimensions);
            return all;
          });
          await gathered();
          return await write(documents, fresh);
        } finally {
          done();
        }
      }, signal);
    },
  };
}
