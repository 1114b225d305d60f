// What is said of somebody else by name takes the place of what was said of them before where only one of both can be true, and of nobody else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/ids.ts';
import { createLongTermMemory } from '../../../src/memory/facts/long-term.ts';
import { type OpenedMeaning, openMeaning } from '../../../testkit/memory/meaning.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
let opened: OpenedMeaning;
beforeAll(async () => {
  opened = await openMeaning();
});
afterAll(() => opened.close());

it.each([
  [['Elena lives in Osaka', 'Elena lives in Berlin'], ['Elena lives in Berlin']],
  [['Elena lives in Osaka', 'Marco lives in Berlin'], undefined],
  [['Elena lives in Osaka', 'Elena works at Nordea'], undefined],
  [['Elena lives in Osaka', 'I live in Berlin'], undefined],
] as const)('%j', async (said, left) => {
  let last = 0;
  const ids = {
    next(prefix: string) {
      last += 1;
      return `${prefix}_${last}`;
    },
  };
  const { memoriesOf } = place.tenant;
  const memory = createLongTermMemory({ memoriesOf, clock: systemClock, ids, meaning: opened.meaning });
  for (const text of said) await memory.add({ text });
  const texts = (await memory.list({})).data.map(({ text }) => text).sort();
  expect(texts).toEqual([...(left ?? said)].sort());
});
