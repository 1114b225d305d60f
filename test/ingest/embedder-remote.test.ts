// Vectors of a model that is paid for: several calls at once, no text paid for twice, an estimate that is right, and a budget.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { sha256 } from '../../src/core/ids.ts';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import type { EmbedOptions } from '../../src/models/embedding/model.ts';
import type { FixedModel } from '../../src/models/embedding/semantics.ts';
import { createModelBudget } from '../../src/models/money/model-budget.ts';
import { createWrite } from '../../testkit/record-fixture.ts';
import { documentOf, openPlace, type Place, type PlaceOptions, type Write } from './embedder-place.ts';

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
const fill = { textsPerCall: 10, callsAtOnce: 3 };

interface Remote {
  readonly model: FixedModel;
  readonly calls: (readonly string[])[];
  texts(): string[];
  /** Most calls that were under way at once. */
  most(): number;
}

/** A remote model; `answer` runs in each call before its vectors. */
function remoteModel(
  id: string,
  answer: (call: number, options: EmbedOptions) => Promise<void> | void = () => undefined,
): Remote {
  const calls: (readonly string[])[] = [];
  let underWay = 0;
  let most = 0;
  const dimensions = 16;
  const model: FixedModel = {
    id,
    kind: 'fixed',
    dimensions,
    metric: 'cosine',
    remote: {
      name: id,
      ...fill,
      plan: (texts) => ({
        calls: Math.ceil(texts.length / fill.textsPerCall),
        tokens: texts.length * 7,
        truncated: texts.filter((text) => text.includes('long')).length,
      }),
      costOf: (tokens) => tokens / 1e6,
      usage: () => ({ calls: calls.length, texts: 0, tokens: 0, truncated: 0, refused: 0, costUsd: 0 }),
    },
    async embed(texts, options) {
      options.signal?.throwIfAborted();
      const call = calls.push(texts);
      underWay += 1;
      most = Math.max(most, underWay);
      try {
        await new Promise((resolve) => setImmediate(resolve));
        await answer(call, options);
        return texts.map((text) => {
          const vector = new Float32Array(dimensions);
          for (const word of text.toLowerCase().match(/[a-z]{3,}/gu) ?? []) {
            const at = Number.parseInt(sha256(word).slice(0, 8), 16) % dimensions;
            vector[at] = (vector[at] as number) + 1;
          }
          return vector;
        });
      } finally {
        underWay -= 1;
      }
    },
  };
  return { model, calls, texts: () => calls.flat(), most: () => most };
}

const openerOf = (...models: Remote[]): PlaceOptions => ({
  model: models[0]?.model.id ?? '',
  openFixed: async (name) => {
    const found = models.find(({ model }) => model.id === name);
    if (!found) throw new FootnoteError('config-invalid', `There is no model ${name}.`);
    return found.model;
  },
});

describe('a model of a provider', () => {
  it('is kept busy with as many calls as it takes, each full', async () => {
    const one = remoteModel('openai:one');
    const place = open(openerOf(one));
    await place.put(documents(100));
    await place.embedder.settle();
    expect(one.most()).toBe(fill.callsAtOnce);
    expect(one.calls.map((texts) => texts.length)).toEqual(Array(10).fill(fill.textsPerCall));
  });

  it('gets each text once, and the vectors are those of one text at a time', async () => {
    const one = remoteModel('openai:one');
    const place = open(openerOf(one));
    // Every text stands in two documents, of batches that are under way together.
    await place.put(twice(100));
    await place.embedder.settle();
    expect(await place.embedder.status()).toMatchObject({ state: 'ready', chunks: 200, embedded: 200 });
    expect([one.texts().length, new Set(one.texts()).size]).toEqual([100, 100]);
    const vectors = await place.rankings();
    const alone = remoteModel('openai:one');
    const slow = open(openerOf({ ...alone, model: withoutRemote(alone.model) }));
    await slow.put(twice(100));
    await slow.embedder.settle();
    expect(await slow.rankings()).toEqual(vectors);
  });

  it('is not asked for a text that it was asked for before: moved, deleted and back, or after another model', async () => {
    const one = remoteModel('openai:one');
    const two = remoteModel('openai:two');
    const place = open(openerOf(one, two));
    await place.put(documents(40));
    await place.embedder.settle();
    await place.remove(['d0', 'd1', 'd2']);
    await place.put([renamed(documentOf(0), 'moved')]);
    await place.embedder.settle();
    await place.put([documentOf(1), documentOf(2)]);
    await place.embedder.settle();
    expect(one.texts()).toHaveLength(40);
    await place.kill({ ...openerOf(one, two), model: 'openai:two' });
    await place.embedder.settle();
    expect(two.texts()).toHaveLength(40);
    await place.kill({ ...openerOf(one, two), model: 'openai:one' });
    await place.embedder.settle();
    expect(await place.embedder.current()).toMatchObject({ ready: true, space: 'openai:one' });
    expect([one.texts().length, two.texts().length]).toEqual([40, 40]);
    expect((await place.spaces().coverage('openai:one')).embedded).toBe(40);
  });

  it('that fails in one call keeps what the others brought; the next run asks for the rest', async () => {
    let isDown = true;
    const one = remoteModel('openai:one', (call) => {
      if (isDown && call === 6) throw new FootnoteError('upstream-unavailable', 'It is down.');
    });
    const place = open(openerOf(one));
    await place.put(documents(100));
    await expect(place.embedder.settle()).rejects.toMatchObject({ code: 'upstream-unavailable' });
    expect(await place.embedder.status()).toMatchObject({ state: 'failed', failure: 'It is down.' });
    isDown = false;
    await place.embedder.settle();
    const asked = one.texts();
    expect(new Set(asked).size).toBe(100);
    // The failed call, and what it ended.
    expect(asked.length).toBeLessThanOrEqual(100 + fill.callsAtOnce * fill.textsPerCall);
  });

  it('is asked for a document of many calls call by call, and a kill costs what is under way', async () => {
    const text = Array.from({ length: 120 }, (_, at) =>
      `Paragraph ${at} speaks of the otter.`.padEnd(200, ' more'),
    ).join('');
    const write = largeDocument(text, 120);
    const controller = new AbortController();
    const one = remoteModel('openai:one', (call) => {
      if (call === 8) controller.abort();
    });
    const place = open(openerOf(one));
    await place.put([write]);
    await expect(place.embedder.settle({ signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
    const before = one.texts().length;
    await place.kill();
    await place.embedder.settle();
    expect((await place.spaces().coverage('openai:one')).embedded).toBe(120);
    expect(before).toBeGreaterThanOrEqual(60);
    expect(one.texts().length).toBeLessThanOrEqual(120 + fill.callsAtOnce * fill.textsPerCall);
  });

  it('is asked again where what is remembered is not as it was written', async () => {
    const one = remoteModel('openai:one');
    const place = open(openerOf(one));
    await place.put(documents(10));
    await place.embedder.settle();
    await place.remove(['d3', 'd4']);
    await place.database.write((connection) => {
      connection.exec('UPDATE embedding_memo SET bytes = zeroblob(64)');
    });
    await place.put([documentOf(3), documentOf(4)]);
    await place.embedder.settle();
    expect(one.texts()).toHaveLength(12);
  });

  it('is not remembered to have refused a text', async () => {
    const one = remoteModel('openai:one');
    let refuses = true;
    const model: FixedModel = {
      ...one.model,
      embed: async (texts, options) => {
        const vectors = await one.model.embed(texts, options);
        return refuses ? vectors.map(() => new Float32Array(16)) : vectors;
      },
    };
    const place = open(openerOf({ ...one, model }));
    await place.put([documentOf(0)]);
    await place.embedder.settle();
    refuses = false;
    await place.remove(['d0']);
    await place.put([documentOf(0)]);
    await place.embedder.settle();
    expect(one.texts()).toHaveLength(2);
  });

  it('is asked within a budget, which every round gives back', async () => {
    const one = remoteModel('openai:one', (_, { budget }) => {
      budget?.reserve({ calls: 1, inputTokens: 70, outputTokens: 0, costUsd: 0 });
    });
    let closed = 0;
    const budget = createModelBudget({ inputTokens: 300 }, { name: 'this day' });
    const place = open({
      ...openerOf(one),
      openBudget: async () => ({
        ...budget,
        async close() {
          closed += 1;
        },
      }),
    });
    await place.put(documents(100));
    await expect(place.embedder.settle()).rejects.toMatchObject({ code: 'quota-exceeded' });
    expect([closed, (await place.spaces().coverage('openai:one')).embedded]).toEqual([1, 40]);
  });
});

describe('an estimate', () => {
  it('says what it takes, sends and writes nothing, and is what then happens', async () => {
    const one = remoteModel('openai:one');
    const place = open(openerOf(one));
    await place.put([...documents(95), renamed(documentOf(0), 'again')]);
    const first = await place.embedder.estimate();
    expect(first).toEqual({
      setting: 'openai:one',
      model: 'openai:one',
      state: 'new',
      dimensions: 16,
      chunks: 96,
      embedded: 0,
      cached: 1,
      texts: 95,
      truncated: 0,
      remote: {
        tokens: 665,
        calls: 10,
        costUsd: 0.000665,
        seconds: 95 / 30,
        rate: { textsPerSecond: 30, from: 'assumed' },
      },
    });
    expect([one.calls.length, (await place.spaces().models()).length]).toEqual([0, 0]);
    await place.embedder.settle();
    expect([one.calls.length, one.texts().length]).toEqual([10, 95]);
    expect(await place.embedder.estimate()).toMatchObject({ state: 'active', embedded: 96, cached: 0, texts: 0 });
    // What is remembered costs nothing.
    await place.remove(['d7']);
    await place.put([renamed(documentOf(7), 'moved'), documentOf(200)]);
    expect(await place.embedder.estimate()).toMatchObject({
      embedded: 95,
      cached: 1,
      texts: 1,
      remote: { calls: 1, tokens: 7 },
    });
  });

  it('of another model than the configured one is made without beginning it', async () => {
    const place = open({ ...openerOf(remoteModel('openai:one')), model: 'corpus' });
    await place.put(documents(60));
    await place.embedder.settle({ exact: true });
    const active = await place.spaces().models();
    expect(await place.embedder.estimate('openai:one')).toMatchObject({ state: 'new', chunks: 60, texts: 60 });
    expect(await place.spaces().models()).toEqual(active);
    await expect(place.embedder.estimate()).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('vectors of two models', () => {
  it('are never compared: another space, or a vector of another length, is refused', async () => {
    const one = remoteModel('openai:one');
    const place = open(openerOf(one));
    await place.put(documents(20));
    await place.embedder.settle();
    const search = (space: string, vector: Float32Array) =>
      place.store.search({ text: '', mode: 'vector', vector, space, limit: 3 });
    await expect(search('openai:one', new Float32Array(16).fill(0.25))).resolves.toMatchObject({ hits: { length: 3 } });
    await expect(search('openai:two', new Float32Array(16).fill(0.25))).rejects.toBeInstanceOf(FootnoteError);
    await expect(search('openai:one', new Float32Array(24).fill(0.25))).rejects.toBeInstanceOf(FootnoteError);
  });
});

function withoutRemote(model: FixedModel): FixedModel {
  const { remote: _, ...rest } = model;
  return rest;
}

/** Ten documents, the same ten under other ids, and so on, in the order of ids. */
function twice(count: number): Write[] {
  const tens = Array.from({ length: count / 10 }, (_, ten) => documents(10, ten * 10));
  return tens.flatMap((some, ten) =>
    ['a', 'b'].flatMap((copy) => some.map((write) => renamed(write, `${String(ten).padStart(3, '0')}${copy}`))),
  );
}

/** The same text under another id. */
function renamed(write: Write, prefix: string): Write {
  const { title, language, uri, id } = write.document;
  return createWrite(write.text, {
    id: `${prefix}-${id}`,
    uri: `${prefix}-${uri}`,
    title,
    ...(language !== undefined && { language }),
  }) as Write;
}

function largeDocument(text: string, chunks: number): Write {
  const write = createWrite(text, { id: 'large', uri: 'large.md', title: 'large', language: 'en' }) as Write;
  if (write.chunks.length !== chunks) throw new Error(`${write.chunks.length} chunks`);
  return write;
}
