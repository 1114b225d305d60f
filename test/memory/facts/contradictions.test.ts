// Pairs that contradict each other, told one after the other and asked for: hardly an answer comes from the side that is over. Of hundreds that are
// made alike every seventh is told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/ids.ts';
import { isDenial } from '../../../src/memory/facts/fitted/superseding.ts';
import { createRequestMemory } from '../../../src/memory/facts/for-requests.ts';
import { createLongTermMemory } from '../../../src/memory/facts/long-term.ts';
import { contradictions } from '../../../testkit/memory/contradictions.ts';
import { freshFamilies } from '../../../testkit/memory/contradictions-fresh.ts';
import { type OpenedMeaning, openMeaning } from '../../../testkit/memory/meaning.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
let opened: OpenedMeaning;
beforeAll(async () => {
  opened = await openMeaning();
});
afterAll(() => opened.close());

describe('what contradicts', () => {
  it.each([
    ['670 pairs', contradictions()],
    ['604 pairs inside longer messages', contradictions(freshFamilies)],
  ])('supersedes: of %s hardly one is answered from the side that is over', async (_, pairs) => {
    const all = pairs.filter((__, at) => at % 7 === 0);
    const { meaning } = opened;
    let last = 0;
    const ids = {
      next: (prefix: string) => {
        last += 1;
        return `${prefix}_${last}`;
      },
    };
    const { memoriesOf } = place.tenant;
    const memory = createLongTermMemory({ memoriesOf, clock: systemClock, ids, meaning });
    const memoryOf = createRequestMemory({ memory, meaning, recallK: 3, minSimilarity: 0.6, urlOf: (id) => id });
    expect(all.length).toBeGreaterThanOrEqual(85);
    const fromOver: string[] = [];
    let answered = 0;
    for (const [at, { before, after, question, holds, over }] of all.entries()) {
      const mine = memoryOf(`user-${at}`);
      for (const message of [before, after])
        await mine.write((await mine.read(message)).statements, { answerId: 'ans' });
      const told = (await mine.answersTo(question)).map(({ text }) => text);
      if (told.some((text) => text.includes(holds))) answered += 1;
      // That the side is over may be told.
      if (told.some((text) => text.includes(over) && !text.includes(holds) && !isDenial(text)))
        fromOver.push(`${before} | ${after}`);
    }
    expect(fromOver.length, fromOver.join('\n')).toBeLessThanOrEqual(5);
    expect(answered / all.length).toBeGreaterThanOrEqual(0.85);
  });
});
