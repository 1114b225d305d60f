// Power cuts: whatever the disk lost of what was not yet synced, every acknowledged transaction is there, whole, and the
// record is sound. The same test must fail with synchronous NORMAL and OFF, or it would not have seen the difference.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localScope } from '../../src/core/scope.ts';
import type { SynchronousLevel } from '../../src/db/sqlite/file/connection.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { createRandom, statesOf, toStateText } from '../../testkit/history.ts';
import { createDisk, type DiskEvent, traceWriter, writeImage } from './power-cut.ts';

const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_121);
const transactions = 120;
const images = process.env['FOOTNOTE_TEST_LONG'] ? 2000 : 200;
const script = join(import.meta.dirname, 'writer-child.ts');

function straceWorks(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('skipped: power cuts are simulated with strace, which is not installed or may not trace here');
    return false;
  }
}

interface Verdict {
  lost: number;
  corrupt: number;
  sound: number;
  readonly examples: string[];
}

const written = statesOf(seed, transactions).map(toStateText);

/** Opens an image as the product would and compares it with the history. */
async function judge(folder: string, acknowledged: number, verdict: Verdict): Promise<void> {
  try {
    const record = openSqliteRecord({ folder });
    try {
      const problems = await record.check();
      if (problems.length > 0) throw new Error(problems[0]);
      const { data } = await record.forScope(localScope()).documents.list({ limit: 1000 });
      const found = toStateText(data.map(({ id, textHash }) => [id, textHash]));
      const match = written.lastIndexOf(found);
      if (match === -1) throw new Error('the state is that after no number of transactions');
      if (match >= acknowledged) verdict.sound += 1;
      else {
        verdict.lost += 1;
        verdict.examples.push(`${acknowledged} transactions were acknowledged, ${match} are there`);
      }
    } finally {
      await record.close();
    }
  } catch (error) {
    verdict.corrupt += 1;
    verdict.examples.push(error instanceof Error ? error.message : String(error));
  }
}

async function cutOften(events: readonly DiskEvent[], place: string, count: number): Promise<Verdict> {
  const random = createRandom(seed);
  const verdict: Verdict = { lost: 0, corrupt: 0, sound: 0, examples: [] };
  const cuts = Array.from({ length: count }, () => 1 + random.below(events.length)).sort((a, b) => a - b);
  const disk = createDisk(events);
  let at = 0;
  for (const [number, cut] of cuts.entries()) {
    for (; at < cut; at += 1) disk.step();
    const folder = join(place, `image-${number}`);
    mkdirSync(folder);
    writeImage(folder, disk.cut(random));
    await judge(folder, disk.acknowledged(), verdict);
    rmSync(folder, { recursive: true });
  }
  return verdict;
}

describe.skipIf(!straceWorks())('a power cut', () => {
  let place = '';
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'footnote-power-'));
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  async function record(level: SynchronousLevel): Promise<{ events: readonly DiskEvent[]; folder: string }> {
    const folder = join(place, level);
    mkdirSync(folder);
    const { events, output } = await traceWriter(folder, script, [level, String(seed), String(transactions)]);
    expect(output).toContain('CLOSED');
    expect(events.filter(({ kind }) => kind === 'ack')).toHaveLength(transactions);
    return { events, folder };
  }

  it(`loses nothing acknowledged and corrupts nothing in ${images} images at FULL`, async () => {
    const { events, folder } = await record('FULL');
    // The trace is complete: replayed without loss it gives the very file that the writer left behind.
    const disk = createDisk(events);
    while (disk.step());
    const replayed = Buffer.from(disk.whole().get('record.sqlite') ?? []);
    expect(replayed.equals(readFileSync(join(folder, 'data', 'record.sqlite')))).toBe(true);
    const verdict = await cutOften(events, place, images);
    console.log(
      `power cuts at FULL, seed ${seed}: ${JSON.stringify({ ...verdict, examples: verdict.examples.slice(0, 3) })}`,
    );
    expect(verdict.examples).toEqual([]);
    expect(verdict.sound).toBe(images);
  });

  it.each(['NORMAL', 'OFF'] as const)('is seen to lose acknowledged writes at %s: the test can fail', async (level) => {
    const { events } = await record(level);
    const count = images / 4;
    const verdict = await cutOften(events, place, count);
    console.log(
      `power cuts at ${level}, seed ${seed}: ${JSON.stringify({ ...verdict, examples: verdict.examples.slice(0, 3) })}`,
    );
    expect(verdict.lost + verdict.corrupt).toBeGreaterThan(0);
    if (level === 'OFF') expect(verdict.corrupt).toBeGreaterThan(0);
  });
});
