// The sentence encoder beside a model that is learned: it comes in behind, nobody waits for it, what it said is not asked again, and without it
// everything is as it was.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import type { ChunkEncoder } from '../../src/models/encoder/encoder.ts';
import { toUnitLength } from '../../src/models/local/pooling.ts';
import { mostEncoded } from '../../src/vectors/encoded.ts';
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
const behind = { soonMs: 1, quietMs: 1, betweenMs: 1 };
const vectorOf = (text: string): Float32Array => toUnitLength(Float32Array.of(text.length, text.split('e').length, 1));

interface ScriptedEncoder extends ChunkEncoder {
  readonly encoded: string[];
}

function scripted(
  onChunk: (count: number) => Promise<void> | void = () => undefined,
  id = 'scripted',
): ScriptedEncoder {
  const encoded: string[] = [];
  return {
    encoded,
    about: async () => ({ id, dimensions: 3 }),
    async encodeChunk({ text }, signal) {
      signal?.throwIfAborted();
      await onChunk(encoded.length);
      encoded.push(text);
      return vectorOf(text);
    },
    encodeQuery: async (query) => vectorOf(query),
  };
}

const activeOf = async (place: Place): Promise<string> =>
  (await place.spaces().models()).find(({ state }) => state === 'active')?.space.name ?? 'none';
const stateOf = async (place: Place): Promise<string | undefined> => (await place.embedder.status()).encoder?.state;
const untilReady = (place: Place) => expect.poll(() => stateOf(place), { timeout: 60_000, interval: 20 }).toBe('ready');

describe('the encoder beside a learned model', () => {
  it('lets the learned model serve at once, and takes its place when all chunks are encoded', async () => {
    const gate = Promise.withResolvers<void>();
    const encoder = scripted((count) => (count === 20 ? gate.promise : undefined));
    const place = open({ encoder, timing: behind });
    await place.put(documents(120));
    await place.embedder.settle({ exact: true });
    const learned = await activeOf(place);
    expect(learned).not.toContain('+');
    await expect.poll(() => encoder.encoded.length, { timeout: 60_000 }).toBe(20);
    expect(await place.embedder.status()).toMatchObject({ state: 'ready', encoder: { state: 'encoding' } });
    expect(await activeOf(place)).toBe(learned);
    gate.resolve();
    await untilReady(place);
    expect(await activeOf(place)).toBe(`${learned}+scripted`);
    expect(encoder.encoded).toHaveLength(120);
    const current = await place.embedder.current();
    if (!current.ready) throw new Error('not ready');
    const [query] = await current.model.embed(['otter river'], { kind: 'query' });
    expect(query?.slice(-3)).toEqual(vectorOf('otter river'));
    expect(query).toHaveLength(current.model.dimensions);
  });

  it('is waited for where somebody asks for all of it, or where there is little', async () => {
    const encoder = scripted();
    const place = open({ encoder });
    await place.put(documents(120));
    await place.embedder.settle({ exact: true, whole: true });
    const first = await place.rankings();
    expect(await stateOf(place)).toBe('ready');
    await place.put([documentOf(3, 1)]);
    await place.embedder.settle({ exact: true });
    expect(await stateOf(place)).toBe('ready');
    // Learned anew, and of the texts only the new one was encoded.
    expect(place.trained).toBe(2);
    expect(encoder.encoded).toHaveLength(121);
    await place.put([documentOf(3)]);
    await place.embedder.settle({ exact: true });
    expect(await place.rankings()).toEqual(first);
    expect(encoder.encoded).toHaveLength(121);
  });

  it('has who waits go first: what is encoded behind ends, and goes on later', async () => {
    const gate = Promise.withResolvers<void>();
    const encoder = scripted((count) => (count === 30 ? gate.promise : undefined));
    const place = open({ encoder, timing: behind });
    await place.put(documents(200));
    await expect.poll(() => encoder.encoded.length, { timeout: 60_000 }).toBe(30);
    await place.put(documents(100, 200));
    const settling = place.embedder.settle({ exact: true });
    gate.resolve();
    await settling;
    expect(await activeOf(place)).not.toContain('+');
    await untilReady(place);
    expect(new Set(encoder.encoded).size).toBe(300);
    // Only the batch that was cut off is encoded twice.
    expect(encoder.encoded.length).toBeLessThanOrEqual(308);
  });

  it('leaves the learned model where the encoder fails, or there are too many chunks', async () => {
    const dying = scripted(() => Promise.reject(new FootnoteError('upstream-unavailable', 'It died.')));
    const place = open({ encoder: dying });
    await place.put(documents(60));
    await place.embedder.settle({ exact: true });
    expect(await place.embedder.status()).toMatchObject({ state: 'ready', encoder: { state: 'unavailable' } });
    expect(await activeOf(place)).not.toContain('+');
    const encoder = scripted();
    const large = open({
      encoder,
      around: (spaces) => ({
        ...spaces,
        indexed: async () => ({ ...(await spaces.indexed()), chunks: mostEncoded + 1 }),
      }),
    });
    await large.put(documents(60));
    await large.embedder.settle({ exact: true, whole: true });
    expect(await stateOf(large)).toBe('too-many');
    expect(encoder.encoded).toEqual([]);
  });

  it('lets the learned model take over where much came in, also where the encoder fails then', async () => {
    let isDead = false;
    const encoder = scripted(() => {
      if (isDead) throw new FootnoteError('upstream-unavailable', 'It died.');
    });
    const place = open({ encoder, timing: behind });
    await place.put(documents(60));
    await place.embedder.settle({ exact: true, whole: true });
    await place.put(documents(10, 60));
    await untilReady(place);
    expect(await activeOf(place)).toContain('+');
    isDead = true;
    await place.put(documents(100, 70));
    await expect.poll(() => stateOf(place), { timeout: 60_000 }).toBe('unavailable');
    await expect.poll(() => activeOf(place), { timeout: 60_000 }).not.toContain('+');
    expect((await place.spaces().coverage(await activeOf(place))).embedded).toBe(170);
  });

  it('remembers a large document piece by piece: a stop in it costs one', async () => {
    let isDead = true;
    const encoder = scripted((count) => {
      if (isDead && count === 60) throw new FootnoteError('upstream-unavailable', 'It died.');
    });
    const place = open({ encoder });
    await place.put([...documents(60), documentOf(60, 0, 4000)]);
    await place.embedder.settle({ exact: true, whole: true });
    expect(await stateOf(place)).toBe('unavailable');
    isDead = false;
    await place.embedder.settle({ exact: true, whole: true });
    expect(await stateOf(place)).toBe('ready');
    expect(encoder.encoded.length - new Set(encoder.encoded).size).toBeLessThanOrEqual(8);
  });

  it('searches by the learned part where the encoder is switched off or another one, and then goes back', async () => {
    const plain = open({});
    await plain.put(documents(60));
    await plain.embedder.settle({ exact: true });
    const expected = await plain.rankings();
    const place = open({ encoder: scripted() });
    await place.put(documents(60));
    await place.embedder.settle({ exact: true });
    expect(await stateOf(place)).toBe('ready');
    await place.kill({ encoder: scripted(undefined, 'another') });
    const other = await place.embedder.current();
    if (!other.ready) throw new Error('not ready');
    expect(await other.model.embed(['otter'], { kind: 'query' })).toEqual([
      expect.objectContaining({ length: other.model.dimensions - 3 }),
    ]);
    await place.kill({});
    await place.embedder.settle({ exact: true });
    expect(await place.rankings()).toEqual(expected);
    expect((await place.embedder.status()).encoder).toBeUndefined();
  });
});
