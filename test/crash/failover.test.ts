// Two servers whose PostgreSQL fails under load and whose standby takes over, again and again. A standby that had all before it was acknowledged: nothing that was
// answered with success is lost, and both go on. One that lagged behind: what it never had is given by no server again, also where it has counted as far since;
// a server that knows of it ends, and serves what is there when it is started again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresProxy, type PostgresProxy } from '../../testkit/postgres/proxy.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { type ServerProcess, startServerProcess } from '../../testkit/server-process.ts';

const programs = postgresPrograms();
const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const rounds = long ? 20 : 3;
/** Of twenty rounds each, which copy the whole database forty times. */
const longestMs = long ? 7_200_000 : 1_800_000;
const patient = { timeout: 60_000, interval: 50 };
/** Exit code of `already-running`. */
const endsBehind = 13;
const all = 'postgres';

interface Node {
  readonly data: string;
  readonly proxy: PostgresProxy;
  process: ServerProcess;
}

interface Worker {
  readonly node: Node;
  readonly at: number;
  readonly round: number;
}

async function post(node: Node, path: string, body: object, timeoutMs = 60_000) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(node.process.url + path, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  return { ok: response.ok, told: (await response.json()) as Record<string, unknown> };
}
const tried = (...given: Parameters<typeof post>): ReturnType<typeof post> =>
  post(...given).catch(() => ({ ok: false, told: {} }));
const put = (node: Node, uri: string, text: string) =>
  tried(node, '/v1/documents?wait=true', { text, uri, source: 'load' });
/** Addresses that a search gives; undefined: it could not be made. */
async function find(node: Node, query: string, topK = 20): Promise<readonly string[] | undefined> {
  const { ok, told } = await tried(node, '/v1/search', { query, topK }, 10_000);
  return ok ? (told['results'] as { uri: string }[]).map(({ uri }) => uri) : undefined;
}

describe.skipIf(programs === undefined)('a database that fails over (skipped where no PostgreSQL is installed)', () => {
  it(`loses nothing with a synchronous standby, and serves nothing that is lost, in ${rounds} rounds each`, {
    timeout: longestMs,
  }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'footnote-failover-'));
    let primary: PostgresServer = await openPostgresServer(programs ?? '');
    let standby: Awaited<ReturnType<PostgresServer['openStandby']>> | undefined;
    const database = await primary.createDatabase();
    const run = (sql: string, at: PostgresServer = primary) => at.run(at.addressHere(database), sql);
    const admin = (sql: string, at: PostgresServer) => at.run(at.addressHere(database).replace(/[^/]+$/u, all), sql);
    const nodes: Node[] = [];
    const start = ({ data, proxy }: Pick<Node, 'data' | 'proxy'>) =>
      startServerProcess(data, { environment: { FOOTNOTE_DATABASE_URL: proxy.address } });
    const acknowledged = new Set<string>();
    const answered = new Set<string>();
    const backMs: number[] = [];
    let restarts = 0;
    /** The standby has all before it is acknowledged, or as much as it gets. */
    async function follow(isSynchronous: boolean): Promise<void> {
      standby = await primary.openStandby();
      await admin(`ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? '*' : ''}'`, primary);
      await admin('SELECT pg_reload_conf()', primary);
      const state = isSynchronous ? "sync_state = 'sync'" : "state = 'streaming'";
      await expect
        .poll(() => admin(`SELECT 1 FROM pg_stat_replication WHERE ${state}`, primary), patient)
        .toHaveLength(1);
    }
    async function failOver(): Promise<void> {
      const next = standby as NonNullable<typeof standby>;
      primary.stop('immediate');
      next.promote();
      await admin("ALTER SYSTEM SET synchronous_standby_names = ''", next);
      await admin('SELECT pg_reload_conf()', next);
      for (const { proxy } of nodes) proxy.turnTo(next.addressHere(database));
      primary.remove();
      primary = next;
      standby = undefined;
    }
    async function work({ node, at, round }: Worker, ended: AbortSignal): Promise<void> {
      for (let n = 0; !ended.aborted; n += 1) {
        const uri = `${round}/${at}/${n}.md`;
        if ((await put(node, uri, `The ship ${uri} lies at a berth.`)).ok) acknowledged.add(uri);
        const { ok, told } = await tried(node, '/v1/rag/sessions/talk/messages', { content: `Where is ${uri}?` });
        const degraded = told['degraded'] as readonly { readonly component: string }[] | undefined;
        if (ok && !degraded?.some(({ component }) => component === 'record')) answered.add(String(told['id']));
      }
    }
    try {
      for (const name of ['a', 'b']) {
        const proxy = await openPostgresProxy(database);
        const at = { data: join(place, name), proxy };
        nodes.push({ ...at, process: await start(at) });
      }
      const [a, b] = nodes as [Node, Node];

      for (let round = 0; round < rounds; round += 1) {
        await follow(true);
        const ended = new AbortController();
        const working = [...nodes, ...nodes, ...nodes].map((node, at) => work({ node, at, round }, ended.signal));
        const before = acknowledged.size;
        await expect.poll(() => acknowledged.size, patient).toBeGreaterThan(before + 20);
        await failOver();
        const promotedMs = performance.now();
        const after = acknowledged.size;
        await expect.poll(() => acknowledged.size, patient).toBeGreaterThan(after);
        backMs.push(performance.now() - promotedMs);
        ended.abort();
        await Promise.all(working);
        const kept = new Set((await run("SELECT uri FROM document WHERE source = 'load'")).map(({ uri }) => uri));
        const turns = new Set(
          (await run("SELECT answer_id AS id FROM turn WHERE session_id = 'talk'")).map(({ id }) => id),
        );
        expect([...acknowledged].filter((uri) => !kept.has(uri))).toEqual([]);
        expect([...answered].filter((id) => !turns.has(id))).toEqual([]);
        // Nobody had anything to forget.
        for (const node of nodes) expect(await Promise.race([node.process.ended, wait(1, 'lives')])).toBe('lives');
      }

      for (let round = 0; round < rounds; round += 1) {
        await follow(false);
        const [there, lost] = [`kept/${round}.md`, `lost/${round}.md`];
        expect((await put(a, there, `The heron ${round} is kept.`)).ok).toBe(true);
        const next = standby as NonNullable<typeof standby>;
        await expect.poll(() => run(`SELECT 1 FROM document WHERE uri = '${there}'`, next), patient).toHaveLength(1);
        await admin("ALTER SYSTEM SET primary_conninfo = ''", next);
        await admin('SELECT pg_reload_conf()', next);
        await expect.poll(() => admin('SELECT 1 FROM pg_stat_replication', primary), patient).toEqual([]);
        for (let n = 0; n < 3; n += 1)
          expect((await put(a, n === 0 ? lost : `lost/${round}-${n}.md`, `The heron ${round} is lost.`)).ok).toBe(true);
        expect(await find(b, `heron ${round} lost`)).toContain(lost);
        const revision = async () =>
          Number((await run("SELECT revision FROM tenant_state WHERE tenant = 'default'"))[0]?.['revision']);
        const lostRevision = await revision();
        const ends = nodes.map((node) => node.process.ended);
        await failOver();
        expect(await revision()).toBeLessThan(lostRevision);
        // It counts further than before until anybody asks.
        const other = await openFootnote(
          loadConfig({
            folder: place,
            environment: { FOOTNOTE_DATA: join(place, 'other'), FOOTNOTE_DATABASE_URL: primary.addressHere(database) },
          }),
        );
        const documents = other.forScope(localScope()).documents;
        let added = 0;
        for (; (await revision()) <= lostRevision; added += 1)
          await documents.add({
            text: `The egret ${round} ${added}.`,
            uri: `new/${round}-${added}.md`,
            source: 'load',
          });
        await other.close();
        for (const [at, node] of nodes.entries()) {
          for (let isServed = false; !isServed; ) {
            const found = await find(node, `heron ${round} lost`);
            isServed = found !== undefined;
            if (found)
              expect([found.includes(there), found.some((uri) => uri.startsWith('lost/'))]).toEqual([true, false]);
            const code = await Promise.race([ends[at], wait(50, 'lives' as const)]);
            if (isServed || code === 'lives') continue;
            expect(code, node.process.output.join('\n')).toBe(endsBehind);
            node.process = await start(node);
            restarts += 1;
            ends[at] = node.process.ended;
          }
          const found = await find(node, `egret ${round}`, 100);
          expect(found?.filter((uri) => uri.startsWith(`new/${round}-`))).toHaveLength(added);
        }
      }
      expect(restarts).toBe(2 * rounds);
      console.log(
        `failover: ${rounds} with a synchronous standby, ${acknowledged.size} documents and ${answered.size} messages acknowledged, 0 lost, back after promotion in ${backMs.map((ms) => ms.toFixed(0)).join(', ')} ms; ${rounds} that lost commits, 0 of them served, ${restarts} servers ended`,
      );
    } finally {
      for (const node of nodes) {
        await node.process.kill();
        await node.proxy.close();
      }
      standby?.remove();
      primary.remove();
      rmSync(place, { recursive: true, force: true });
    }
  });
});
