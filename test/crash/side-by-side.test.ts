// A program of the next version beside this one over one database, while both are asked: it brings the tables up to its own, the older ones go on and go one
// after another, come back, and go again. Every request is done, some after a second try, and nothing that was acknowledged is lost. The next version is
// this one with a step more that only adds, as all are that older programs may live beside (`oldestReader`).
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { sha256 } from '../../src/core/ids.ts';
import { schemaVersion } from '../../src/db/postgres/tables/schema.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { type ServerProcess, startServerProcess } from '../../testkit/server-process.ts';

const programs = postgresPrograms();
const repository = join(import.meta.dirname, '../..');
const longestMs = 600_000;
const patient = { timeout: 120_000, interval: 50 };
const longestRequestMs = 60_000;
const workers = 4;
/** Documents that are taken between two changes of who serves. */
const between = 15;
/** What a balancer tries at another server. */
const triedAgain: ReadonlySet<number> = new Set([409, 503]);

/** The program with one step more, bundled; the file of its command line. */
function makeNext(folder: string): string {
  for (const name of ['src', 'scripts', 'packages', 'package.json', 'package-lock.json'])
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  for (const name of ['web', 'models', 'corpus', 'CHANGELOG.md'])
    symlinkSync(join(repository, name), join(folder, name));
  mkdirSync(join(folder, 'node_modules/@footnote'), { recursive: true });
  for (const name of readdirSync(join(repository, 'node_modules')))
    if (name !== '@footnote') symlinkSync(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
  symlinkSync(join(folder, 'packages/readers'), join(folder, 'node_modules/@footnote/readers'));
  const path = join(folder, 'src/db/postgres/tables/schema.ts');
  const schema = readFileSync(path, 'utf8');
  const last = '\n];\nexport const schemaVersion';
  expect(schema).toContain(last);
  const more = "\n  'ALTER TABLE document ADD later text; CREATE TABLE later (tenant text PRIMARY KEY);',";
  writeFileSync(path, schema.replace(last, more + last));
  execFileSync(process.execPath, [join(folder, 'scripts/bundle.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'dist/cli/main.js');
}

describe.skipIf(programs === undefined)('two versions (skipped where no PostgreSQL is installed)', () => {
  it('work side by side, forth and back and forth, and no request is lost', { timeout: longestMs }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'footnote-versions-'));
    const server = await openPostgresServer(programs ?? '');
    const address = await server.createDatabase();
    const rows = (sql: string) => server.run(address, sql);
    const next = makeNext(mkdtempSync(join(place, 'next-')));
    let started = 0;
    const serving: ServerProcess[] = [];
    async function start(program?: string): Promise<ServerProcess> {
      started += 1;
      const environment = { FOOTNOTE_DATABASE_URL: address, MODEL_EMBED: 'none' };
      const options = { environment, ...(program !== undefined && { program }) };
      const one = await startServerProcess(join(place, `data ${started}`), options);
      serving.push(one);
      return one;
    }
    /** Whoever asks it meanwhile has to ask another one. */
    async function stop(one: ServerProcess): Promise<void> {
      await one.stop();
      serving.splice(serving.indexOf(one), 1);
    }
    const documents = new Map<string, string>();
    const answers: string[] = [];
    const wrong: string[] = [];
    const by = new Map<string, number>();
    let triedTwice = 0;
    let turn = 0;
    /** As a balancer does: whoever serves is asked in turns, until one has done it. */
    async function send(path: string, body: object, key?: string): Promise<Record<string, unknown>> {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
        body: JSON.stringify(body),
      };
      let last = '';
      const fromMs = performance.now();
      while (performance.now() - fromMs < longestRequestMs) {
        const { url } = serving[turn++ % serving.length] as ServerProcess;
        const signal = AbortSignal.timeout(longestRequestMs);
        const reply = await fetch(url + path, { ...init, signal }).catch((error: unknown) => {
          last = `${url}: ${String(error)}`;
        });
        const told = (await reply?.json().catch(() => undefined)) as Record<string, unknown> | undefined;
        if (reply?.ok && told) {
          by.set(url, (by.get(url) ?? 0) + 1);
          return told;
        }
        if (reply && !triedAgain.has(reply.status)) wrong.push(`${path}: ${reply.status} ${JSON.stringify(told)}`);
        if (reply) last = `${url}: ${reply.status} ${JSON.stringify(told)}`;
        triedTwice += 1;
        await wait(50);
      }
      wrong.push(
        `${path} ${key}: ${last}\n${serving.map(({ url, output }) => [url, ...output].join('\n')).join('\n')}`,
      );
      return {};
    }
    const ended = new AbortController();
    async function work(worker: number): Promise<void> {
      for (let n = 0; !ended.signal.aborted; n += 1) {
        const uri = `${worker}/${n}.md`;
        const text = `The ship ${worker}x${n} lies at berth ${n}.`;
        await send('/v1/documents?wait=true', { text, uri, source: 'load' }, uri);
        documents.set(uri, sha256(text));
        const found = await send('/v1/search', { query: `ship ${worker}x${n}`, mode: 'embedded' });
        if (!JSON.stringify(found).includes(uri)) wrong.push(`${uri} was not found.`);
        const content = `Where does the ship ${worker}x${n} lie?`;
        const told = await send('/v1/rag/sessions/talk/messages', { content }, `ask-${uri}`);
        answers.push(String(told['id']));
      }
    }
    /** Each that serves takes its part. */
    async function goOn(): Promise<void> {
      const before = documents.size;
      const served = new Map(serving.map(({ url }) => [url, by.get(url) ?? 0]));
      await expect.poll(() => documents.size > before + between || wrong.length > 0, patient).toBe(true);
      for (const [url, count] of served)
        await expect.poll(() => (by.get(url) ?? 0) > count || wrong.length > 0, patient).toBe(true);
      expect(wrong).toEqual([]);
    }
    const version = async () => Number((await rows('SELECT max(version) AS at FROM schema_version'))[0]?.['at']);
    try {
      const [a, b] = [await start(), await start()];
      const working = Array.from({ length: workers }, (_, at) => work(at));
      await goOn();
      expect(await version()).toBe(schemaVersion);
      const c = await start(next);
      expect(await version()).toBe(schemaVersion + 1);
      await goOn();
      await stop(b);
      await goOn();
      await stop(a);
      await goOn();
      // Back, over the tables of the next version, and forth again.
      const d = await start();
      await goOn();
      await stop(c);
      await goOn();
      await start(next);
      await goOn();
      await stop(d);
      await goOn();
      ended.abort();
      await Promise.all(working);
      expect(wrong).toEqual([]);

      const kept = new Map(
        (await rows("SELECT uri, text_hash FROM document WHERE source = 'load'")).map((row) => [
          row['uri'],
          row['text_hash'],
        ]),
      );
      expect(kept).toEqual(documents);
      const turns = (await rows("SELECT answer_id AS id FROM turn WHERE session_id = 'talk' ORDER BY ordinal")).map(
        ({ id }) => id,
      );
      expect(turns).toHaveLength(answers.length);
      expect(new Set(turns)).toEqual(new Set(answers));
      const revisions = (
        await rows("SELECT revision::int AS revision FROM commit_id WHERE tenant = 'default' ORDER BY revision")
      ).map(({ revision }) => revision);
      expect(revisions).toEqual(revisions.map((_, at) => at + 1));
      for (const one of [...serving]) await stop(one);
      const environment = { FOOTNOTE_DATA: join(place, 'last'), FOOTNOTE_DATABASE_URL: address };
      const last = await openFootnote(loadConfig({ folder: place, environment }));
      expect(await last.check()).toEqual([]);
      await last.close();
      console.log(
        `two versions: ${documents.size} documents and ${answers.length} messages, 0 lost, ${triedTwice} tries again`,
      );
    } finally {
      ended.abort();
      for (const one of serving) await one.kill();
      server.remove();
      rmSync(place, { recursive: true, force: true });
    }
  });
});
