// Deleted is gone: words that stood only in what was deleted (documents, a source, a session) are nowhere in the data folder soon
// afterwards, neither in a table nor in a byte of a file, also where the server was killed between the deletion and its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answerSchema } from '../../src/core/answer.ts';
import { programMain } from '../../testkit/bundled-program.ts';
import { createRandom, type Random } from '../../testkit/history.ts';
import { programEnvironment } from '../../testkit/program-environment.ts';
import { findPlanted, plantedWord } from './planted-words.ts';

const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_121);
const kills = long ? 25 : 1;
/** G35. */
const longestMs = 60_000;

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

async function start(data: string): Promise<Server> {
  const child = spawn(process.execPath, [programMain, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnvironment(), HOME: data, ENABLE_SEMANTIC_MEMORY: 'true', ENABLE_ANSWER_CACHE: 'true' },
  });
  let said = '';
  const address = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url) address.resolve(url);
    });
  void once(child, 'exit').then(() => address.reject(new Error(`The server ended: ${said}`)));
  return { url: await address.promise, child };
}

async function stop({ child }: Server, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function call(
  { url }: Server,
  method: string,
  path: string,
  given: { readonly body?: unknown; readonly key?: string } = {},
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      // Looking through files takes longer than the server keeps a connection.
      connection: 'close',
      ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(given.key === undefined ? {} : { 'idempotency-key': given.key }),
    },
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

/** Words that were planted, by where they stand. */
interface Planted {
  readonly documents: readonly string[];
  readonly session: readonly string[];
  readonly source: readonly string[];
  /** Of conversations from elsewhere. */
  readonly talk: readonly string[];
}

const filler = 'The copper meadow ledger counts rivers and orbits of the quiet harbour every year.';

/** Fills a server with what stays, what goes, and everything that quotes it. Returns what to delete. */
async function fill(server: Server, random: Random, folder: string) {
  const words = (count: number): string[] => Array.from({ length: count }, () => plantedWord(random));
  const planted: Planted = { documents: words(30), session: words(16), source: words(10), talk: words(6) };
  const add = async (body: Record<string, unknown>, key?: string): Promise<string> => {
    const { status, json } = await call(server, 'POST', '/v1/documents?wait=true', { body, ...(key && { key }) });
    expect(status).toBe(202);
    return (json['documents'] as { id: string }[])[0]?.id as string;
  };
  // Enough that a model of meaning is learned of it.
  for (let n = 0; n < 35; n += 1)
    await add({
      text: `# Still ${n}\n\n${filler} Number ${n} stays. ${filler.repeat(n % 5)}`,
      uri: `still/${n}.md`,
      source: 'still',
    });
  const gone: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const own = planted.documents.slice(n * 5, n * 5 + 5);
    const text = `# Heading ${own[0]}\n\nThe keeper of ${own[1]} is ${own[2]}. ${filler}\n\n## Second\n\n${own[1]} was founded by ${own[2]} in 1911. ${`${filler} `.repeat(120)}\n\nLast, ${own[1]} and ${own[2]} met.`;
    gone.push(
      await add(
        {
          text,
          uri: `gone/${own[3]}.md`,
          title: `About ${own[1]}`,
          source: 'gone',
          metadata: { note: own[4] },
          category: own[0],
        },
        `document-${n}`,
      ),
    );
  }
  // One that was replaced: its first words are in no present text.
  const replaced = words(1)[0] as string;
  await add({ text: `The keeper of the first ${replaced} stays unknown. ${filler}`, uri: 'twice.md', source: 'still' });
  await add({ text: `The keeper of the second stays unknown. ${filler}`, uri: 'twice.md', source: 'still' });

  mkdirSync(folder, { recursive: true });
  for (const [n, word] of planted.source.entries())
    writeFileSync(join(folder, `${word}.md`), `# File ${n}\n\nThe captain of ${word} sails. ${filler}\n`);
  writeFileSync(join(folder, `broken-${planted.source[0]}.pdf`), '%PDF-1.4 not really');
  await call(server, 'POST', '/v1/sources', {
    body: { name: 'folder', type: 'docs', connector: { kind: 'folder', path: folder } },
  });
  const run = await call(server, 'POST', '/v1/sources/folder/sync');
  for (;;) {
    const { json } = await call(server, 'GET', `/v1/ingestions/${String(run.json['id'])}`);
    if (json['state'] !== 'running') break;
    await wait(50);
  }

  const answers: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const [, name] = planted.documents.slice(n * 5, n * 5 + 2);
    const body = { question: `Who is the keeper of ${name}?` };
    const { json } = await call(server, 'POST', '/v1/ask', { body, key: `ask-${n}` });
    answers.push(String(json['id']));
    await call(server, 'POST', '/v1/search', { body: { query: `${name} founded`, explain: true }, key: `search-${n}` });
    await call(server, 'POST', '/v1/search', { body: { query: filler } });
  }
  await call(server, 'POST', '/v1/ask', {
    body: { question: `Who is the captain of ${planted.source[1]}?` },
    key: 'captain',
  });
  const session = await call(server, 'POST', '/v1/rag/sessions', {
    body: { title: planted.session[0] },
    key: 'session',
  });
  const sessionId = String(session.json['id']);
  for (const [n, word] of planted.session.slice(1).entries())
    await call(server, 'POST', `/v1/rag/sessions/${sessionId}/messages`, {
      body: { content: `What does the ledger say of ${word}?` },
      key: `message-${n}`,
    });
  // What a session leaves elsewhere: a memory, a file that came with a message, what was said of its answer.
  const [remembered, , filed, said] = planted.session.slice(10);
  const message = (body: object) => call(server, 'POST', `/v1/rag/sessions/${sessionId}/messages`, { body });
  await message({ content: `I live in ${remembered}.` });
  await message({ content: 'Where do I live?' });
  const workspace = [{ path: `${planted.session[11]}.md`, text: `# Pump\n\nThe pump moves ${filed} litres.` }];
  const pumped = await message({ content: 'What does the pump move?', workspace });
  await call(server, 'POST', `/v1/answers/${String(pumped.json['id'])}/feedback`, {
    body: { rating: 'down', comment: `It is not ${said}.` },
  });
  await message({ content: `I prefer ${planted.session[14]} over ${planted.session[15]}.` });
  const messages = planted.talk.map((word, n) => ({
    role: 'user',
    text: `We decided that ${word} can wait. ${filler}`,
    timestamp: `2024-0${n + 1}-01T10:00:00Z`,
  }));
  await call(server, 'POST', '/v1/conversations/talk/turns', { body: { messages } });
  for (const word of planted.talk.slice(0, 2))
    await fetch(`${server.url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ messages: [{ role: 'user', content: `What did we decide about ${word}?` }] }),
    }).then((reply) => reply.text());
  // A session that stays, whose answers rest on what goes.
  const kept = `/v1/rag/sessions/kept/messages`;
  const asked = await call(server, 'POST', kept, { body: { content: 'Who founded what in 1911?' } });
  await call(server, 'POST', kept, { body: { content: 'Tell me more about it.' } });
  return { planted, replaced, gone, answers, sessionId, asked };
}

async function erased(server: Server): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { json } = await call(server, 'GET', '/v1/stores');
    const [store] = json['data'] as { erasing?: unknown; vectors?: { state: string } }[];
    if (store && !store.erasing) return performance.now() - from;
    if (performance.now() - from > longestMs) throw new Error(`Still erasing: ${JSON.stringify(store)}`);
    await wait(50);
  }
}

/** All traces that no question left. */
const toPlain = (found: ReturnType<typeof findPlanted>) => [...found].map(([place, words]) => [place, [...words]]);

describe('deleting', () => {
  it(`leaves none of 62 planted words in the data folder, also in ${kills} kills in between`, {
    timeout: 3_000_000,
  }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'footnote-erasure-'));
    const random = createRandom(seed);
    let server: Server | undefined;
    try {
      for (let round = 0; round <= kills; round += 1) {
        const data = join(place, `data-${round}`);
        mkdirSync(data);
        server = await start(data);
        const { planted, replaced, gone, answers, sessionId, asked } = await fill(
          server,
          random,
          join(place, `folder-${round}`),
        );
        // Learns the model of just this corpus.
        expect((await call(server, 'POST', '/v1/stores/embedded/sync')).status).toBe(200);
        const all = [...planted.documents, ...planted.session, ...planted.source, ...planted.talk];
        expect(all).toHaveLength(62);
        // The search sees what is there.
        const before = findPlanted(data, all);
        expect(new Set([...before.values()].flatMap((words) => [...words])).size).toBe(62);
        for (const table of [
          'answer.answer',
          'trace.events',
          'idempotency.body',
          'ingestion_file.uri',
          'turn.content',
          'memory.text',
          'feedback.comment',
          'embedding_model_part.bytes',
        ])
          expect([...before.keys()]).toContain(table);
        expect([...before.keys()].filter((place) => place.startsWith('archive_'))).not.toEqual([]);
        for (const id of gone) expect((await call(server, 'DELETE', `/v1/documents/${id}`)).status).toBe(204);
        expect((await call(server, 'DELETE', '/v1/sources/folder')).status).toBe(200);
        expect((await call(server, 'DELETE', `/v1/rag/sessions/${sessionId}`)).status).toBe(204);
        expect((await call(server, 'DELETE', '/v1/conversations/talk')).status).toBe(204);
        if (round > 0) {
          // At any moment of what follows, and once more while it is made good.
          await wait(random.below(1500));
          await stop(server, 'SIGKILL');
          server = await start(data);
          await wait(random.below(1500));
          await stop(server, 'SIGKILL');
          server = await start(data);
        }
        const tookMs = await erased(server);
        expect(toPlain(findPlanted(data, [...all, replaced]))).toEqual([]);

        // What was answered stays under its id, and says what is gone.
        for (const id of answers) {
          const { status, json } = await call(server, 'GET', `/v1/answers/${id}`);
          expect(status).toBe(200);
          const answer = answerSchema.parse(json);
          expect(answer.erased?.documents.length).toBeGreaterThan(0);
          const check = await call(server, 'POST', '/v1/answers/verify', { body: answer });
          expect([check.status, check.json['ok']]).toEqual([200, true]);
          const { json: trace } = await call(server, 'GET', `/admin/traces/${answer.traceId}`);
          expect((trace['events'] as { event: { type: string } }[]).at(-1)?.event.type).toBe('erased');
        }
        const turns = await call(server, 'GET', '/v1/rag/sessions/kept/messages');
        expect((turns.json['data'] as { id: string; content: string }[])[0]).toMatchObject({
          id: asked.json['turnId'],
          content: 'Who founded what in 1911?',
        });
        // A key whose reply was erased says so, and does not run its request again.
        const [question] = answers;
        const name = planted.documents[1];
        const again = await call(server, 'POST', '/v1/ask', {
          body: { question: `Who is the keeper of ${name}?` },
          key: 'ask-0',
        });
        expect([again.status, again.json['id']]).toEqual([200, question]);
        const posted = await call(server, 'GET', `/v1/documents/${gone[0]}`);
        expect(posted.status).toBe(404);
        await stop(server, 'SIGTERM');
        console.log(`erasure, round ${round}: none of 63 words left after ${tookMs.toFixed(0)} ms`);
      }
    } finally {
      if (server) await stop(server, 'SIGKILL');
      rmSync(place, { recursive: true, force: true });
    }
  });
});
