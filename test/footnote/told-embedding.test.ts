// A model that nobody named is told before the first text goes to it, with what that costs, and never again once it is begun.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/ids.ts';
import { embedderPlaceIn } from '../../src/footnote/parts/sqlite-parts.ts';
import { createEmbedders, type Embedders } from '../../src/footnote/roles/embedders.ts';
import { toldEmbedding } from '../../src/footnote/told-embedding.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../testkit/record-fixture.ts';
import { openWordEmbeddings, type WordEmbeddings } from '../../testkit/word-embeddings.ts';

const place = recordForEachTest();
let provider: WordEmbeddings;
let embedders: Embedders | undefined;
beforeEach(async () => {
  provider = await openWordEmbeddings({ dimensions: 1536 });
});
afterEach(async () => {
  await embedders?.close();
  await provider.close();
});

it('is told before the first call, and once', async () => {
  const store = createEmbeddedStore({ database: place.record, scope: scopeOf() });
  const write = createWrite('The heron waits at the river for fish.', { id: 'd' });
  await place.tenant.commit([{ kind: 'put-document', write }, store.entries.put([write])]);
  const { models } = loadConfig({ folder: '/nowhere', environment: { HOME: '/nowhere', OPENAI_API_KEY: 'sk-test' } });
  const told: { readonly message: string; readonly calls: number }[] = [];
  const open = () =>
    createEmbedders({
      place: embedderPlaceIn(place.record),
      models,
      clock: systemClock,
      providers: { roles: {}, openai: { apiKey: 'sk-test' } },
      announce: (estimate) => told.push({ message: toldEmbedding(estimate), calls: provider.calls.length }),
      remote: { openaiAddress: provider.address },
    });
  embedders = open();
  await embedders.of('default').settle();
  expect(provider.texts).toHaveLength(1);
  expect(told).toHaveLength(1);
  expect(told[0]?.calls).toBe(0);
  expect(told[0]?.message).toMatch(/text-embedding-3-small.*1 passage.*tokens, \$0\.0000.*MODEL_EMBED=corpus/u);
  await embedders.close();
  embedders = open();
  await embedders.of('default').settle();
  expect(told).toHaveLength(1);
});
