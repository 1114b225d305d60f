// Hundreds of pairs that contradict each other, told one after the other and asked for: no answer comes from the side that is over.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/ids.ts';
import { createRequestMemory } from '../../../src/memory/facts/for-requests.ts';
import { createLongTermMemory } from '../../../src/memory/facts/long-term.ts';
import { contradictions } from '../../../testkit/memory/contradictions.ts';
import { freshFamilies } from '../../../testkit/memory/contradictions-fresh.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

describe('what contradicts', () => {
  it.each([
    ['670 pairs', contradictions()],
    ['604 pairs inside longer messages', contradictions(freshFamilies)],
  ])('supersedes: of %s none is answered from the side that is over', async (_, all) => {
    let last = 0;
    const ids = {
      next: (prefix: string) => {
        last += 1;
        return `${prefix}_${last}`;
      },
    };
    const { memoriesOf } = place.tenant;
    const memory = createLongTermMemory({ memoriesOf, clock: systemClock, ids });
    const memoryOf = createRequestMemory({ memory, recallK: 3, minSimilarity: 0.6, urlOf: (id) => id });
    expect(all.length).toBeGreaterThanOrEqual(500);
    const fromOver: string[] = [];
    let answered = 0;
    for (const [at, { before, after, question, holds, over }] of all.entries()) {
      const mine = memoryOf(`user-${at}`);
      for (const message of [before, after]) await mine.write(mine.read(message).statements, { answerId: 'ans' });
      const told = (await mine.answersTo(question)).map(({ text }) => text);
      if (told.some((text) => text.includes(holds))) answered += 1;
      if (told.some((text) => text.includes(over) && !text.includes(holds))) fromOver.push(`${before} | ${after}`);
    }
    expect(fromOver).toEqual([]);
    expect(answered / all.length).toBeGreaterThanOrEqual(0.9);
  });
});
