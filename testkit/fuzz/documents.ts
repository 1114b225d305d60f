// Gives spoiled files to the real parsers in their sandbox and counts what comes of it. A document or a typed error is right; an error of
// ours (`internal`), a library's exception that nobody translated, or a promise that does not settle is a finding.

import { mutate, type Seed, seeded } from '../../packages/readers/testkit/mutate.ts';
import { toFootnoteError } from '../../src/core/errors.ts';
import type { CuttingPool } from '../../src/ingest/read/parse.ts';

export interface Finding {
  readonly seed: number;
  readonly name: string;
  readonly what: string;
}

export interface FuzzReport {
  readonly files: number;
  /** How many ended how: `read` or the code of the error. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Errors that are no answer to the file. Must be empty. */
  readonly untyped: readonly Finding[];
  /** Files whose reading did not end, although the pool has a deadline for each. Must be empty. */
  readonly hung: readonly Finding[];
  /** Files that cost their process its life or all of its time: typed, and worth a look. */
  readonly costly: readonly Finding[];
  /** Exceptions of libraries that became "cannot be parsed": typed, and could be said better. */
  readonly vague: ReadonlyMap<string, Finding & { readonly count: number }>;
  readonly slowestMs: number;
}

const plan = { chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 }, documentId: 'doc_1' };
const limits = { maxFiles: 1000, maxFileBytes: 32 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };
const typed = new Set(['invalid-media', 'unsupported-media', 'too-large', 'deadline-exceeded']);

/** The pool gives up after 20 s, waits for at most `abreast` others, and tries once more after a death. */
const patienceMs = 300_000;

/** False where it did not settle in time. */
async function settles(reading: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), patienceMs);
  try {
    return await Promise.race([reading.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function read(pool: CuttingPool, name: string, bytes: Uint8Array): Promise<void> {
  try {
    await pool.cut({ name, bytes }, { ...plan, name });
  } catch (error) {
    if (!('archive' in toFootnoteError(error).details)) throw error;
    for await (const _ of pool.unpack({ name, bytes }, limits));
  }
}

/** Spoils `seeds` in turn, `count` files beginning with the seed number `first`, `abreast` at a time. */
export async function fuzz(
  pool: CuttingPool,
  seeds: readonly Seed[],
  {
    count,
    first = 1,
    abreast = 4,
    onFinding = () => undefined,
  }: {
    readonly count: number;
    readonly first?: number;
    readonly abreast?: number;
    /** Told at once what is untyped, hung or costly: a long run need not end to be of use. */
    readonly onFinding?: (finding: Finding) => void;
  },
): Promise<FuzzReport> {
  const outcomes = new Map<string, number>();
  const untyped: Finding[] = [];
  const hung: Finding[] = [];
  const costly: Finding[] = [];
  const note = (list: Finding[], finding: Finding): void => {
    list.push(finding);
    onFinding(finding);
  };
  const vague = new Map<string, Finding & { count: number }>();
  let slowestMs = 0;
  let next = first;

  const one = async (number: number): Promise<void> => {
    const random = seeded(number);
    const seed = seeds[number % seeds.length] as Seed;
    const other = seeds[Math.floor(random() * seeds.length)] as Seed;
    const bytes = mutate(seed, other, random);
    const begun = performance.now();
    let outcome = 'read';
    try {
      if (!(await settles(read(pool, seed.name, bytes)))) {
        outcome = 'hung';
        note(hung, { seed: number, name: seed.name, what: `not read after ${patienceMs / 1000} s` });
      }
    } catch (thrown) {
      const { code, message, details } = toFootnoteError(thrown);
      outcome = code;
      const finding = { seed: number, name: seed.name, what: `${code}: ${message}` };
      if (!typed.has(code)) note(untyped, finding);
      else if (code === 'deadline-exceeded' || 'signal' in details || 'memoryMiB' in details) note(costly, finding);
      const library = /cannot be parsed \((.*)\)\. It may be damaged/su.exec(message)?.[1];
      if (library !== undefined) {
        const key = `${seed.name.replace(/^.*\./u, '.')} ${library.replace(/\d+/gu, 'N').slice(0, 60)}`;
        vague.set(key, { ...finding, count: (vague.get(key)?.count ?? 0) + 1 });
      }
    }
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  const worker = async (): Promise<void> => {
    while (next < first + count) await one(next++);
  };
  await Promise.all(Array.from({ length: abreast }, worker));
  return { files: count, outcomes, untyped, hung, costly, vague, slowestMs };
}
