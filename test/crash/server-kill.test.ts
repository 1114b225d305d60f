// kill -9 of the real server while it is fed over HTTP: documents posted and deleted, a folder synced, questions asked. What
// was answered with success is there after the restart, what was under way is there whole or not at all, record and index
// agree, and a sync that was cut off is made good by the next one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentIdOf, sha256 } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { programMain } from '../../testkit/bundled-program.ts';
import { createRandom, type Random } from '../../testkit/history.ts';
import { programEnvironment } from '../../testkit/program-environment.ts';
import { createWrite } from '../../testkit/record-fixture.ts';
import { expectAgreement } from './agreement.ts';

const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_121);
const kills = long ? 200 : 4;
const stillDocuments = long ? 100 : 3;
const writers = 2;
const source = 'kill';

/** What one document may be: its text hash, or undefined where it is absent. */
type State = string | undefined;
interface Expected {
  readonly acknowledged: Map<string, State>;
  /** The one request of each writer that had no answer yet. */
  readonly underway: Map<string, State>;
  readonly answers: string[];
  /** Called after each request that was answered. */
  onAnswered: () => void;
}

interface Server {
  readonly url: string;
  readonly readyMs: number;
  readonly child: ChildProcess;
}

async function start(data: string, killAfterMs?: number): Promise<Server | undefined> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [programMain, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnvironment(), HOME: data },
  });
  if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  let said = '';
  const address = Promise.withResolvers<string | undefined>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url) address.resolve(url);
    });
  void once(child, 'exit').then(() => address.resolve(undefined));
  const url = await address.promise;
  if (url !== undefined) return { url, child, readyMs: performance.now() - startedAt };
  if (killAfterMs === undefined) throw new Error(`The server did not start again: ${said}`);
  return undefined;
}

const post = (url: string, body?: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

/** Posts and deletes documents of its own, one request at a time, until the server is gone. */
async function writeOn(url: string, writer: number, random: Random, expected: Expected): Promise<void> {
  for (;;) {
    const uri = `w${writer}/${random.below(8)}.md`;
    const id = documentIdOf(source, uri);
    const isThere = expected.acknowledged.get(uri) !== undefined;
    const text = Array.from({ length: 20 + random.below(1500) }, () => random.next().toString(36).slice(2, 8)).join(
      ' ',
    );
    const next = isThere && random.next() < 0.3 ? undefined : sha256(text);
    expected.underway.set(uri, next);
    const response =
      next === undefined
        ? await fetch(`${url}/v1/documents/${id}`, { method: 'DELETE' })
        : await post(`${url}/v1/documents?wait=true`, { text, uri, source });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    expected.acknowledged.set(uri, next);
    expected.underway.delete(uri);
    expected.onAnswered();
  }
}

async function askOn(url: string, expected: Expected): Promise<void> {
  for (;;) {
    const response = await post(`${url}/v1/rag/sessions/one/messages`, {
      content: 'Which still meadow holds the ledger?',
    });
    const answer = (await response.json()) as { id: string; turnId: string };
    if (!response.ok) throw new Error(JSON.stringify(answer));
    expected.answers.push(answer.id);
    expected.onAnswered();
  }
}

async function syncOn(url: string): Promise<void> {
  for (;;) {
    const response = await post(`${url}/v1/sources/folder/sync`);
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    const { id } = (await response.json()) as { id: string };
    for (;;) {
      const run = (await (await fetch(`${url}/v1/ingestions/${id}`)).json()) as { state: string };
      if (run.state !== 'running') break;
    }
  }
}

const isGone = (error: unknown): boolean => error instanceof TypeError || String(error).includes('terminated');

/**
 * Works until the server is killed, a moment after a random number of answers (a slow machine is killed as often in the
 * middle of things as a fast one). Every worker ends on its broken connection; any other end is a failure.
 */
async function workUntilKilled(server: Server, random: Random, expected: Expected): Promise<void> {
  let answersLeft = random.below(20);
  const momentMs = random.next() * 80;
  const kill = (): void => void setTimeout(() => server.child.kill('SIGKILL'), momentMs);
  expected.onAnswered = () => {
    answersLeft -= 1;
    if (answersLeft === 0) kill();
  };
  if (answersLeft === 0) kill();
  const workers = [
    ...Array.from({ length: writers }, (_, writer) => writeOn(server.url, writer, random, expected)),
    askOn(server.url, expected),
    syncOn(server.url),
  ].map((worker) =>
    worker.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  for (const error of await Promise.all(workers)) if (!isGone(error)) throw error;
}

/** The record as the kill left it, opened without a server. Settles what was under way. */
async function inspect(data: string, expected: Expected): Promise<void> {
  const database = openSqliteRecord({ folder: data });
  try {
    expect(await database.check()).toEqual([]);
    await expectAgreement(database);
    const { documents } = database.forScope(localScope());
    for (const [uri, acknowledged] of new Map([...expected.underway, ...expected.acknowledged])) {
      const found = (await documents.findByUri(source, uri))?.textHash;
      const allowed = expected.underway.has(uri) ? [acknowledged, expected.underway.get(uri)] : [acknowledged];
      // A document that nobody acknowledged yet may also be absent.
      if (!expected.acknowledged.has(uri)) allowed.push(undefined);
      expect(allowed, `${uri} after the kill`).toContain(found);
      expected.acknowledged.set(uri, found);
    }
    expected.underway.clear();
    const turns = await database.forScope(localScope()).sessions.turns('one', 100_000);
    const told = new Set(turns.map(({ answer }) => answer.id));
    for (const id of expected.answers) expect(told.has(id), `answer ${id}`).toBe(true);
  } finally {
    await database.close();
  }
}

function writeFolder(folder: string, random: Random): void {
  for (let number = 0; number < 12; number += 1)
    if (random.next() < 0.5)
      writeFileSync(
        join(folder, `${number}.md`),
        `# Note ${number}\n\n${'ledger meadow '.repeat(random.below(300))}${random.next()}\n`,
      );
}

/** Documents that nobody changes: the record has a size, and the server does not read its own manual first. */
async function fill(data: string): Promise<number> {
  const database = openSqliteRecord({ folder: data });
  const scope = localScope();
  const store = createEmbeddedStore({ database, scope });
  const tenant = database.forScope(scope);
  await tenant.commit([{ kind: 'put-source', source: { name: 'still', type: 'docs' } }]);
  for (let number = 0; number < stillDocuments; number += 1) {
    const text = `The still meadow ${number} holds the ledger. ${'copper river orbit '.repeat(1000)}`;
    const write = createWrite(text, { id: `still_${number}`, uri: `still/${number}.md`, source: 'still' });
    await tenant.commit([{ kind: 'put-document', write }, store.entries.put([write])]);
  }
  const { chunks } = await tenant.documents.count();
  await database.close();
  return chunks;
}

describe('kill -9 of the server', () => {
  it(`loses nothing that was answered with success, in ${kills} kills`, async () => {
    const place = mkdtempSync(join(tmpdir(), 'footnote-server-kill-'));
    const [data, folder] = [join(place, 'data'), join(place, 'folder')];
    mkdirSync(folder);
    const random = createRandom(seed);
    const expected: Expected = {
      acknowledged: new Map(),
      underway: new Map(),
      answers: [],
      onAnswered: () => undefined,
    };
    const readyMs: number[] = [];
    let server: Server | undefined;
    try {
      const chunks = await fill(data);
      for (let kill = 0; kill < kills; kill += 1) {
        if (random.next() < 0.15) {
          const early = await start(data, 50 + random.next() * 800);
          if (early) await once(early.child, 'exit');
          await inspect(data, expected);
          continue;
        }
        writeFolder(folder, random);
        server = await start(data);
        if (!server) continue;
        readyMs.push(server.readyMs);
        await post(`${server.url}/v1/sources`, {
          name: 'folder',
          type: 'docs',
          connector: { kind: 'folder', path: folder },
        });
        await workUntilKilled(server, random, expected);
        await inspect(data, expected);
        if (kill % 25 === 24) console.log(`kill -9 of the server: ${kill + 1} of ${kills}, nothing lost so far`);
      }

      // The last start: what was cut off is made good by the next sync.
      writeFolder(folder, random);
      server = await start(data);
      if (!server) throw new Error('no server');
      await post(`${server.url}/v1/sources`, {
        name: 'folder',
        type: 'docs',
        connector: { kind: 'folder', path: folder },
      });
      const { id } = (await (await post(`${server.url}/v1/sources/folder/sync`)).json()) as { id: string };
      let run: { state: string; counts: { failed: number; found: number } };
      do run = (await (await fetch(`${server.url}/v1/ingestions/${id}`)).json()) as typeof run;
      while (run.state === 'running');
      expect([run.state, run.counts.failed]).toEqual(['done', 0]);
      const { data: stores } = (await (await fetch(`${server.url}/v1/stores`)).json()) as {
        data: { coverage: number }[];
      };
      expect(stores[0]?.coverage).toBe(1);
      server.child.kill('SIGTERM');
      await once(server.child, 'exit');
      await inspect(data, expected);
      const median = readyMs.toSorted((a, b) => a - b)[Math.floor(readyMs.length / 2)] ?? 0;
      console.log(
        `kill -9 of the server: ${kills} kills, seed ${seed}, ${expected.acknowledged.size} documents, ${expected.answers.length} answers, ${chunks} chunks at rest; ready after (process start to address): median ${median.toFixed(0)} ms, slowest ${Math.max(...readyMs).toFixed(0)} ms`,
      );
      expect(expected.answers.length).toBeGreaterThan(0);
    } finally {
      server?.child.kill('SIGKILL');
      rmSync(place, { recursive: true, force: true });
    }
  });
});
