// What a search costs over HTTP beside what it must: the server's empty route and the engine's own search of the same chunks in this process,
// asked in turns, so that the noise of the machine falls on all. The server is a process of its own. About a minute.
//
//   npm run bench search-http [-- --chunks=40000] [--dry]
import { mkdtempSync, rmSync } from 'node:fs';
import { type Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Mode } from '../../src/core/search.ts';
import { buildSegment } from '../../src/engine/build-segment.ts';
import { createLexicalIndex } from '../../src/engine/lexical.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { analyzeQuery, analyzeText } from '../../src/text/analyze.ts';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import { median, quantile } from '../../testkit/engine-timing.ts';
import { createAgent } from '../../testkit/load/client.ts';
import { startServerProcess } from '../../testkit/server-process.ts';
import { toGoal } from '../engine/engine-goals.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({
  options: { dry: { type: 'boolean', default: false }, chunks: { type: 'string', default: '40000' } },
});
const seed = 1;
const chunks = Number(flags.chunks);
const topK = 10;
const warmUp = 100;
const queries = 600;
const linesAtOnce = 2_000;

const corpus = createSpeedCorpus(seed, chunks);
const language = 'en';

async function fill(folder: string, data: string): Promise<void> {
  const opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: data, LOG_LEVEL: 'silent' } }));
  const { documents } = opened.forScope(localScope());
  for (let from = 0; from < chunks; from += linesAtOnce) {
    const lines = Array.from({ length: Math.min(linesAtOnce, chunks - from) }, (_, index) =>
      JSON.stringify({ _id: `d${from + index}`, title: `Note ${from + index}`, text: corpus.chunk(from + index) }),
    );
    await documents.add({ bytes: new TextEncoder().encode(lines.join('\n')), name: `${from}.jsonl` });
  }
  await opened.settle(localScope().tenant);
  await opened.close();
}

/** The engine alone: analysis of the query and the best rows of one segment in memory. */
function openEngine(): (query: string) => number {
  const index = createLexicalIndex();
  const entries = Array.from({ length: chunks }, (_, row) => {
    const key = `d${row}`;
    return { row: row + 1, key, group: key, fields: [[], [], analyzeText(corpus.chunk(row), { language })], extra: [] };
  });
  index.replace([], [buildSegment(entries)]);
  return (query) => {
    const terms = analyzeQuery(query, { languages: [language] }).map((term) => ({ term, weight: 1 }));
    return index.search({ terms, limit: topK }).length;
  };
}

function send(agent: Agent, url: string, body?: object): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const outgoing = request(url, {
    method: body ? 'POST' : 'GET',
    agent,
    headers: body ? { 'content-type': 'application/json' } : {},
  });
  outgoing.on('error', reject);
  outgoing.on('response', (incoming) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    incoming.on('end', () => {
      if (incoming.statusCode === 200) resolve(text);
      else reject(new Error(`${url} answered ${incoming.statusCode}: ${text.slice(0, 300)}`));
    });
  });
  outgoing.end(body && JSON.stringify(body));
  return promise;
}

const place = mkdtempSync(join(tmpdir(), 'footnote-search-http-'));
await fill(place, join(place, 'data'));
const engine = openEngine();
const server = await startServerProcess(join(place, 'data'), { environment: { LOG_LEVEL: 'silent' } });
const agent = createAgent();

async function search(mode: Mode, query: string): Promise<void> {
  const { results } = JSON.parse(await send(agent, `${server.url}/v1/search`, { query, mode, topK })) as {
    results: unknown[];
  };
  if (results.length !== topK) throw new Error(`${mode} found ${results.length} of ${topK} for "${query}".`);
}

const asked: readonly { readonly name: string; ask(query: string): unknown }[] = [
  { name: 'empty route', ask: () => send(agent, `${server.url}/healthz`) },
  { name: "the engine's own search", ask: engine },
  { name: 'search over HTTP, embedded', ask: (query) => search('embedded', query) },
  { name: 'search over HTTP, hybrid', ask: (query) => search('hybrid', query) },
];
const times = new Map(asked.map(({ name }) => [name, [] as number[]]));
try {
  for (let round = -warmUp; round < queries; round += 1) {
    const query = corpus.query(round + warmUp, 'natural');
    for (const { name, ask } of round % 2 === 0 ? asked : asked.toReversed()) {
      const from = performance.now();
      await ask(query);
      if (round >= 0) times.get(name)?.push(performance.now() - from);
    }
  }
} finally {
  agent.destroy();
  await server.stop();
  rmSync(place, { recursive: true });
}

const p50 = (name: string): number => median(times.get(name) ?? []);
const embedded = p50('search over HTTP, embedded');
const least = p50('empty route') + p50("the engine's own search");
const goals = [
  {
    what: "embedded, ten hits: p50 over the sum of an empty route and the engine's own search",
    limit: 5,
    got: embedded / least,
  },
  { what: 'hybrid: p50 over embedded', limit: 1.5, got: p50('search over HTTP, hybrid') / embedded },
].map(toGoal);
const round = (value: number): number => Number(value.toPrecision(3));
const rows = [...times].map(([name, all]) => [name, round(median(all)), round(quantile(all, 0.95))]);
console.log(goals, rows);
if (!flags.dry)
  await writeResult('search-http', {
    title: 'A search over HTTP beside an empty route and the engine alone',
    command: 'npm run bench search-http',
    seed,
    data: [],
    metrics: { chunks, queries },
    goals,
    tables: [{ title: 'Milliseconds', columns: ['what', 'p50', 'p95'], rows }],
    notes: ['All four are asked in turns, one after another, over one kept connection; traces are written as usual.'],
  });
