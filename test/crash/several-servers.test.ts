// Two servers on one PostgreSQL while documents are put in and deleted, questions asked in one conversation and a folder read at both: servers are killed, stopped
// until they are taken for dead and let go on, cut off, and PostgreSQL is killed. What was answered with success is there once, or is not there where it
// was deleted; revisions have no holes, the other server goes on soon, what a dead one held is closed, and one that was taken for dead ends by itself.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { sha256 } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import { createRandom } from '../../testkit/history.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresProxy, type PostgresProxy } from '../../testkit/postgres/proxy.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { type ServerProcess, startServerProcess } from '../../testkit/server-process.ts';

const programs = postgresPrograms();
const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_130);
/** A hundred blows take half an hour. */
const longestMs = long ? 7_200_000 : 600_000;
const files = 60;
/** Exit code of `already-running`. */
const takenForDead = 13;
/** A server that is stopped within a transaction holds its tenant until its session was idle for ten seconds; the rest is for a machine with more to do. */
const longestHeldMs = 60_000;
const patient = { timeout: 90_000, interval: 200 };

type Blow = 'kill' | 'stop' | 'cut' | 'after-commit' | 'postgres';
const times = (count: number, blow: Blow): readonly Blow[] => Array<Blow>(count).fill(blow);
const blows: readonly Blow[] = long
  ? [
      ...times(50, 'kill'),
      ...times(20, 'stop'),
      ...times(10, 'cut'),
      ...times(10, 'after-commit'),
      ...times(10, 'postgres'),
    ]
  : [...times(4, 'kill'), 'stop', 'cut', 'cut', 'after-commit', 'postgres'];

interface Node {
  readonly name: string;
  readonly data: string;
  readonly proxy: PostgresProxy;
  process: ServerProcess;
  /** Documents that it took. */
  taken: number;
}

/** What was answered with success. */
interface Answered {
  /** Hashes of texts by uri. */
  readonly documents: Map<string, string>;
  readonly answers: string[];
  /** Addresses of documents that were deleted. */
  readonly deleted: Set<string>;
  /** How often something was not: by its status, `cut` where nothing was answered, `unkept` of answers that were not kept. */
  readonly refused: Record<string, number>;
}

interface Told {
  readonly id?: string;
  readonly documents?: readonly { readonly id: string }[];
  readonly degraded?: readonly { readonly component: string }[];
}
async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(url, { ...options, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) });
  const told = (await response.json()) as Told;
  return { ok: response.ok, status: response.status, told };
}

/** Asks a server one thing after another, whatever becomes of it. */
async function workAt(node: Node, answered: Answered, ended: AbortSignal): Promise<void> {
  const { name } = node;
  async function repeat(once: (n: number, url: string) => Promise<string>): Promise<void> {
    for (let n = 0; !ended.aborted; n++) {
      const became = await once(n, node.process.url).catch(() => 'cut');
      if (became !== 'ok') answered.refused[became] = (answered.refused[became] ?? 0) + 1;
      await wait(became === 'ok' ? 20 : 100);
    }
  }
  const put = async (n: number, url: string): Promise<string> => {
    const [uri, text] = [
      `${name}/${n}.md`,
      `The ship ${name}${n} lies at berth ${n} of the harbour. ${'rope oak '.repeat(n % 60)}`,
    ];
    const { ok, status } = await post(
      `${url}/v1/documents?wait=true`,
      { text, uri, source: 'load' },
      { 'idempotency-key': uri },
    );
    if (ok) answered.documents.set(uri, sha256(text));
    if (ok) node.taken += 1;
    return ok ? 'ok' : String(status);
  };
  const remove = async (n: number, url: string): Promise<string> => {
    const uri = `${name}/gone-${n}.md`;
    const text = `The wreck ${name}${n} was raised.`;
    const { ok, status, told } = await post(`${url}/v1/documents?wait=true`, { text, uri, source: 'load' });
    if (!ok) return String(status);
    const init = { method: 'DELETE', signal: AbortSignal.timeout(60_000) };
    const gone = await fetch(`${url}/v1/documents/${told.documents?.[0]?.id}`, init);
    if (gone.ok) answered.deleted.add(uri);
    return gone.ok ? 'ok' : String(gone.status);
  };
  const ask = async (n: number, url: string): Promise<string> => {
    const { ok, status, told } = await post(`${url}/v1/rag/sessions/talk/messages`, {
      content: `Where does ship ${name}${n} lie?`,
    });
    // An answer is given also where it could not be kept, and says so.
    const isKept = ok && !told.degraded?.some(({ component }) => component === 'record');
    if (isKept) answered.answers.push(told.id ?? '');
    return isKept ? 'ok' : ok ? 'unkept' : String(status);
  };
  const sync = async (_: number, url: string): Promise<string> => {
    const { status } = await post(`${url}/v1/sources/folder/sync`, {});
    await wait(300);
    return status < 300 || status === 409 ? 'ok' : String(status);
  };
  await Promise.all([repeat(put), repeat(remove), repeat(ask), repeat(sync)]);
}

describe.skipIf(programs === undefined)('several servers (skipped where no PostgreSQL is installed)', () => {
  it(`lose and double nothing in ${blows.length + 1} blows`, { timeout: longestMs }, async () => {
    const startedMs = performance.now();
    const place = mkdtempSync(join(tmpdir(), 'footnote-servers-'));
    const folder = join(place, 'folder');
    mkdirSync(folder);
    const random = createRandom(seed);
    const server: PostgresServer = await openPostgresServer(programs ?? '');
    const address = await server.createDatabase();
    const rows = (sql: string) => server.run(address, sql);
    const environment = { FOOTNOTE_DATA: join(place, 'test'), FOOTNOTE_DATABASE_URL: address };
    const open = () => openFootnote(loadConfig({ folder: place, environment }));
    const writeFiles = (): void => {
      for (let n = 0; n < files; n++)
        if (random.next() < 0.6)
          writeFileSync(
            join(folder, `${n}.md`),
            `# Note ${n}\n\n${'meadow '.repeat(random.below(900))}${random.next()}\n`,
          );
    };
    const startOn = ({ data, proxy }: Pick<Node, 'data' | 'proxy'>) =>
      startServerProcess(data, { environment: { FOOTNOTE_DATABASE_URL: proxy.address } });
    const nodes: Node[] = [];
    const answered: Answered = { documents: new Map(), answers: [], deleted: new Set(), refused: {} };
    const ended = new AbortController();
    try {
      const first = await open();
      const connector = { kind: 'folder', path: folder } as const;
      await first.forScope(localScope()).sources.put({ name: 'folder', type: 'docs', connector });
      await first.close();
      for (const name of ['a', 'b']) {
        const proxy = await openPostgresProxy(address);
        const at = { name, data: join(place, name), proxy };
        nodes.push({ ...at, process: await startOn(at), taken: 0 });
      }
      const [a, b] = nodes as [Node, Node];

      // One is killed while it reads the folder: the other closes its run, and reads it to the end.
      writeFiles();
      const { told } = await post(`${a.process.url}/v1/sources/folder/sync`, {});
      await a.process.kill();
      await rows(`UPDATE server SET seen_at = seen_at - interval '21 s' WHERE address = '${a.process.url}'`);
      const runOf = async (id: string | undefined) =>
        ((await (await fetch(`${b.process.url}/v1/ingestions/${id}`)).json()) as { readonly state: string }).state;
      await expect.poll(() => runOf(told.id), patient).toBe('interrupted');
      const again = await post(`${b.process.url}/v1/sources/folder/sync`, {});
      await expect.poll(() => runOf(again.told.id), patient).toBe('done');
      a.process = await startOn(a);

      const working = nodes.map((node) => workAt(node, answered, ended.signal));
      /** How long until a server that was not hit has taken documents, from now on. */
      async function goesOn(node: Node): Promise<number> {
        const { taken } = node;
        const fromMs = performance.now();
        await expect.poll(() => node.taken, { ...patient, interval: 20 }).toBeGreaterThan(taken + 1);
        return performance.now() - fromMs;
      }
      const heldMs: Partial<Record<Blow, number>> = {};
      const left = [...blows];
      while (left.length > 0) {
        const [blow = 'kill'] = left.splice(random.below(left.length), 1);
        const node = nodes[random.below(2)] as Node;
        const { process: hit, proxy } = node;
        writeFiles();
        const before = answered.documents.size;
        await wait(random.next() * 1000);
        const other = nodes.find((one) => one !== node) as Node;
        const going = blow === 'postgres' ? undefined : goesOn(other);
        if (blow === 'postgres') {
          server.stop('immediate');
          await wait(random.next() * 500);
          server.start();
        } else if (blow === 'cut') {
          proxy.cut('everything');
          await wait(300);
          proxy.mend();
        } else if (blow === 'after-commit') {
          proxy.cut('after-commit', 3);
          await wait(500);
          proxy.mend();
        } else if (blow === 'kill') {
          await hit.kill();
          node.process = await startOn(node);
        } else {
          process.kill(hit.pid, 'SIGSTOP');
          // As if it had been silent for so long; in the long run half of them are.
          const isSilent = long && random.next() < 0.5;
          if (!isSilent)
            await rows(`UPDATE server SET seen_at = seen_at - interval '21 s' WHERE address = '${hit.url}'`);
          await expect.poll(() => rows(`SELECT 1 FROM server WHERE address = '${hit.url}'`), patient).toEqual([]);
          process.kill(hit.pid, 'SIGCONT');
          expect(await hit.ended, hit.output.join('\n')).toBe(takenForDead);
          node.process = await startOn(node);
        }
        const goneOnMs = await (going ?? goesOn(other));
        heldMs[blow] = Math.max(heldMs[blow] ?? 0, Math.round(goneOnMs));
        expect(goneOnMs, blow).toBeLessThan(longestHeldMs);
        await expect.poll(() => answered.documents.size, patient).toBeGreaterThan(before + 4);
        if (left.length % 10 === 0) console.log(`several servers: ${left.length} blows left, nothing lost so far`);
      }
      ended.abort();
      await Promise.all(working);

      // What one took in the other answers with at once.
      const text = 'The lighthouse of Arkvik is painted vermilion.';
      expect(
        await post(`${a.process.url}/v1/documents?wait=true`, { text, uri: 'light.md', source: 'load' }),
      ).toMatchObject({ ok: true });
      const found = (await post(`${b.process.url}/v1/search`, { query: 'vermilion' })).told as {
        readonly results?: readonly { readonly uri: string }[];
      };
      expect(found.results?.[0]?.uri).toBe('light.md');

      const kept = new Map(
        (await rows("SELECT uri, text_hash FROM document WHERE source = 'load'")).map((row) => [
          row['uri'],
          row['text_hash'],
        ]),
      );
      for (const [uri, hash] of answered.documents) expect(kept.get(uri), uri).toBe(hash);
      for (const uri of answered.deleted) expect(kept.has(uri), uri).toBe(false);
      const turns = await rows(
        "SELECT ordinal::int AS ordinal, answer_id, content FROM turn WHERE session_id = 'talk' ORDER BY ordinal",
      );
      const ids = new Set(turns.map((row) => row['answer_id']));
      for (const id of answered.answers) expect(ids.has(id), id).toBe(true);
      expect(new Set(turns.map((row) => row['content'])).size).toBe(turns.length);
      expect(turns.map((row) => row['ordinal'])).toEqual(turns.map((_, at) => at + 1));
      const revisions = (
        await rows("SELECT revision::int AS revision FROM commit_id WHERE tenant = 'default' ORDER BY revision")
      ).map((row) => row['revision']);
      expect(revisions).toEqual(revisions.map((_, at) => at + 1));
      // Nothing is left of those that were killed, but for what lives.
      const alive = () => rows('SELECT 1 FROM server');
      await rows(
        `UPDATE server SET seen_at = seen_at - interval '21 s' WHERE address <> ALL (ARRAY['${a.process.url}', '${b.process.url}'])`,
      );
      await expect.poll(alive, patient).toHaveLength(2);
      await expect.poll(() => rows("SELECT 1 FROM ingestion WHERE state = 'running'"), patient).toEqual([]);
      expect(await rows('SELECT 1 FROM idempotency WHERE status IS NULL')).toEqual([]);
      for (const node of nodes) await node.process.stop();
      expect(await alive()).toEqual([]);
      const last = await open();
      expect(await last.check()).toEqual([]);
      expect(await last.forScope(localScope()).audit.verify()).toMatchObject({ ok: true });
      await last.close();
      console.log(
        `several servers: ${blows.length + 1} blows, seed ${seed}, ${answered.documents.size} documents, ${answered.deleted.size} deleted, ${answered.answers.length} answers, ${revisions.length} revisions, not done: ${JSON.stringify(answered.refused)}, the other went on within ms ${JSON.stringify(heldMs)}; ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
      );
    } finally {
      ended.abort();
      for (const { process: one, proxy } of nodes) {
        await one.kill();
        await proxy.close();
      }
      server.remove();
      rmSync(place, { recursive: true, force: true });
    }
  });
});
