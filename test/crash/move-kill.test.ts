// kill -9 in the middle of a move, into PostgreSQL and back, at whichever step: what is half moved is refused by whoever opens it, and the move goes on when
// it is run again, until it ends with the seal of one that nobody disturbed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresRecord } from '../../src/db/postgres/postgres-record.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { programMain } from '../../testkit/bundled-program.ts';
import { createRandom } from '../../testkit/history.ts';
import { makeWholeRecord } from '../../testkit/move/whole-record.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { programEnvironment } from '../../testkit/program-environment.ts';

const programs = postgresPrograms();
const kills = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 4 : 40;
const random = createRandom(Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_130));

describe.skipIf(programs === undefined)(
  'a kill in the middle of a move (skipped where no PostgreSQL is installed)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'footnote-move-kill-'));
    let server: PostgresServer;
    let address: string;
    let undisturbed: { seal: string | undefined; steps: number };

    /** Runs a move, and kills it so many milliseconds after it told so many steps. */
    async function move(
      to: string,
      { resume = true, steps = Number.POSITIVE_INFINITY, afterMs = 0, database = address } = {},
    ) {
      const words = ['move', '--to', to, '--data', join(folder, 'data'), ...(resume ? ['--resume'] : [])];
      const env = { ...programEnvironment(), HOME: folder, FOOTNOTE_DATABASE_URL: database };
      const child = spawn(process.execPath, [programMain, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let out = '';
      let err = '';
      let isKilled = false;
      child.stdout.on('data', (data: Buffer) => (out += data.toString()));
      child.stderr.on('data', (data: Buffer) => {
        err += data.toString();
        if (isKilled || err.split('…').length <= steps) return;
        isKilled = true;
        setTimeout(() => child.kill('SIGKILL'), afterMs);
      });
      const [code] = (await once(child, 'close')) as [number | null];
      // Its lease would end by itself within 15 s; whoever held it is gone.
      await server.run(database, 'DELETE FROM lease').catch(() => undefined);
      expect(err).not.toContain(server.password);
      return {
        code,
        err,
        steps: err.split('…').length - 1,
        seal: /seal (\w{64})/u.exec(out)?.[1],
      };
    }

    beforeAll(async () => {
      server = await openPostgresServer(programs ?? '');
      await makeWholeRecord(folder);
      address = await server.createDatabase();
      undisturbed = await move('postgres', { resume: false, database: await server.createDatabase() });
      expect(undisturbed).toMatchObject({ code: 0, seal: expect.any(String) as string });
    }, 300_000);
    afterAll(() => {
      server?.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    const whole = (data: string): Promise<unknown> =>
      data === 'postgres'
        ? openPostgresRecord(address).then((record) => record.close())
        : Promise.resolve().then(() => openSqliteRecord({ folder: data }).close());

    it.each(['postgres', join(folder, 'back')])('ends as if nothing had been: %s', { timeout: 600_000 }, async (to) => {
      let killed = 0;
      for (let at = 0; at < kills; at += 1) {
        const steps = 1 + random.below(undisturbed.steps - 1);
        const { code } = await move(to, { steps, afterMs: random.below(60) });
        if (code === 0) break;
        expect(code).toBe(null);
        killed += 1;
        await expect(whole(to)).rejects.toMatchObject({
          code: to === 'postgres' ? 'migration-needed' : 'data-corrupt',
        });
      }
      expect(killed).toBeGreaterThan(0);
      expect(await move(to)).toMatchObject({ code: 0, seal: undisturbed.seal });
      await whole(to);
    });
  },
);
