// What a chunk, a page, a search and an answer cost in processor time may not grow by more than a third unnoticed: measured against fixed work in
// the same run and compared with what was committed. A change that is worth its cost renews the ratios: npm run costs:renew, alone on the machine.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** Of the committed ratio. */
const most = 1.3;
/** What else runs on the machine adds to a measurement and takes nothing away: the lowest of several counts. */
const measurements = 8;

type Costs = Readonly<Record<string, number>>;

const committed = JSON.parse(readFileSync(join(import.meta.dirname, 'ratios.json'), 'utf8')) as Costs;

async function measure(): Promise<Costs> {
  const child = join(import.meta.dirname, 'cost-child.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Costs;
}

describe('costs', () => {
  it(`of a chunk, a page, a search and an answer are at most ${most} times the committed ones`, async () => {
    const lowest: Record<string, number> = {};
    const grown = (): readonly string[] =>
      Object.entries(committed)
        .filter(([what, ratio]) => !((lowest[what] ?? Number.POSITIVE_INFINITY) <= most * ratio))
        .map(([what, ratio]) => `${what}: ${((lowest[what] ?? Number.NaN) / ratio).toFixed(2)} times ${ratio}`);
    for (let n = 0; n < measurements && grown().length > 0; n += 1)
      for (const [what, ratio] of Object.entries(await measure()))
        lowest[what] = Math.min(ratio, lowest[what] ?? Number.POSITIVE_INFINITY);
    console.log(`costs in calibration loops: ${JSON.stringify(lowest)}`);
    expect(Object.keys(lowest).sort()).toEqual(Object.keys(committed).sort());
    expect(grown()).toEqual([]);
  });
});
