// Long-term memory: how fast memories are recalled among 100,000 of one user, what of labelled messages is written, from which side
// contradictions are answered, and what it is worth to people who come back (testkit/memory/snippets.ts, returning-users.ts). Recalls are timed
// by the processor, so that other work on the machine does not count.
//
//   npm run bench memory
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomIds, systemClock } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { createRequestMemory } from '../../src/memory/facts/for-requests.ts';
import { keysOf } from '../../src/memory/facts/keys.ts';
import { createLongTermMemory } from '../../src/memory/facts/long-term.ts';
import { readMessage } from '../../src/memory/facts/statements/statements.ts';
import { createRandom } from '../../testkit/history.ts';
import { contradictions } from '../../testkit/memory/contradictions.ts';
import { freshFamilies } from '../../testkit/memory/contradictions-fresh.ts';
import { openMeaning } from '../../testkit/memory/meaning.ts';
import { neverLookedAt, readSnippets, scoreWriting, snippetSets } from '../../testkit/memory/snippets.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { measureReturningUsers } from './returning-users.ts';

const seed = 7;
const memories = 100_000;
const queries = 2_000;
const together = 2_000;

const random = createRandom(seed);
const pick = <T>(items: readonly T[]): T => items[Math.floor(items.length * random.next())] as T;
/** By a steep curve: some things are spoken of much more often than others. */
const word = (): string => `thing${Math.floor(20_000 * random.next() ** 3).toString(36)}`;
const frames: readonly ((a: string, b: string, c: string) => string)[] = [
  (a, b) => `I prefer ${a} over ${b}`,
  (a, b) => `We use ${a} for ${b}`,
  (a, b) => `My ${a} is ${b}`,
  (a, b, c) => `We deploy ${a} with ${b} after ${c}`,
  (a, b) => `I like ${a} with ${b}`,
  (a, b, c) => `Our ${a} team meets ${b} about ${c}`,
];
const said = (): string => pick(frames)(word(), word(), word());

const percentile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;

const { meaning, close } = await openMeaning();
const extract = async (message: string) => (await readMessage(message, meaning)).statements;
const folder = mkdtempSync(join(tmpdir(), 'footnote-memory-bench-'));
const database = openSqliteRecord({ folder });
try {
  const { memoriesOf } = database.forScope(localScope());
  const repository = memoriesOf('many');
  const texts = Array.from({ length: memories }, said);
  const startedAt = performance.now();
  for (let from = 0; from < memories; from += together)
    await Promise.all(
      texts.slice(from, from + together).map((text, index) => {
        const at = new Date(Date.UTC(2025, 0, 1) + (from + index) * 60_000).toISOString();
        const memory = { id: randomIds.next('mem'), type: 'semantic', text, tags: [], at, origin: { at } } as const;
        return repository.write({ ...memory, ...keysOf(text) });
      }),
    );
  const loadSeconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const memory = createLongTermMemory({ memoriesOf, clock: systemClock, ids: randomIds, meaning });
  const asked: readonly (() => string)[] = [
    () => pick(texts),
    () => `what do we use for ${word()}?`,
    () => `which ${word()} do I prefer, and how does it go with ${word()} and ${word()}?`,
    () => 'what do I prefer?',
    () => 'we use and deploy what our team likes',
    () => `how do I install unheardof${word()} on ${word()}?`,
  ];
  const timed = async (
    minSimilarity: number,
  ): Promise<{ readonly p50: number; readonly p95: number; readonly p99: number }> => {
    const times: number[] = [];
    for (let at = 0; at < queries; at += 1) {
      const query = (asked[at % asked.length] ?? said)();
      const from = process.cpuUsage();
      await memory.find({ query, user: 'many', k: 5, minSimilarity });
      const { user, system } = process.cpuUsage(from);
      times.push((user + system) / 1000);
    }
    times.sort((a, b) => a - b);
    return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), p99: percentile(times, 0.99) };
  };
  await timed(0.6);
  const usual = await timed(0.6);
  const withoutBar = await timed(0);

  const requests = createRequestMemory({ memory, meaning, recallK: 3, minSimilarity: 0.6, urlOf: (id) => id });
  const pairs = [...contradictions(), ...contradictions(freshFamilies)];
  let [answered, over] = [0, 0];
  for (const [at, pair] of pairs.entries()) {
    const mine = requests(`pair-${at}`);
    for (const message of [pair.before, pair.after])
      await mine.write((await mine.read(message)).statements, { answerId: 'a' });
    const told = (await mine.answersTo(pair.question)).map(({ text }) => text);
    if (told.some((text) => text.includes(pair.holds))) answered += 1;
    if (told.some((text) => text.includes(pair.over) && !text.includes(pair.holds))) over += 1;
  }
  const written = [];
  for (const name of snippetSets) written.push({ name, ...(await scoreWriting(readSnippets(name), extract)) });
  const last = await scoreWriting([...neverLookedAt(), ...readSnippets('sealed')], extract);
  const returning = await measureReturningUsers();
  const improved = returning ? returning.with - returning.without : 0;
  const returningGoals: readonly BenchGoal[] = returning
    ? [
        {
          what: 'questions of returning users that improve with memory, percent',
          wanted: '>= 30',
          got: improved,
          met: improved >= 30,
        },
        {
          what: 'ordinary questions that were right without memory and are not with it',
          wanted: '0',
          got: returning.worse.length,
          met: returning.worse.length === 0,
        },
      ]
    : [];
  await writeResult('memory', {
    title: 'Long-term memory: recall among 100,000, what is written, and what contradicts',
    command: 'npm run bench memory',
    seed,
    metrics: {
      memories,
      queries,
      'loading, seconds': loadSeconds,
      'recall p50, ms of the processor': usual.p50,
      'recall p95, ms of the processor': usual.p95,
      'recall p99, ms of the processor': usual.p99,
      'recall p95 without a least similarity, ms of the processor': withoutBar.p95,
      'written rightly, messages that nothing was fitted on': last.precision,
      'found, messages that nothing was fitted on': last.recall,
      'contradicting pairs': pairs.length,
      'answered from the side that holds': answered,
      'answered from the side that is over': over,
      ...(returning && {
        'questions of returning users': returning.questions,
        'right without memory, percent': returning.without,
        'right with memory, percent': returning.with,
        'ordinary questions': returning.ordinary,
        'ordinary right without memory, percent': returning.ordinaryWithout,
        'ordinary right with memory, percent': returning.ordinaryWith,
      }),
    },
    goals: [
      {
        what: 'recall p95 at 100,000 memories, k 5, of the processor',
        wanted: '<= 20 ms',
        got: usual.p95,
        met: usual.p95 <= 20,
      },
      {
        what: 'precision of what is written, messages that nothing was fitted on',
        wanted: '>= 0.85',
        got: last.precision,
        met: last.precision >= 0.85,
      },
      {
        what: 'recall of what is written, messages that nothing was fitted on',
        wanted: '>= 0.6',
        got: last.recall,
        met: last.recall >= 0.6,
      },
      {
        what: 'contradictions answered from the side that is over',
        wanted: '<= 1 %',
        got: over,
        met: over <= 0.01 * pairs.length,
      },
      ...returningGoals,
    ],
    tables: [
      {
        title: 'What is written of labelled messages',
        columns: ['messages', 'count', 'written', 'rightly', 'wanted', 'found', 'precision', 'recall'],
        rows: written.map((one) => [
          one.name,
          one.snippets,
          one.written,
          one.right,
          one.wanted,
          one.found,
          one.precision,
          one.recall,
        ]),
      },
    ],
    notes: [
      'What is kept is fitted on all sets of the table; the figures above are of messages that it was not fitted on: the second half of everyday, and sealed, whose author wrote taught as well.',
      'Memories and queries are generated: words by a steep curve, a quarter of the queries of words that most memories have.',
    ],
  });
} finally {
  await database.close();
  await close();
  rmSync(folder, { recursive: true });
}
