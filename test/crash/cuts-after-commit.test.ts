// The connection to PostgreSQL is cut after it committed and before the server hears of that, at any commit of a request: the request ends right or with an error that
// says so, what it is told was made is there, and asked again under its key nothing is made twice.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createHttpApp } from '../../src/http/app.ts';
import { createRandom } from '../../testkit/history.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresProxy } from '../../testkit/postgres/proxy.ts';
import { openPostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { multipart } from '../contract/fake-app.ts';

const programs = postgresPrograms();
const cuts = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 40 : 200;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_130);
/** Commits that a request has, with those that only read. */
const mostCommits = 14;

interface Asked {
  readonly url: string;
  readonly payload: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is there of it. */
  readonly there: string;
}
const makers: readonly ((word: string) => Asked)[] = [
  (word) => ({
    url: '/v1/rag/sessions/talk/messages',
    payload: { content: `Where does the ship ${word} lie?` },
    there: `SELECT id FROM turn WHERE content LIKE '%${word}%'`,
  }),
  (word) => ({
    url: '/v1/documents',
    payload: { text: `The ship ${word} lies at a berth.`, uri: `${word}.md` },
    there: `SELECT id FROM document WHERE uri = '${word}.md'`,
  }),
  (word) => {
    const parts = [
      { field: 'purpose', value: 'assistants' },
      { file: `${word}.txt`, bytes: `The ship ${word}.` },
    ];
    return { url: '/v1/files', ...multipart(parts), there: `SELECT id FROM upload WHERE name = '${word}.txt'` };
  },
  (word) => ({
    url: '/v1/memories',
    payload: { text: `The ship ${word} is green.` },
    there: `SELECT 1 FROM memory AS m JOIN memory_origin AS o ON o.memory = m.row WHERE m.text LIKE '%${word}%'`,
  }),
  (word) => ({
    url: '/v1/rag/sessions',
    payload: { title: word },
    there: `SELECT id FROM session WHERE title = '${word}'`,
  }),
  (word) => ({
    url: '/v1/ingestions',
    payload: { text: `The ship ${word} sails.`, uri: `run-${word}.md`, source: word },
    there: `SELECT id FROM ingestion WHERE source = '${word}'`,
  }),
];

describe.skipIf(programs === undefined)(
  'connections cut after a commit (skipped where no PostgreSQL is installed)',
  () => {
    it(`double nothing and acknowledge nothing that is not there, in ${cuts} cuts`, { timeout: 900_000 }, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'footnote-cuts-'));
      const server = await openPostgresServer(programs ?? '');
      const address = await server.createDatabase();
      const proxy = await openPostgresProxy(address);
      const environment = { FOOTNOTE_DATA: join(folder, 'data'), FOOTNOTE_DATABASE_URL: proxy.address };
      const opened = await openFootnote(loadConfig({ folder, environment }));
      const app = createHttpApp({
        system: opened,
        authenticate: async () => undefined,
        hasKeys: async () => false,
        idempotency: opened.idempotency,
        version: 'test',
      });
      const random = createRandom(seed);
      const told: Record<string, number> = {};
      let acknowledged = 0;
      try {
        for (let n = 0; proxy.cuts() < cuts; n += 1) {
          const word = `w${n}x${random.below(1e6)}`;
          const { there, headers = {}, ...asked } = (makers[n % makers.length] as (typeof makers)[number])(word);
          const ask = () => app.inject({ method: 'POST', ...asked, headers: { ...headers, 'idempotency-key': word } });
          const isUnkept = ({ body }: Awaited<ReturnType<typeof ask>>) => body.includes('"component":"record"');
          proxy.cut('after-commit', 1, random.below(mostCommits));
          const first = await ask();
          proxy.mend();
          told[first.statusCode] = (told[first.statusCode] ?? 0) + 1;
          const count = async () => (await server.run(address, there)).length;
          const isGood = first.statusCode < 300;
          if (isGood && !isUnkept(first)) {
            acknowledged += 1;
            expect(await count(), `${asked.url}: ${first.body}`).toBe(1);
          }
          if (!isGood) expect([409, 503], first.body).toContain(first.statusCode);
          let last = first;
          for (let tries = 0; last.statusCode >= 300 && tries < 100; tries += 1) {
            await wait(100);
            last = await ask();
          }
          expect(last.statusCode, `${asked.url}: ${last.body}`).toBeLessThan(300);
          expect(await count(), `${asked.url}: ${first.body} ${last.body}`).toBe(1);
          // The same again, whatever was told.
          expect((await ask()).body).toBe(last.body);
          expect(await count()).toBe(1);
        }
        expect(await server.run(address, 'SELECT 1 FROM idempotency WHERE status IS NULL')).toEqual([]);
        expect(await opened.check()).toEqual([]);
        console.log(
          `cuts after COMMIT: ${proxy.cuts()}, seed ${seed}, told ${JSON.stringify(told)}; ${acknowledged} acknowledged at once, 0 of them not there, 0 doubled`,
        );
      } finally {
        await app.close();
        await opened.close();
        await proxy.close();
        server.remove();
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
);
