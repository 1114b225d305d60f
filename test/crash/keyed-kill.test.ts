// A server is killed between any two commits of a request under an Idempotency-Key, and asked the same again under the same key: what was asked for is there once,
// and the reply names it. Where the note is taken away that stands with the key, some of it is there twice.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { type ServerProcess, startServerProcess } from '../../testkit/server-process.ts';

const programs = postgresPrograms();
const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const patient = { timeout: 60_000 };
const preload = join(import.meta.dirname, '../../testkit/die-at-commit-process.ts');

type Rows = readonly Readonly<Record<string, unknown>>[];
interface Asked {
  readonly path: string;
  readonly body: object | FormData;
  /** What is there of it: ids that the reply may name. */
  readonly there: string;
}

const file = (name: string): FormData => {
  const form = new FormData();
  form.set('purpose', 'assistants');
  form.set('file', new Blob([`The ship ${name} lies at berth 7.`]), `${name}.txt`);
  return form;
};
/** By a word of its own; each has so many commits at most. */
const requests: Readonly<Record<string, { readonly commits: number; ask(word: string): Asked }>> = {
  message: {
    commits: 5,
    ask: (word) => ({
      path: '/v1/rag/sessions/talk/messages',
      body: { content: `Where does the ship ${word} lie?` },
      there: `SELECT answer_id AS id FROM turn WHERE content LIKE '%${word}%'`,
    }),
  },
  run: {
    commits: 4,
    ask: () => ({
      path: '/v1/sources/folder/sync',
      body: {},
      there: "SELECT id FROM ingestion WHERE source = 'folder'",
    }),
  },
  upload: {
    commits: 3,
    ask: (word) => ({ path: '/v1/files', body: file(word), there: `SELECT id FROM upload WHERE name LIKE '${word}%'` }),
  },
  memory: {
    commits: 3,
    ask: (word) => ({
      path: '/v1/memories',
      body: { text: `The ship ${word} is green.` },
      there: `SELECT m.id FROM memory AS m JOIN memory_origin AS o ON o.memory = m.row WHERE m.text LIKE '%${word}%'`,
    }),
  },
  session: {
    commits: 3,
    ask: (word) => ({
      path: '/v1/rag/sessions',
      body: { title: word },
      there: `SELECT id FROM session WHERE title = '${word}'`,
    }),
  },
  store: {
    commits: 4,
    ask: (word) => ({
      path: '/v1/vector_stores',
      body: { name: word },
      there: `SELECT 'vs_' || name AS id FROM source WHERE name LIKE '${word}%'`,
    }),
  },
};
const moments = Object.entries(requests).flatMap(([kind, { commits }]) =>
  Array.from({ length: commits }, (_, at) => ({ kind, at: at + 1 })),
);

type Moment = (typeof moments)[number];
interface Place {
  server?: ServerProcess | undefined;
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Past the servers. */
  run(sql: string): Promise<Rows>;
}

async function post(url: string, { path, body }: Asked, key: string) {
  const isForm = body instanceof FormData;
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'idempotency-key': key, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** A server that can be told at which commit it dies. */
async function serve({ data, environment, run }: Place): Promise<ServerProcess> {
  // As if another had declared dead those that were killed. The first finds no tables.
  if (environment['FOOTNOTE_DATABASE_URL'] !== undefined) await run('DELETE FROM server').catch(() => undefined);
  const file = `${data}-at`;
  return startServerProcess(data, {
    nodeArguments: ['--import', preload],
    environment: { ...environment, DIE_AT_COMMIT: file },
  });
}

/** From now on; never: nothing. False: it had died before. */
async function arm({ data, server }: Place, at: number): Promise<boolean> {
  if (!server) return false;
  writeFileSync(`${data}-at`, String(at));
  process.kill(server.pid, 'SIGUSR2');
  const heard = expect.poll(() => existsSync(`${data}-at`), patient).toBe(false);
  return Promise.race([Promise.resolve(heard).then(() => true), server.ended.then(() => false)]);
}
const never = -1;

/** Dies at the nth commit of a request, comes back, and is asked again. */
async function blow(place: Place, { kind, at }: Moment, { isWithoutNote = false } = {}) {
  const word = `w${Math.random().toString(36).slice(2, 10)}`;
  const asked = requests[kind]?.ask(word) as Asked;
  const before = (await place.run(asked.there)).length;
  place.server ??= await serve(place);
  await arm(place, at);
  const reply = await post(place.server.url, asked, word).catch(() => undefined);
  // What is written behind a reply may be what it dies of.
  if (reply === undefined) await place.server.ended;
  if (reply === undefined || !(await arm(place, never))) place.server = undefined;
  const left = (await place.run(asked.there)).length - before;
  if (isWithoutNote) await place.run('UPDATE idempotency SET effect = NULL');
  place.server ??= await serve(place);
  const again = await post(place.server.url, asked, word);
  expect(again.status, `${kind} ${at}: ${again.text}`).toBeLessThan(300);
  if (reply) expect(again.text, `${kind} ${at}`).toBe(reply.text);
  const rows = await place.run(asked.there);
  expect(
    rows.some(({ id }) => again.text.includes(`"${String(id)}"`)),
    `${kind} ${at}: ${again.text}`,
  ).toBe(true);
  await expect.poll(() => place.run("SELECT 1 FROM ingestion WHERE state = 'running'"), patient).toEqual([]);
  return { isBetween: reply === undefined && left > 0, made: rows.length - before };
}

function describeRecord(name: string, open: () => Promise<Place>, close: () => void): void {
  describe(name, () => {
    let place: Place | undefined;
    beforeAll(async () => {
      place = await open();
      const folder = join(place.data, '../folder');
      mkdirSync(folder);
      writeFileSync(join(folder, 'a.md'), '# A\n\nThe lighthouse is vermilion.\n');
      const server = await serve(place);
      place.server = server;
      const connector = { kind: 'folder', path: folder };
      const declared = { path: '/v1/sources', body: { name: 'folder', type: 'docs', connector }, there: '' };
      expect((await post(server.url, declared, 'folder')).status).toBeLessThan(300);
    });
    afterAll(async () => {
      await place?.server?.kill();
      close();
    });

    it(`makes once what is asked for again, in ${moments.length} moments`, { timeout: 600_000 }, async () => {
      const between: Record<string, Moment> = {};
      for (const moment of long ? [...moments, ...moments, ...moments] : moments) {
        const { isBetween, made } = await blow(place as Place, moment);
        expect(made, `${moment.kind} ${moment.at}`).toBe(1);
        if (isBetween) between[moment.kind] = moment;
      }
      // Where commits are made together there may be no moment between them.
      expect(Object.keys(between).length).toBeGreaterThan(3);
      let doubled = 0;
      const all = Object.values(between);
      for (const moment of [...all, ...all, ...all]) {
        const { isBetween, made } = await blow(place as Place, moment, { isWithoutNote: true });
        if (isBetween) doubled += made - 1;
        if (doubled > 2) break;
      }
      console.log(`${name}: ${moments.length} moments, 0 doubled; ${doubled} without the note`);
      expect(doubled).toBeGreaterThan(0);
    });
  });
}

const folders: string[] = [];
const dataFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-keyed-'));
  folders.push(folder);
  return join(folder, 'data');
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describeRecord(
  'SQLite',
  async () => {
    const data = dataFolder();
    const run = async (sql: string): Promise<Rows> => {
      const database = new DatabaseSync(join(data, 'record.sqlite'));
      try {
        return database.prepare(sql).all();
      } finally {
        database.close();
      }
    };
    return { data, environment: {}, run };
  },
  () => undefined,
);

let server: PostgresServer | undefined;
describe.skipIf(programs === undefined)('where PostgreSQL is installed', () => {
  describeRecord(
    'PostgreSQL',
    async () => {
      server = await openPostgresServer(programs ?? '');
      const address = await server.createDatabase();
      return {
        data: dataFolder(),
        environment: { FOOTNOTE_DATABASE_URL: address },
        run: (sql) => (server as PostgresServer).run(address, sql),
      };
    },
    () => server?.remove(),
  );
});
