// A server that is asked ten times what it can answer, and a tenant that is asked beside one that asks without end (G17). Answers are the
// documents' own sentences: no model is asked. Server and generator are processes of their own. About two minutes.
//
//   npm run bench overload [-- --small] [--dry]
import { mkdtempSync, rmSync } from 'node:fs';
import { type Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { median, quantile } from '../../testkit/engine-timing.ts';
import { arrivals, createAgent, openLoop } from '../../testkit/load/client.ts';
import { createLoadCorpus } from '../../testkit/load/corpus.ts';
import { startServerProcess } from '../../testkit/server-process.ts';
import { toGoal } from '../engine/engine-goals.ts';
import { writeResult } from '../report.ts';

const isSmall = process.argv.includes('--small');
const isDry = isSmall || process.argv.includes('--dry');
const size = isSmall ? { documents: 300, seconds: 3, rounds: 1 } : { documents: 3_000, seconds: 15, rounds: 3 };
const seed = 1;
/** Clients that each ask again as soon as they are answered: more than are worked on at once. */
const fullClients = 8;
const overloadTimes = 10;
/** Of the peak: what a quiet tenant asks. */
const quietShare = 0.1;
/** Asked one after another by the noisy tenant. */
const noisyClients = 64;
/** As soon as this many answers in a row are as quick as before, the server is back. */
const probes = 10;

const tenants = ['default', 'other'] as const;
const corpus = createLoadCorpus(seed, size.documents);
const say = (what: string): void => console.log(`${Math.round(performance.now() / 1000)} s: ${what}`);

/** Both tenants hold the same documents. Returns a key of each. */
async function fill(folder: string, data: string): Promise<readonly string[]> {
  const lines = Array.from({ length: size.documents }, (_, index) => JSON.stringify(corpus.record(index))).join('\n');
  const opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: data } }));
  try {
    const keys: string[] = [];
    for (const tenant of tenants) {
      const { documents } = opened.forScope({ ...localScope(), tenant });
      await documents.add({ bytes: new TextEncoder().encode(lines), name: 'lighthouses.jsonl', source: 'load' });
      await opened.settle(tenant);
      keys.push((await opened.keys.create({ name: tenant, tenant, role: 'reader' })).secret);
    }
    return keys;
  } finally {
    await opened.close();
  }
}

interface Reply {
  /** 0: the connection broke. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  /** Since it was due. */
  readonly ms: number;
}

interface Client {
  readonly url: string;
  readonly key: string;
  readonly agent: Agent;
}

let asked = 0;
function ask({ url, key, agent }: Client, dueAtMs = performance.now()): Promise<Reply> {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const end = (status: number, hasRetryAfter = false): void =>
    resolve({ status, hasRetryAfter, ms: performance.now() - dueAtMs });
  const outgoing = request(`${url}/v1/ask`, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  });
  outgoing.on('error', () => end(0));
  outgoing.on('response', (incoming) => {
    incoming.resume();
    incoming.on('end', () => end(incoming.statusCode ?? 0, incoming.headers['retry-after'] !== undefined));
    incoming.on('error', () => end(0));
  });
  // A step that shares no divisor with the corpus: no question comes twice while there are others.
  asked += 7919;
  outgoing.end(JSON.stringify({ question: corpus.question(asked % size.documents) }));
  return promise;
}

/** So many clients ask without end, for so long; answers a second. */
async function askWithoutEnd(client: Client, clients: number, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let answered = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) if ((await ask(client)).status === 200) answered += 1;
    }),
  );
  return answered / seconds;
}

const isRefused = ({ status, hasRetryAfter }: Reply): boolean => (status === 429 || status === 503) && hasRetryAfter;

/** Seconds until `probes` answers in a row take at most twice `usualMs`. */
async function secondsUntilBack(client: Client, usualMs: number): Promise<number> {
  const from = performance.now();
  let quick = 0;
  while (quick < probes && performance.now() - from < 60_000) {
    const { status, ms } = await ask(client);
    quick = status === 200 && ms <= 2 * usualMs ? quick + 1 : 0;
  }
  return (performance.now() - from) / 1000;
}

interface Overloaded {
  readonly peak: number;
  readonly asked: number;
  /** Answers a second while it lasted. */
  readonly goodput: number;
  readonly refused: number;
  readonly others: number;
  readonly backSeconds: number;
}

interface Round extends Overloaded {
  /** p99 of the quiet tenant. */
  readonly aloneMs: number;
  readonly besideMs: number;
}

async function overload(client: Client): Promise<Overloaded> {
  const usual: number[] = [];
  for (let one = 0; one < 50; one += 1) usual.push((await ask(client)).ms);
  const peak = await askWithoutEnd(client, fullClients, size.seconds);
  const times = arrivals(seed, { perSecond: peak * overloadTimes, seconds: size.seconds });
  const from = performance.now();
  const replies = await openLoop(times, async (_, dueAtMs) => {
    const reply = await ask(client, dueAtMs);
    return { ...reply, endMs: performance.now() - from };
  });
  const backSeconds = await secondsUntilBack(client, median(usual));
  const during = replies.filter(({ status, endMs }) => status === 200 && endMs <= size.seconds * 1000);
  return {
    peak,
    asked: replies.length,
    goodput: during.length / size.seconds,
    refused: replies.filter(isRefused).length,
    others: replies.filter((reply) => reply.status !== 200 && !isRefused(reply)).length,
    backSeconds,
  };
}

async function quietTenant(quiet: Client, perSecond: number, noisy?: Client): Promise<number> {
  const times = arrivals(seed, { perSecond, seconds: size.seconds * 2 });
  const noise = noisy && askWithoutEnd(noisy, noisyClients, size.seconds * 2);
  const replies = await openLoop(times, (_, dueAtMs) => ask(quiet, dueAtMs));
  await noise;
  const lost = replies.filter(({ status }) => status !== 200).length;
  return lost > 0
    ? Number.POSITIVE_INFINITY
    : quantile(
        replies.map(({ ms }) => ms),
        0.99,
      );
}

const folder = mkdtempSync(join(tmpdir(), 'footnote-bench-overload-'));
const data = join(folder, 'data');
try {
  const keys = await fill(folder, data);
  const server = await startServerProcess(data);
  const agent = createAgent();
  const [noisy, quiet] = keys.map((key): Client => ({ url: server.url, key, agent })) as [Client, Client];
  try {
    await askWithoutEnd(noisy, fullClients, size.seconds / 2);
    await askWithoutEnd(quiet, fullClients, size.seconds / 2);
    say('warm');
    const rounds: Round[] = [];
    for (let round = 0; round < size.rounds; round += 1) {
      const over = await overload(noisy);
      const aloneMs = await quietTenant(quiet, over.peak * quietShare);
      const besideMs = await quietTenant(quiet, over.peak * quietShare, noisy);
      rounds.push({ ...over, aloneMs, besideMs });
      say(`round ${round + 1}: ${JSON.stringify(rounds.at(-1))}`);
    }
    const middle = (of: (round: Round) => number): number => median(rounds.map(of));
    const goals = [
      {
        what: 'answers a second at ten times the peak, over the peak',
        limit: 0.8,
        got: middle(({ goodput, peak }) => goodput / peak),
        least: true,
      },
      {
        what: 'requests neither answered nor refused with 429 or 503 and Retry-After',
        limit: 0,
        got: middle(({ others }) => others),
      },
      {
        what: 'seconds until answers are as quick as before',
        limit: 10,
        got: middle(({ backSeconds }) => backSeconds),
      },
      {
        what: 'p99 of a quiet tenant beside a noisy one, over alone',
        limit: 2,
        got: middle(({ besideMs, aloneMs }) => besideMs / aloneMs),
      },
    ].map(toGoal);
    console.log(goals);
    const round = (value: number): number => Number(value.toPrecision(3));
    if (!isDry)
      await writeResult('overload', {
        title: 'Ten times more questions than can be answered, and a quiet tenant beside a noisy one',
        command: 'npm run bench overload',
        seed,
        data: [],
        metrics: Object.fromEntries(goals.map(({ what, got }) => [what, Number(got)])),
        goals,
        tables: [
          {
            title: 'Rounds',
            columns: [
              'peak answers/s',
              'asked',
              'answered/s meanwhile',
              'refused',
              'others',
              's until back',
              'quiet p99 alone, ms',
              'quiet p99 beside, ms',
            ],
            rows: rounds.map((one) => [
              round(one.peak),
              one.asked,
              round(one.goodput),
              one.refused,
              one.others,
              round(one.backSeconds),
              round(one.aloneMs),
              round(one.besideMs),
            ]),
          },
        ],
        notes: [
          `${size.documents} documents for each of two tenants; questions to POST /v1/ask without a model. The peak is of ${fullClients} clients that ask without end for ${size.seconds} s, the overload arrives at times fixed beforehand for as long; a quiet tenant asks a tenth of the peak for ${size.seconds * 2} s beside ${noisyClients} clients of another that ask without end.`,
          'The generator shares the two processors with the server.',
        ],
      });
  } finally {
    agent.destroy();
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
