// What is said of somebody else by name takes the place of what was said of them before where only one of both can be true, and of nobody else.
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/ids.ts';
import { createLongTermMemory } from '../../../src/memory/facts/long-term.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

it.each([
  [['Elena lives in Osaka', 'Elena lives in Berlin'], ['Elena lives in Berlin']],
  [['Marco works at Nordea.', 'Marco works for Ericsson.'], ['Marco works for Ericsson.']],
  [['Ada is a nurse', 'Ada works as a pilot'], ['Ada works as a pilot']],
  [['Elena lives in Osaka', 'Marco lives in Berlin'], undefined],
  [['Elena lives in Osaka', 'Elena works at Nordea'], undefined],
  [['Elena likes tea', 'Elena likes coffee'], undefined],
  [['Elena uses Vim', 'Elena uses Emacs'], undefined],
  [['Elena lives in Osaka', 'I live in Berlin'], undefined],
] as const)('%j', async (said, left) => {
  let last = 0;
  const ids = {
    next(prefix: string) {
      last += 1;
      return `${prefix}_${last}`;
    },
  };
  const memory = createLongTermMemory({ memoriesOf: place.tenant.memoriesOf, clock: systemClock, ids });
  for (const text of said) await memory.add({ text });
  const texts = (await memory.list({})).data.map(({ text }) => text).sort();
  expect(texts).toEqual([...(left ?? said)].sort());
});
