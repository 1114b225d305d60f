import { afterEach, expect, it } from 'vitest';
import { type OpenaiPlace, openOpenaiPlace } from '../../testkit/openai/place.ts';
import { runSchedule } from './openai-schedules.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const each = isLong ? 250 : 50;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 1);
const groups = Array.from({ length: isLong ? 8 : 2 }, (_, group) => [seed + group * each, (group % 2) * 2] as const);

let place: OpenaiPlace | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

it.each(groups)(
  'ends in what was last wanted, whatever fails on the way: from seed %i, where indexing takes %i looks',
  async (first, indexLooks) => {
    const at = await openOpenaiPlace({ indexLooks });
    place = at;
    let faults = 0;
    let mostRounds = 0;
    for (let one = first; one < first + each; one += 1) {
      const report = await runSchedule(at, one);
      expect(report.wrong, `seed ${one}`).toEqual([]);
      faults += report.faults;
      mostRounds = Math.max(mostRounds, report.rounds);
    }
    expect(mostRounds).toBeLessThanOrEqual(3);
    expect(faults).toBeGreaterThan(each);
    expect(at.simulator.violations).toEqual([]);
  },
);
