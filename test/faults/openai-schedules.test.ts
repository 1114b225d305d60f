// Random schedules of deliveries to OpenAI's vector stores, a fault in each fifth call, restarts in between: what is there in the end is what was last
// wanted, once. Groups of schedules run at the same time, each against a stand-in of its own.
import { expect, it } from 'vitest';
import { historiesOfRun } from '../../testkit/history.ts';
import { openOpenaiPlace } from '../../testkit/openai/place.ts';
import { isLongRun } from '../../testkit/sample.ts';
import { runSchedule, slowestLag } from './openai-schedules.ts';

/** Of each service. */
const most = 2500;
const { first: firstOfAll, count: each } = historiesOfRun(most);
/** How late the service is, counted in requests, and in how many rounds of retries all must have been taken. */
const services = [
  { lag: 0, indexLooks: 0, mostRounds: 3 },
  { lag: 0, indexLooks: 2, mostRounds: 3 },
  { lag: 3, indexLooks: 1, mostRounds: 12 },
  { lag: slowestLag, indexLooks: 3, mostRounds: 12 },
].map((service, at) => ({ ...service, first: firstOfAll + at * most }));

it.concurrent.each(services)(
  'ends in what was last wanted, whatever fails on the way: from seed $first, where what is new is known $lag requests later and indexing takes $indexLooks looks',
  { timeout: isLongRun ? 10_800_000 : 1_800_000 },
  async ({ first, lag, indexLooks, mostRounds: allowed }) => {
    const lags = { listLag: lag, batchLag: lag, attachLag: lag, fileLag: lag, storeLag: lag };
    const place = await openOpenaiPlace({ indexLooks, ...lags });
    try {
      let faults = 0;
      let mostRounds = 0;
      for (let one = first; one < first + each; one += 1) {
        const report = await runSchedule(place, one);
        expect(report.wrong, `seed ${one}`).toEqual([]);
        faults += report.faults;
        mostRounds = Math.max(mostRounds, report.rounds);
      }
      expect(mostRounds).toBeLessThanOrEqual(allowed);
      expect(faults).toBeGreaterThan(each);
      expect(place.simulator.violations).toEqual([]);
    } finally {
      await place.close();
    }
  },
);
