// No regular expression of the source takes more than linear time over what it is given (G27): recheck (Takenaka's automata and fuzzing,
// https://makenowjust-labs.github.io/recheck/) looks for the text that hurts each most, which is then really matched, 100,000 characters long.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { check } from 'recheck';
import { expect, it } from 'vitest';
import { bounds, shortTexts } from './expression-bounds.ts';
import { callBuilders, notCalled } from './expressions-built.ts';
import { builtExpressions, type Expression, expressionsOfSource } from './expressions-of-source.ts';

const mostCharacters = 100_000;
/** What a linear one takes is a millisecond or two; a quadratic one takes seconds. */
const allowedMs = 400;
const givenUpMs = 10_000;
/** Of the search for a text that hurts; without one, ordinary ones are tried. */
const searchMs = 10_000;

it('tells an expression that takes quadratic time from one that does not', async () => {
  expect(await slownessOf({ pattern: '\\s+$', flags: 'u', files: [] })).toMatch(/quadratic|degree/u);
  expect(await slownessOf({ pattern: '^(a+)+$', flags: 'u', files: [] })).toMatch(/exponential/u);
  expect(await slownessOf({ pattern: '(?<!\\s)\\s+$', flags: 'u', files: [] })).toBeUndefined();
}, 60_000);

it('matches 100,000 hostile characters in linear time with every expression of the source', async () => {
  const { literals } = expressionsOfSource();
  expect(literals.length).toBeGreaterThan(500);
  expect(await slowOnes(literals)).toEqual([]);
}, 900_000);

it('and with every one that it builds, when its modules are loaded and when its functions are called', async () => {
  const { building } = expressionsOfSource();
  const { expressions, places } = await builtExpressions(building.keys(), callBuilders);
  const unseen = [...building].flatMap(([file, count]) => {
    const seen = (places.get(file) ?? 0) + notCalled.filter(({ files }) => files.includes(file)).length;
    return seen === count ? [] : [`${file}: ${seen} of ${count} places`];
  });
  expect(unseen, 'Write it as a literal, or let expressions-built.ts call what builds it.').toEqual([]);
  expect(await slowOnes([...expressions, ...notCalled])).toEqual([]);
}, 300_000);

it('has no bound for an expression that is gone', () => {
  const there = new Set(expressionsOfSource().literals.map(({ pattern }) => pattern));
  expect(bounds.filter(({ pattern }) => !there.has(pattern))).toEqual([]);
});

async function slowOnes(expressions: readonly Expression[]): Promise<readonly string[]> {
  const waiting = [...expressions];
  const slow: string[] = [];
  const next = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const found = await slownessOf(one);
      if (found !== undefined) slow.push(`${one.files.join(', ')}: /${one.pattern}/${one.flags}: ${found}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
  return slow.toSorted();
}

async function slownessOf(expression: Expression): Promise<string | undefined> {
  const { pattern, flags } = expression;
  const folder = shortTexts.find(
    (one) => expression.files.length > 0 && expression.files.every((file) => file.startsWith(one.folder)),
  );
  const length = bounds.find((one) => one.pattern === pattern)?.characters ?? folder?.characters ?? mostCharacters;
  // recheck knows no sets of Unicode properties (v): what it cannot parse is tried with texts that hurt most expressions.
  const found = await check(pattern, flags.replace('v', 'u').replace('d', ''), { timeout: searchMs });
  if (found.status === 'safe') return undefined;
  const texts = found.status === 'vulnerable' ? [hostileText(found.attack, length)] : ordinaryAttacks(length);
  for (const text of texts) {
    const took = await shortest(() => milliseconds(expression, text));
    if (took > allowedMs) {
      const summary = found.status === 'vulnerable' ? found.complexity.summary : found.status;
      return `${summary}: ${took} ms over ${text.length} characters such as ${JSON.stringify(text.slice(0, 60))}`;
    }
  }
  return undefined;
}

interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
  readonly suffix: string;
}

function hostileText({ pumps, suffix }: Attack, length: number): string {
  const times = Math.max(1, Math.floor(length / pumps.reduce((sum, { pump }) => sum + pump.length, 0)));
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
}

function ordinaryAttacks(length: number): readonly string[] {
  return [' ', '\n', 'a', '1', '.', '"', '(', '[', ')]', '. ', 'a ', '1,'].flatMap((pump) => {
    const pumped = pump.repeat(length / pump.length);
    return [pumped, `${pumped}\u0000`];
  });
}

/** Of three runs, for the machine may be busy; the first that is fast enough ends it. */
async function shortest(run: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && best > allowedMs; time++) {
    const took = await run();
    best = Math.min(best, took);
    if (took >= givenUpMs) break;
  }
  return Math.round(best);
}

function milliseconds({ pattern, flags }: Expression, text: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const worker = new Worker(new URL('expression-worker.ts', import.meta.url), { workerData: { pattern, flags, text } });
  const timer = setTimeout(() => resolve(givenUpMs), givenUpMs);
  worker.once('message', resolve);
  worker.once('error', reject);
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}
