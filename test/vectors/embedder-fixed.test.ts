// Vectors of a model that comes from elsewhere: built beside the one in use, resumable, swapped whole; and what is said and
// served where the model cannot be had.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { sha256 } from '../../src/core/ids.ts';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import type { FixedModel } from '../../src/models/embedding/semantics.ts';
import type { OpenFixedModel } from '../../src/vectors/ports.ts';
import { documentOf, openPlace, type Place, type PlaceOptions, type Write } from '../ingest/embedder-place.ts';

const places: Place[] = [];
const open = (options: PlaceOptions): Place => {
  const place = openPlace(options);
  places.push(place);
  return place;
};
afterEach(async () => {
  for (const place of places.splice(0)) await place.close();
});
afterAll(closeEngineThreads);

const documents = (count: number, from = 0): Write[] => Array.from({ length: count }, (_, at) => documentOf(from + at));

/** Vectors from the hashes of words: texts that share words are near. Counts what it was given. */
function fakeModel(id: string, dimensions: number) {
  const given: { texts: readonly string[]; kind: string }[] = [];
  const model: FixedModel = {
    id,
    kind: 'fixed',
    dimensions,
    metric: 'cosine',
    async embed(texts, { kind, signal }) {
      signal?.throwIfAborted();
      given.push({ texts, kind });
      return texts.map((text) => {
        const vector = new Float32Array(dimensions);
        for (const word of text.toLowerCase().match(/[a-z]{3,}/gu) ?? []) {
          const at = Number.parseInt(sha256(`${id} ${word}`).slice(0, 8), 16) % dimensions;
          vector[at] = (vector[at] as number) + 1;
        }
        return vector;
      });
    },
  };
  return { model, given, embedded: () => given.reduce((sum, { texts }) => sum + texts.length, 0) };
}

const openerOf =
  (models: Readonly<Record<string, FixedModel>>): OpenFixedModel =>
  async (name) => {
    const model = models[name];
    if (model) return model;
    throw new FootnoteError('config-invalid', `There is no model ${name}.`);
  };

describe('a fixed model', () => {
  it('embeds every chunk once, in batches of 32, from the first one on', async () => {
    const { model, given } = fakeModel('local:one@1', 64);
    const place = open({ model: 'local:one', openFixed: openerOf({ 'local:one': model }) });
    await place.put([documentOf(0)]);
    await place.embedder.settle();
    await place.put(documents(99, 1));
    await place.embedder.settle();
    await place.embedder.settle({ exact: true });
    expect(given.every(({ texts, kind }) => texts.length <= 32 && kind === 'document')).toBe(true);
    const texts = given.flatMap((one) => one.texts);
    expect([texts.length, new Set(texts).size]).toEqual([100, 100]);
    expect(await place.embedder.current()).toMatchObject({ ready: true, space: 'local:one@1', learnedFrom: 0 });
    expect(await place.embedder.status()).toEqual({ state: 'ready', model: 'local:one@1', chunks: 100, embedded: 100 });
    const [, byOtter] = (await place.rankings()) as [string, { hits: [string, string, number][] }];
    expect(byOtter.hits.slice(0, 5).every(([, id]) => Number(id.slice(1)) % 5 === 0)).toBe(true);
  });

  it('takes the place of another when all its vectors are there; until then that one answers', async () => {
    const old = fakeModel('local:old@1', 32);
    const fresh = fakeModel('local:new@1', 48);
    const models = { 'local:old': old.model, 'local:new': fresh.model };
    const place = open({ model: 'local:old', openFixed: openerOf(models) });
    await place.put(documents(150));
    await place.embedder.settle();
    const before = await place.rankings();

    // Cut off in the middle.
    await place.kill({ model: 'local:new', openFixed: openerOf(models) });
    const controller = new AbortController();
    const settling = place.embedder.settle({
      signal: controller.signal,
      onProgress: ({ embedded }) => {
        if (embedded >= 60) controller.abort();
      },
    });
    await expect(settling).rejects.toMatchObject({ code: 'cancelled' });
    expect(await place.rankings()).toEqual(before);
    expect(await place.embedder.status()).toMatchObject({ state: 'embedding', model: 'local:new@1', chunks: 150 });
    await place.kill();
    expect(await place.rankings()).toEqual(before);
    // What comes in meanwhile is found by both.
    await place.put(documents(10, 150));
    const folded = old.embedded();
    await place.embedder.settle();
    expect(old.embedded() - folded).toBe(10);
    expect(((await place.rankings()) as unknown[])[0]).toBe('local:new@1');
    // Nothing was embedded twice but what was under way when it was cut off.
    const texts = fresh.given.flatMap((one) => (one.kind === 'document' ? one.texts : []));
    expect(new Set(texts).size).toBe(160);
    expect(texts.length).toBeLessThanOrEqual(160 + 32);
    expect((await place.spaces().models()).map(({ space }) => space.name)).toEqual(['local:new@1']);
  });

  it('takes the place of the corpus model and gives it back', async () => {
    const { model } = fakeModel('local:one@1', 32);
    const openFixed = openerOf({ 'local:one': model });
    const place = open({});
    await place.put(documents(60));
    await place.embedder.settle({ exact: true });
    const corpus = await place.rankings();
    await place.kill({ model: 'local:one', openFixed });
    expect(await place.rankings()).toEqual(corpus);
    await place.embedder.settle();
    expect(((await place.rankings()) as unknown[])[0]).toBe('local:one@1');
    await place.kill({ model: 'corpus', openFixed });
    await place.embedder.settle({ exact: true });
    expect(await place.rankings()).toEqual(corpus);
  });

  it('that cannot be had leaves the corpus model in use, and says why', async () => {
    const place = open({ model: 'local:gone', openFixed: openerOf({}) });
    await place.put(documents(60));
    await expect(place.embedder.settle()).rejects.toMatchObject({ code: 'config-invalid' });
    expect(await place.embedder.status()).toMatchObject({ state: 'failed', failure: 'There is no model local:gone.' });
    const found = await place.embedder.current();
    expect(found).toMatchObject({ ready: false, code: 'model-unavailable' });
    expect((found as { detail: string }).detail).toContain('There is no model local:gone.');
    await place.kill({ model: 'corpus' });
    await place.embedder.settle();
    const corpus = await place.rankings();
    await place.kill({ model: 'local:gone', openFixed: openerOf({}) });
    await expect(place.embedder.settle()).rejects.toMatchObject({ code: 'config-invalid' });
    expect(await place.rankings()).toEqual(corpus);
  });

  it('that is no longer the one whose vectors there are is not asked with them', async () => {
    const one = fakeModel('local:one@1', 32);
    const place = open({ model: 'local:one', openFixed: openerOf({ 'local:one': one.model }) });
    await place.put(documents(20));
    await place.embedder.settle();
    // The files in the folder changed: the same name, another fingerprint.
    const other = fakeModel('local:one@2', 32);
    await place.kill({ model: 'local:one', openFixed: openerOf({ 'local:one': other.model }) });
    expect(await place.embedder.current()).toMatchObject({ ready: false, code: 'embedding' });
    await place.embedder.settle();
    expect(await place.embedder.current()).toMatchObject({ ready: true, space: 'local:one@2' });
  });

  it('that gives something else than it should is refused', async () => {
    const { model } = fakeModel('local:one@1', 32);
    const short: FixedModel = { ...model, embed: async (texts) => texts.map(() => new Float32Array(31)) };
    const place = open({ model: 'local:one', openFixed: openerOf({ 'local:one': short }) });
    await place.put(documents(3));
    await expect(place.embedder.settle()).rejects.toMatchObject({ code: 'upstream-invalid' });
    expect((await place.spaces().coverage('local:one@1')).embedded).toBe(0);
  });
});
