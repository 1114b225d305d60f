// kill -9 in the middle of re-embedding, over and over: every chunk has the vector of its own text in the end, and no text is paid for
// twice but those of the calls that were under way.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import { checkVectorsOf, writeCorpus } from '../../testkit/embedding-corpus.ts';
import {
  type EmbeddingRun,
  openSimulatedProvider,
  runAndKill,
  runToEnd,
  type SimulatedProvider,
} from '../../testkit/embedding-kills.ts';
import { createRandom } from '../../testkit/history.ts';
import { temporaryFolder } from '../../testkit/record-fixture.ts';

const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_122);
const kills = long ? 20 : 5;
const chunks = long ? 20_000 : 2000;
const [textsPerCall, callsAtOnce, dimensions] = [20, 4, 32];

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(closeEngineThreads);

async function killed(fault?: 'early'): Promise<{ run: EmbeddingRun; provider: SimulatedProvider }> {
  const place = temporaryFolder();
  closing.push(place.remove);
  await writeCorpus(place.folder, chunks);
  const provider = await openSimulatedProvider({ msPerHundred: 20, lanes: 2, dimensions });
  closing.push(provider.close);
  const run = {
    folder: place.folder,
    address: provider.address,
    textsPerCall,
    callsAtOnce,
    dimensions,
    ...(fault && { fault }),
  };
  const random = createRandom(seed);
  for (let kill = 0; kill < kills; kill++) {
    const textsMore = 1 + random.below(Math.floor(chunks / kills / 1.5));
    expect(await runAndKill(run, provider, textsMore)).toBe('killed');
  }
  await runToEnd(run);
  return { run, provider };
}

describe('re-embedding that is killed', () => {
  it(`${kills} times loses no vector, mixes none up, and asks twice for what was under way alone`, async () => {
    const { run, provider } = await killed();
    expect(await checkVectorsOf(run.folder, dimensions)).toEqual({ chunks, right: chunks });
    const { distinct, twice } = await provider.statistics();
    expect(distinct).toBe(chunks);
    expect(twice).toBeLessThanOrEqual(kills * callsAtOnce * textsPerCall);
    // Nothing is left to ask for.
    await runToEnd(run);
    expect((await provider.statistics()).texts).toBe(distinct + twice);
  });

  it('would be caught if it acknowledged what is not durable', async () => {
    const { provider } = await killed('early');
    expect((await provider.statistics()).twice).toBeGreaterThan(kills * callsAtOnce * textsPerCall);
  });
});
