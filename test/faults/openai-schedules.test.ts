// Random schedules of deliveries to OpenAI's vector stores, a fault in each fifth call, restarts in between: what is there in the end is what was last
// wanted, once. Groups of schedules run at the same time, each against a stand-in of its own.
import { expect, it } from 'vitest';
import { openOpenaiPlace } from '../../testkit/openai/place.ts';
import { runSchedule } from './openai-schedules.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const each = isLong ? 2500 : 100;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 1);
const groups = Array.from({ length: 4 }, (_, group) => [seed + group * each, (group % 2) * 2] as const);

it.concurrent.each(groups)(
  'ends in what was last wanted, whatever fails on the way: from seed %i, where indexing takes %i looks',
  { timeout: isLong ? 10_800_000 : 600_000 },
  async (first, indexLooks) => {
    const place = await openOpenaiPlace({ indexLooks });
    try {
      let faults = 0;
      let mostRounds = 0;
      for (let one = first; one < first + each; one += 1) {
        const report = await runSchedule(place, one);
        expect(report.wrong, `seed ${one}`).toEqual([]);
        faults += report.faults;
        mostRounds = Math.max(mostRounds, report.rounds);
      }
      expect(mostRounds).toBeLessThanOrEqual(3);
      expect(faults).toBeGreaterThan(each);
      expect(place.simulator.violations).toEqual([]);
    } finally {
      await place.close();
    }
  },
);
