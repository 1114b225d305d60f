// The model that a server serves where another server may activate one, or take deleted words out of it under the same name.
import { expect, it } from 'vitest';
import type { CorpusLearning, KeptModel, VectorKeeping } from '../../src/vectors/ports.ts';
import { createServing } from '../../src/vectors/serving.ts';

/** A record that others change: of each model, its bytes. */
function openPlace() {
  const kept = { active: 'one', bytes: new Map([['one', 1]]) };
  let opened = 0;
  const modelOf = (name: string): KeptModel => ({
    space: { name, dimensions: 1, metric: 'dot' },
    kind: 'corpus',
    state: name === kept.active ? 'active' : 'building',
    facts: {},
  });
  const spaces: Partial<VectorKeeping> = {
    active: async () => ({ space: kept.active, seal: String(kept.bytes.get(kept.active)) }),
    models: async () => [...kept.bytes.keys()].map(modelOf),
    modelBytes: async (name) => Uint8Array.of(kept.bytes.get(name) ?? 0),
  };
  const learning: Partial<CorpusLearning> = {
    open(bytes) {
      opened += 1;
      return { model: {} as never, learnedFrom: bytes[0] ?? 0 };
    },
  };
  const serving = createServing({
    spaces: spaces as VectorKeeping,
    learning: learning as CorpusLearning,
    openFixed: async () => Promise.reject(new Error('There is none.')),
  });
  const current = async () => {
    const found = await serving.current();
    return [found?.space, found?.learnedFrom];
  };
  return { kept, serving, current, modelOf, opened: () => opened };
}

it('serves what another server activated, and what it left of it, and reads each once', async () => {
  const { kept, current, opened } = openPlace();
  expect([await current(), await current()]).toEqual([
    ['one', 1],
    ['one', 1],
  ]);
  expect(opened()).toBe(1);
  kept.bytes.set('one', 2);
  expect([await current(), await current()]).toEqual([
    ['one', 2],
    ['one', 2],
  ]);
  expect(opened()).toBe(2);
  kept.bytes.set('two', 3);
  kept.active = 'two';
  expect(await current()).toEqual(['two', 3]);
});

it('serves a model ahead of it being active, until that was done or failed', async () => {
  const { kept, serving, current, modelOf } = openPlace();
  expect(await current()).toEqual(['one', 1]);
  kept.bytes.set('two', 3);
  await serving.use(modelOf('two'));
  expect(await current()).toEqual(['two', 3]);
  serving.activated();
  expect(await current()).toEqual(['one', 1]);
});
