// Whether a regular expression takes more than linear time over what it is given (G27): recheck (Takenaka's automata and fuzzing,
// https://makenowjust-labs.github.io/recheck/) looks for the text that hurts it most, which is then really matched, 100,000 characters long.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { check } from 'recheck';
import { bounds, shortTexts } from './expression-bounds.ts';
import type { Expression } from './expressions-of-source.ts';

const mostCharacters = 100_000;
/** What a linear one takes is a millisecond or two; a quadratic one takes seconds. */
export const allowedMs = 400;
const givenUpMs = 10_000;
/** Of the search for a text that hurts; without one, ordinary ones are tried. */
export const searchMs = 10_000;

/** One sentence for each of them that is slow. `onLinear` is told of the others. */
export async function slowOnes(
  expressions: readonly Expression[],
  onLinear: (expression: Expression) => void = () => {},
): Promise<readonly string[]> {
  const waiting = [...expressions];
  const slow: string[] = [];
  const next = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const found = await slownessOf(one);
      if (found === undefined) onLinear(one);
      else slow.push(`${one.files.join(', ')}: /${one.pattern}/${one.flags}: ${found}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
  return slow.toSorted();
}

/** The longest text that an expression is held to. */
export function lengthFor({ pattern, files }: Expression): number {
  const folder = shortTexts.find((one) => files.length > 0 && files.every((file) => file.startsWith(one.folder)));
  return bounds.find((one) => one.pattern === pattern)?.characters ?? folder?.characters ?? mostCharacters;
}

/** Undefined where it is linear. */
export async function slownessOf(expression: Expression): Promise<string | undefined> {
  const { pattern, flags } = expression;
  const length = lengthFor(expression);
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

/** Of three runs, for the machine may be busy; the first that is fast enough ends it, or one that is slow on any machine. */
async function shortest(run: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && best > allowedMs; time++) {
    const took = await run();
    best = Math.min(best, took);
    if (took >= 5 * allowedMs) break;
  }
  return Math.round(best);
}

/** Threads that wait for the next text: starting one takes longer than nearly every text does. */
const idle: Worker[] = [];

async function milliseconds({ pattern, flags }: Expression, text: string): Promise<number> {
  const worker = idle.pop() ?? new Worker(new URL('expression-worker.ts', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  worker.on('message', resolve).on('error', reject).ref();
  const timer = setTimeout(() => resolve(undefined), givenUpMs);
  worker.postMessage({ pattern, flags, text });
  const took = await promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', reject);
  });
  if (took === undefined) {
    void worker.terminate();
    return givenUpMs;
  }
  worker.unref();
  idle.push(worker);
  return took;
}
