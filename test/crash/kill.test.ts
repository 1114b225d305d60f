// kill -9 at any moment, over and over on one data folder: what was acknowledged is there, what was not is there whole or not
// at all, the index holds exactly the chunks of the record, every hash fits. (That a kill leaves the page cache alone is why
// the power-cut test exists beside this one.)
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { createRandom, type Random, statesOf, toStateText } from '../../testkit/history.ts';
import { createWrite } from '../../testkit/record-fixture.ts';
import { expectAgreement } from './agreement.ts';

const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_121);
const kills = long ? 200 : 15;
/** 10,000 chunks lie in the record during the long run. */
const ballastDocuments = long ? 100 : 5;
const writers = 4;
const script = join(import.meta.dirname, 'kill-child.ts');
type Fault = 'none' | 'ack-early' | 'index-apart';

interface Run {
  readonly acknowledged: number[];
  readonly intended: number[];
  readonly turns: string[];
  readonly complaint: string;
}

/** Lets the child work and kills it: mostly some time after it is ready, sometimes while it opens the record. */
async function runAndKill(folder: string, starts: readonly number[], fault: Fault, random: Random): Promise<Run> {
  const child = spawn(process.execPath, [script, folder, String(seed), fault, ...starts.map(String)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A moment after a random number of acknowledgements, so that a slow machine is killed in the middle of things too.
  const whileOpening = random.next() < 0.2;
  const acknowledgements = random.below(12);
  const momentMs = random.next() * 40;
  const kill = (): NodeJS.Timeout => setTimeout(() => child.kill('SIGKILL'), momentMs);
  let output = '';
  let complaint = '';
  let timer = whileOpening ? setTimeout(() => child.kill('SIGKILL'), 20 + random.next() * 500) : undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.includes('READY') && output.split('ACK').length > acknowledgements) timer ??= kill();
  });
  await new Promise<void>((resolve, reject) => child.on('error', reject).on('close', () => resolve()));
  clearTimeout(timer);
  const run: Run = { acknowledged: [...starts], intended: [...starts], turns: [], complaint };
  for (const line of output.split('\n').slice(0, -1)) {
    const [word, first = '', second = ''] = line.split(' ');
    if (word === 'ACK') run.acknowledged[Number(first)] = Number(second);
    else if (word === 'INTENT') run.intended[Number(first)] = Number(second);
    else if (word === 'TURN') run.turns.push(first);
  }
  return run;
}

/** Everything that must hold after a restart. Returns how many transactions of each writer are there. */
async function check(database: SqliteRecordDatabase, run: Run): Promise<number[]> {
  const tenant = database.forScope(localScope());
  expect(run.complaint).toBe('');
  expect(await database.check()).toEqual([]);

  const found = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const page = await tenant.documents.list({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    for (const { id, textHash } of page.data) found.set(id, textHash);
    cursor = page.nextCursor;
  } while (cursor !== undefined);

  const there = run.acknowledged.map((acknowledged, writer) => {
    const prefix = `w${writer}`;
    const own = toStateText([...found].filter(([id]) => id.startsWith(`${prefix}_`)));
    const states = statesOf(seed + writer, run.intended[writer] ?? 0, prefix).map(toStateText);
    const count = states.lastIndexOf(own);
    expect(count, `writer ${writer}: the state is that after no number of its transactions`).not.toBe(-1);
    expect(count, `writer ${writer}: acknowledged transactions are lost`).toBeGreaterThanOrEqual(acknowledged);
    return count;
  });

  await expectAgreement(database);

  const turns = new Set((await tenant.sessions.turns('one session', 100_000)).map(({ id }) => id));
  for (const id of run.turns) {
    expect(turns).toContain(`trn_${id}`);
    expect(await tenant.answers.get(`ans_${id}`)).toBeDefined();
    expect(await tenant.traces.get(`trc_${id}`)).toBeDefined();
  }
  // Traces of searches follow their replies: a kill takes the last groups, never one before another that stayed.
  const searches = await Promise.all(run.turns.map((id) => tenant.traces.get(`trs_${id}`)));
  const stayed = searches.findLastIndex((trace) => trace !== undefined) + 1;
  expect(searches.slice(0, stayed)).not.toContain(undefined);
  expect(searches.length - stayed).toBeLessThanOrEqual(2 * 64);
  return there;
}

async function killOften(
  count: number,
  fault: Fault,
): Promise<{ transactions: number; slowestReadyMs: number; slowestReadyCpuMs: number; chunks: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-kill-'));
  try {
    const random = createRandom(seed);
    let starts: readonly number[] = Array.from({ length: writers }, () => 0);
    let slowestReadyMs = 0;
    let slowestReadyCpuMs = 0;
    let chunks = 0;
    await fill(folder);
    for (let kill = 0; kill < count; kill += 1) {
      const run = await runAndKill(folder, starts, fault, random);
      const startedAt = performance.now();
      const usedBefore = process.cpuUsage();
      const database = openSqliteRecord({ folder });
      try {
        const store = createEmbeddedStore({ database, scope: localScope() });
        await store.search({ text: 'river', mode: 'lexical', limit: 5 });
        const { user, system } = process.cpuUsage(usedBefore);
        slowestReadyMs = Math.max(slowestReadyMs, performance.now() - startedAt);
        slowestReadyCpuMs = Math.max(slowestReadyCpuMs, (user + system) / 1000);
        starts = await check(database, run);
        chunks = (await database.forScope(localScope()).documents.count()).chunks;
      } finally {
        await database.close();
      }
    }
    return { transactions: starts.reduce((sum, start) => sum + start, 0), slowestReadyMs, slowestReadyCpuMs, chunks };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Documents that nobody changes, so that the record has a size. */
async function fill(folder: string): Promise<void> {
  const database = openSqliteRecord({ folder });
  const scope = localScope();
  const store = createEmbeddedStore({ database, scope });
  for (let number = 0; number < ballastDocuments; number += 1) {
    const write = createWrite(`still ${number} ${'river meadow ledger '.repeat(1000)}`, {
      id: `still_${number}`,
      uri: `still/${number}.md`,
    });
    await database.forScope(scope).commit([{ kind: 'put-document', write }, store.entries.put([write])]);
  }
  await database.close();
}

describe('kill -9', () => {
  it(`loses no acknowledged write in ${kills} kills, and record and index agree`, async () => {
    const { transactions, slowestReadyMs, slowestReadyCpuMs, chunks } = await killOften(kills, 'none');
    console.log(
      `kill -9: ${kills} kills, seed ${seed}, ${transactions} transactions, ${chunks} chunks, slowest ready ${slowestReadyMs.toFixed(0)} ms (${slowestReadyCpuMs.toFixed(0)} ms of CPU)`,
    );
    expect(transactions).toBeGreaterThan(kills);
    // CPU time, because other work on the machine must not decide; the wall clock is printed beside it.
    if (long) expect(slowestReadyCpuMs).toBeLessThan(2000);
  });

  it.each(['ack-early', 'index-apart'] as const)(
    'notices a writer with the fault %s: the test can fail',
    async (fault) => {
      await expect(killOften(40, fault)).rejects.toThrow(
        fault === 'ack-early' ? /acknowledged transactions are lost/ : /index/,
      );
    },
  );
});
