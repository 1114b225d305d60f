import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineRuns } from '../../src/canonical/line-runs.ts';

const seed = 20_261_122;

async function* cutAt(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const size of sizes) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
  yield bytes.subarray(from);
}

describe('lineRuns', () => {
  it('loses nothing, cuts no line, and numbers every first line, however the stream is cut', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '\r', ' '), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 1500 }),
        fc.boolean(),
        fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 20 }),
        async (lines, isEnded, sizes) => {
          const bytes = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''));
          const runs = await Array.fromAsync(lineRuns(cutAt(bytes, sizes)));
          expect(Buffer.concat(runs.map((run) => run.bytes)).equals(bytes)).toBe(true);
          let firstLine = 1;
          for (const [index, run] of runs.entries()) {
            expect(run.firstLine).toBe(firstLine);
            const feeds = run.bytes.filter((byte) => byte === 0x0a).length;
            const isOpen = run.bytes.at(-1) !== 0x0a;
            expect(run.lineCount).toBe(feeds + (isOpen ? 1 : 0));
            expect(run.lineCount).toBeLessThanOrEqual(401);
            if (index < runs.length - 1) expect(isOpen).toBe(false);
            firstLine += feeds;
          }
        },
      ),
      { numRuns: 60, seed },
    );
  });

  it('keeps runs short in bytes, but for a line that is longer by itself', async () => {
    const lines = [...Array.from({ length: 150 }, () => 'x'.repeat(9000)), 'y'.repeat(3_000_000), 'z'];
    const runs = await Array.fromAsync(lineRuns(Buffer.from(lines.join('\n'))));
    expect(runs.flatMap((run) => Buffer.from(run.bytes).toString().trimEnd().split('\n'))).toEqual(lines);
    for (const run of runs) if (run.lineCount > 1) expect(run.bytes.length).toBeLessThan(3_200_000);
    expect(runs.length).toBeGreaterThan(3);
  });
});
