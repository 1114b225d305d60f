// A server whose way to PostgreSQL is slow, silent, carries one direction only, or is cut, while it is asked for all that people ask: every request is
// done rightly or ends in a typed error, in its time, and what was acknowledged is there when the way is whole again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { sha256 } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { createRandom } from '../../testkit/history.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresProxy, type PostgresProxy } from '../../testkit/postgres/proxy.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { isLongRun } from '../../testkit/sample.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';

const programs = postgresPrograms();
const requestsAWay = isLongRun ? 200 : 20;
const requestsAtOnce = 10;
const deadlineMs = 2000;
/**
 * So long nobody may answer a statement until its request is told that the database is away, and then a machine that has more to do. A statement alone
 * would be waited for half a minute.
 */
const patienceMs = 18_000;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_201);
const longestMs = 1_800_000;
const patient = { timeout: 90_000, interval: 200 };
/** A second each way and back, and what writes waits for its turn: ten requests take a minute. */
const slowest = 'slow by 500 ms';
const requestsOf = (way: string): number => (way === slowest ? requestsAWay / 5 : requestsAWay);
const ways: Readonly<Record<string, (proxy: PostgresProxy) => void>> = {
  'slow by 50 ms': (proxy) => proxy.delay(50),
  ...(isLongRun && { [slowest]: (proxy: PostgresProxy) => proxy.delay(500) }),
  silent: (proxy) => proxy.cut('silence'),
  'half-open': (proxy) => proxy.cut('half-open'),
  'cut before COMMIT': (proxy) => proxy.cut('before-commit', 6),
  'cut after COMMIT': (proxy) => proxy.cut('after-commit', 6),
  cut: (proxy) => proxy.cut('everything'),
};
/** What a request ends in that could not be done in time: nothing else is excused by the way to the database. */
const excused: ReadonlySet<unknown> = new Set(['storage-busy', 'deadline-exceeded']);

interface Reply {
  readonly status: number;
  readonly told: Readonly<Record<string, unknown>>;
  readonly tookMs: number;
}

describe.skipIf(programs === undefined)('a database that is hardly reached (skipped where none is installed)', () => {
  let folder: string;
  let server: PostgresServer;
  let address: string;
  let proxy: PostgresProxy;
  let opened: OpenedFootnote;
  let served: HttpServer;
  const random = createRandom(seed);
  let made = 0;
  /** Hashes of texts by uri, and what was deleted; of both whoever was told so. */
  const put = new Map<string, string>();
  const deleted = new Set<string>();
  const answered = new Set<string>();
  const rows = async (sql: string) => server.run(address, sql);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-partitions-'));
    server = await openPostgresServer(programs ?? '');
    address = await server.createDatabase();
    proxy = await openPostgresProxy(address);
    const environment = {
      FOOTNOTE_DATA: join(folder, 'data'),
      FOOTNOTE_DATABASE_URL: proxy.address,
      REQUEST_TIMEOUT_MS: String(deadlineMs),
      MODEL_EMBED: 'none',
    };
    opened = await openFootnote(loadConfig({ folder, environment }));
    served = await serveOpened(opened);
  });
  afterAll(async () => {
    proxy.mend();
    await served.close({ deadlineMs: 100 });
    await opened.close();
    await proxy.close();
    server.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function call(method: string, path: string, body?: object): Promise<Reply> {
    const fromMs = performance.now();
    const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(served.url + path, { method, ...init });
    const text = await response.text();
    const told = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, told, tookMs: performance.now() - fromMs };
  }

  const textOf = (uri: string): string => `The ship ${uri} lies at a berth of the harbour.`;
  const take = (uri: string) =>
    call('POST', '/v1/documents?wait=true', { text: textOf(uri), uri, source: 'load', mime: 'text/plain' });
  const wordsOf = ({ told }: Reply): string => JSON.stringify(told);

  /** Each with what it has to say where it is done. */
  const kinds: Readonly<Record<string, (word: string, victim: string) => Promise<readonly [Reply, boolean]>>> = {
    async search() {
      const reply = await call('POST', '/v1/search', { query: 'lighthouse vermilion', mode: 'embedded' });
      return [reply, wordsOf(reply).includes('light.md')];
    },
    async ask() {
      const reply = await call('POST', '/v1/ask', { question: 'Which colour does the lighthouse of Arkvik have?' });
      return [reply, /vermilion/u.test(wordsOf(reply)) || wordsOf(reply).includes('"degraded":[{')];
    },
    async put(word) {
      const reply = await take(`${word}.md`);
      if (reply.status < 300) put.set(`${word}.md`, sha256(textOf(`${word}.md`)));
      return [reply, true];
    },
    async delete(_, victim) {
      const reply = await call('DELETE', `/v1/documents/${victim}`);
      if (reply.status < 300) deleted.add(victim);
      return [reply, reply.status === 204];
    },
    async message(word) {
      const reply = await call('POST', '/v1/rag/sessions/talk/messages', { content: `Where does ${word} lie?` });
      // An answer is given also where it could not be kept, and says so.
      if (reply.status < 300 && !wordsOf(reply).includes('"component":"record"'))
        answered.add(String(reply.told['id']));
      return [reply, typeof reply.told['answer'] === 'string'];
    },
  };
  const isChange = (kind: string): boolean => kind === 'put' || kind === 'delete';
  const kindNames = Object.keys(kinds);

  /** As many requests at once as there are, two of each kind. */
  async function askAll(
    way: string,
    victims: readonly string[],
    took: Record<string, number>,
  ): Promise<readonly string[]> {
    const wrong: string[] = [];
    const asking = Array.from({ length: requestsAtOnce }, async (_, at) => {
      const kind = kindNames[at % kindNames.length] ?? '';
      const [reply, isRight] = (await kinds[kind]?.(`w${made++}`, victims[at] ?? '')) ?? [];
      const { status = 0, told = {}, tookMs = 0 } = reply ?? {};
      const what = `${way}, ${kind}: ${status} ${JSON.stringify(told)} in ${tookMs.toFixed(0)} ms`;
      const isExcused = excused.has(told['code']);
      // What changes something goes on as long as it is answered, however slowly: it is no question, which has a deadline.
      const isLate = tookMs > deadlineMs + patienceMs && !(way.startsWith('slow') && isChange(kind));
      if ((status < 300 ? !isRight : !isExcused) || isLate) wrong.push(what);
      took[kind] = Math.max(took[kind] ?? 0, Math.round(tookMs));
      return status < 300 ? 'done' : String(told['code']);
    });
    for (const became of await Promise.all(asking)) took[became] = (took[became] ?? 0) + 1;
    return wrong;
  }

  /** What was acknowledged is there, and nothing of it twice. */
  async function expectKept(): Promise<void> {
    const documents = await rows("SELECT id, uri, text_hash FROM document WHERE source = 'load'");
    const kept = new Map(documents.map((row) => [row['uri'], row['text_hash']]));
    for (const [uri, hash] of put) expect(kept.get(uri), uri).toBe(hash);
    for (const { id } of documents) expect(deleted.has(String(id)), String(id)).toBe(false);
    const turns = await rows(
      "SELECT ordinal::int AS ordinal, answer_id FROM turn WHERE session_id = 'talk' ORDER BY 1",
    );
    expect(turns.map(({ ordinal }) => ordinal)).toEqual(turns.map((_, at) => at + 1));
    const ids = new Set(turns.map((row) => row['answer_id']));
    for (const id of answered) expect(ids.has(id), id).toBe(true);
    const revisions = (
      await rows("SELECT revision::int AS revision FROM commit_id WHERE tenant = 'default' ORDER BY 1")
    ).map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.map((_, at) => at + 1));
  }

  for (const [way, begin] of Object.entries(ways))
    it(`does everything rightly or says why not, in its time: ${way}`, { timeout: longestMs }, async () => {
      const took: Record<string, number> = {};
      for (let asked = 0; asked < requestsOf(way); asked += requestsAtOnce) {
        const light = { text: 'The lighthouse of Arkvik is painted vermilion.', uri: 'light.md', source: 'fixed' };
        await expect
          .poll(async () => (await call('POST', '/v1/documents?wait=true', light)).status, patient)
          .toBeLessThan(300);
        const victims: string[] = [];
        for (let at = 0; at < requestsAtOnce; at += 1) {
          const [document] = await opened.forScope(localScope()).documents.add({
            text: `The barge ${way} ${asked} ${at}.`,
            uri: `${way}-${asked}-${at}.md`,
            source: 'load',
          });
          victims.push(document?.id ?? '');
        }
        begin(proxy);
        const asking = askAll(way, victims, took);
        const wrong = await asking.finally(() => proxy.mend());
        expect(wrong, JSON.stringify(took)).toEqual([]);
        if (random.next() < 0.3) await expectKept();
      }
      await expect.poll(async () => (await call('GET', '/readyz')).status, patient).toBe(200);
      await expectKept();
      expect(await opened.check()).toEqual([]);
      console.log(`partitions, ${way}: ${requestsOf(way)} requests, longest ms and outcomes ${JSON.stringify(took)}`);
    });
});
