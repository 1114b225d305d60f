import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  parseReading,
  parseTask,
  type ReadingTask,
  readTask,
  writeReading,
  writeTask,
} from '../../../src/answer/sentences/reading-task.ts';
import { createReadingThread, type PassageReader } from '../../../src/answer/sentences/reading-thread.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const sentences = [
  'The pier is 340 metres long and was built in 1872.',
  'Gulls nest under the pier; the harbour master counts them every spring.',
  'Der Hafen wurde 1905 erweitert, und die Mole ist seither 512 m lang.',
  '| Year | Length |\n| --- | --- |\n| 1872 | 340 m |\n| 1905 | 512 m |',
  '## Storms\n\n- In 1953 the sea took the last bay.\n- In 1987 it took the café.',
  '码头长 340 米，建于 1872 年。',
  'Nobody knows why the lamp “blinks” twice… 😀',
];
const passage = fc.record({
  text: fc.array(fc.constantFrom(...sentences), { minLength: 0, maxLength: 60 }).map((some) => some.join(' ')),
  title: fc.constantFrom('The pier', 'Harbour_log', ''),
  score: fc.double({ min: 0, max: 30, noNaN: true }),
  start: fc.nat(5_000),
});
const tasks: fc.Arbitrary<ReadingTask> = fc
  .record({
    question: fc.constantFrom('How long is the pier?', 'Wie lang ist die Mole?', 'When was it built and why?', '?'),
    passages: fc.array(passage, { minLength: 1, maxLength: 12 }),
    contextTokens: fc.integer({ min: 50, max: 3_000 }),
    budgetTokens: fc.integer({ min: 50, max: 3_000 }),
    encoding: fc.constantFrom('o200k_base' as const, 'cl100k_base' as const),
    summaryCharacters: fc.constantFrom(0, 600),
    isShown: fc.boolean(),
    hasPage: fc.boolean(),
  })
  .map(({ question, passages, contextTokens, isShown, hasPage, ...shown }) => ({
    question,
    contextTokens,
    evidence: passages.map((one, at) => ({
      ...evidenceOf({ id: `c${at}`, documentId: `d${at % 3}`, ...one }),
      ...(hasPage && { page: at, publishedAt: '2024-05-01T00:00:00Z' }),
    })),
    statistics: { chunks: 1_000, frequencies: { pier: 12, long: 300 } },
    ...(isShown && { shown }),
  }));

const untimed = async (reading: ReturnType<typeof readTask>) => ({ ...(await reading), shownMs: 0 });
const never = new AbortController().signal;

const opened: PassageReader[] = [];
const open = (...given: Parameters<typeof createReadingThread>): PassageReader => {
  const reader = createReadingThread(...given);
  opened.push(reader);
  return reader;
};
afterAll(() => Promise.all(opened.map((reader) => reader.close())));

const long: ReadingTask = {
  question: 'How long is the pier?',
  contextTokens: 2_000,
  evidence: Array.from({ length: 40 }, (_, at) =>
    evidenceOf({ id: `c${at}`, title: 'Pier', text: `${at}. ${sentences.slice(0, 3).join(' ').repeat(8)}` }),
  ),
  shown: { budgetTokens: 1_500, summaryCharacters: 600, encoding: 'o200k_base' },
};

describe('a reading', () => {
  it('is the same after its task and itself travelled as text', async () => {
    await fc.assert(
      fc.asyncProperty(tasks, async (task) => {
        const travelled = parseTask(writeTask(task));
        const reading = await untimed(readTask(travelled));
        const returned = parseReading(writeReading(reading, travelled), task);
        expect(returned).toEqual(await untimed(readTask(task)));
      }),
      { numRuns: 60 },
    );
  });

  it('is the same on a thread as here, for many at once', async () => {
    const reader = open();
    expect(await reader.warm()).toBe(true);
    const some = fc.sample(tasks, { numRuns: 24, seed: 7 });
    const here = await Promise.all(some.map((task) => untimed(readTask(task))));
    const there = await Promise.all(some.map((task) => untimed(reader.read(task, never))));
    expect(there).toEqual(here);
  });

  it('is done here where the thread dies over it, and no thread is started after the third', async () => {
    const reader = open({ entry: new URL('./dying-reading-child.ts', import.meta.url) });
    const expected = await untimed(readTask(long));
    for (let death = 0; death < 3; death++) {
      expect(await reader.warm()).toBe(true);
      expect(await untimed(reader.read(long, never))).toEqual(expected);
    }
    expect(await reader.warm()).toBe(false);
    expect(await untimed(reader.read(long, never))).toEqual(expected);
  });

  it('ends for a request that is over', async () => {
    const reader = open();
    expect(await reader.warm()).toBe(true);
    const over = new AbortController();
    const reading = reader.read(long, over.signal);
    over.abort(new Error('gone'));
    await expect(reading).rejects.toThrow();
    // The thread goes on for others.
    expect(await untimed(reader.read(long, never))).toEqual(await untimed(readTask(long)));
  });

  it('is done here once the thread is closed, and what it had is not lost', async () => {
    const reader = open();
    expect(await reader.warm()).toBe(true);
    const reading = untimed(reader.read(long, never));
    await reader.close();
    const expected = await untimed(readTask(long));
    expect(await reading).toEqual(expected);
    expect(await untimed(reader.read(long, never))).toEqual(expected);
  });
});
