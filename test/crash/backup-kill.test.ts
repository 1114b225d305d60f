// kill -9 in the middle of a backup and of a restore. A backup is there whole or not at all, and the next one is made as if nothing had been; a folder
// whose restore was cut off has its old record, the new one, or says that its record is missing, and is restored when the command is run again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { programMain } from '../../testkit/bundled-program.ts';
import { createRandom } from '../../testkit/history.ts';
import { programEnvironment } from '../../testkit/program-environment.ts';
import { createWrite } from '../../testkit/record-fixture.ts';

const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const random = createRandom(Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_129));
const kills = long ? 100 : 5;
describe('a kill in the middle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-backup-kill-'));
  const data = join(folder, 'data');
  const whole = join(folder, 'whole.tar');
  beforeAll(async () => {
    await fill(data, 'new', 300);
    expect((await run(['backup', whole, '--data', data])).code).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function fill(at: string, mark: string, documents: number): Promise<void> {
    const record = openSqliteRecord({ folder: at });
    const { commit } = record.forScope(localScope());
    for (let count = 0; count < documents; count += 1)
      await commit([
        {
          kind: 'put-document',
          write: createWrite(`${mark} ${count} ${'river meadow ledger '.repeat(5000)}`, { id: `${mark}-${count}` }),
        },
      ]);
    await record.close();
  }

  /** Kills it so long after it began to work, as its first file tells. */
  async function run(words: readonly string[], kill?: { readonly sign: () => boolean; readonly afterMs: number }) {
    const started = performance.now();
    const child = spawn(process.execPath, [programMain, ...words], {
      stdio: 'ignore',
      env: { ...programEnvironment(), HOME: folder },
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    let isEnded = false;
    void ended.then(() => (isEnded = true));
    let workMs = 0;
    if (kill) {
      while (!isEnded && !kill.sign()) await new Promise((next) => setTimeout(next, 1));
      workMs = performance.now() - started;
      setTimeout(() => child.kill('SIGKILL'), kill.afterMs);
    }
    const [code] = await ended;
    return { code, workMs: performance.now() - started - workMs };
  }

  it('of a backup leaves none, or a whole one', async () => {
    let cut = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const file = join(folder, `killed-${kill}.tar`);
      const sign = () => existsSync(`${file}.footnote-part`);
      const { code } = await run(['backup', file, '--data', data], { sign, afterMs: random.below(250) });
      if (code === null) cut += 1;
      if (!existsSync(file)) expect((await run(['backup', file, '--data', data])).code).toBe(0);
      const into = join(folder, `from-${kill}`);
      expect((await run(['restore', file, '--data', into])).code).toBe(0);
      expect(existsSync(`${file}.footnote-part`) && code !== null).toBe(false);
      for (const path of [file, into, `${file}.footnote-part`]) rmSync(path, { recursive: true, force: true });
    }
    expect(cut).toBeGreaterThan(kills / 3);
  });

  it('of a restore leaves the old record, the new one, or a folder that is refused until it is run again', async () => {
    const seen = { old: 0, new: 0, refused: 0 };
    for (let kill = 0; kill < kills; kill += 1) {
      const into = join(folder, `into-${kill}`);
      await fill(into, 'old', 3);
      const sign = () => existsSync(join(into, 'restoring'));
      await run(['restore', whole, '--replace', '--data', into], { sign, afterMs: random.below(200) });
      seen[await stateOf(into)] += 1;
      expect((await run(['restore', whole, '--replace', '--data', into])).code).toBe(0);
      expect(await stateOf(into)).toBe('new');
      expect(readdirSync(into)).not.toContain('restoring');
      rmSync(into, { recursive: true });
    }
    expect(seen.old).toBeGreaterThan(0);
    expect(seen.old + seen.new + seen.refused).toBe(kills);
  });

  async function stateOf(at: string): Promise<'old' | 'new' | 'refused'> {
    let record: ReturnType<typeof openSqliteRecord>;
    try {
      record = openSqliteRecord({ folder: at });
    } catch (error) {
      expect(isFootnoteError(error) && error.code).toBe('data-corrupt');
      return 'refused';
    }
    try {
      expect(await record.check()).toEqual([]);
      const { data: found } = await record.forScope(localScope()).documents.list({ limit: 1000 });
      expect([3, 300]).toContain(found.length);
      return found.length === 3 ? 'old' : 'new';
    } finally {
      await record.close();
    }
  }
});
