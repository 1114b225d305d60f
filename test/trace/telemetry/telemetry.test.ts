// What a server counts, logs and exports of requests that have ended: by the log of the request, without what was said in it.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { ArchiveLogLine, SearchLogLine } from '../../../src/trace/telemetry/request-log.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';

interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

let folder: string;
let opened: OpenedFootnote;
const received: Received[] = [];
const lines: SearchLogLine[] = [];
const archiveLines: ArchiveLogLine[] = [];
const collector = createServer((request, reply) => {
  void bodyOf(request).then((body) => {
    received.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  folder = await mkdtemp(join(tmpdir(), 'footnote-telemetry-'));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20planted',
    LOG_QUERIES: 'true',
  };
  opened = await openFootnote(loadConfig({ folder, environment }), {
    withTelemetry: true,
    log(line) {
      if (line.event === 'search') lines.push(line);
      if (line.event === 'archive') archiveLines.push(line);
    },
  });
  const footnote = opened.forScope(localScope());
  const texts = ['The lighthouse is 41 metres tall.', 'The harbour opens at six. Its lighthouse was built in 1902.'];
  for (const [at, text] of texts.entries())
    await footnote.documents.add({ text, mime: 'text/plain', source: `notes-${at}`, uri: `${at}.txt` });
  await footnote.search({ query: 'lighthouse', mode: 'embedded' });
  await footnote.search({ query: 'zzyzx', mode: 'embedded' });
  await footnote.ask({ question: 'How tall is the lighthouse?', mode: 'embedded' });
  await footnote.ask({ question: 'How tall is the mast?', sources: ['nowhere'] }).catch(() => undefined);
  await footnote.ask({ question: 'How tall is the lighthouse, and when does the harbour open?', mode: 'vector' });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  collector.close();
});

describe('telemetry', () => {
  it('counts parts of questions', async () => {
    const text = await opened.telemetry?.text();
    expect(text).toMatch(/footnote_decomposition_parts_total\{outcome="asked"\} 2/u);
    expect(text).toMatch(/footnote_decomposition_sub_queries_sum(\{\})? 2\b/u);
    expect(text).toMatch(/footnote_leg_duration_count\{leg="store\.embedded"\} [1-9]/u);
  });

  it('counts requests, searches and claims', async () => {
    const text = await opened.telemetry?.text();
    expect(text).toContain('footnote_request_duration_count{kind="search",mode="embedded",outcome="found"} 1');
    expect(text).toContain('footnote_request_duration_count{kind="search",mode="embedded",outcome="empty"} 1');
    expect(text).toMatch(
      /footnote_request_duration_count\{kind="ask",mode="embedded",outcome="answered",intent="\w+"\} 1/u,
    );
    expect(text).toContain('footnote_search_empty_total{mode="embedded"} 1');
    expect(text).toContain('footnote_search_sources_sum{mode="embedded"}');
    expect(text).toMatch(/footnote_claims_total\{verdict="kept"\} [1-9]/u);
    expect(text).toContain('footnote_store_up{store="embedded"} 1');
    expect(text).not.toContain('lighthouse');
  });

  it('counts how memory grows, what recalls find, and what is taken away', async () => {
    const { memories } = opened.forScope(localScope());
    const first = await memories.add({ text: 'I prefer short answers' });
    await memories.add({ text: 'I prefer short answers' });
    await memories.add({ text: 'My name is Ada' });
    await memories.add({ text: 'My name is Grace' });
    await memories.recall({ query: 'what answers do I prefer?' });
    await memories.recall({ query: 'zzyzx' });
    await memories.prune({ dryRun: true });
    const grown = await opened.telemetry?.text();
    expect(grown).toContain('footnote_memory_changes_total{change="created"} 3');
    expect(grown).toContain('footnote_memory_changes_total{change="merged"} 1');
    expect(grown).toContain('footnote_memory_changes_total{change="superseded"} 1');
    expect(grown).toMatch(/footnote_memory_held(\{\})? 2\b/u);
    expect(grown).toContain('footnote_memory_recall_duration_count{outcome="hit"} 1');
    expect(grown).toContain('footnote_memory_recall_duration_count{outcome="miss"} 1');
    expect(grown).not.toContain('pruned');
    await memories.delete(first.memory.id);
    await memories.erase();
    const shrunk = await opened.telemetry?.text();
    expect(shrunk).toContain('footnote_memory_changes_total{change="deleted"} 1');
    expect(shrunk).toContain('footnote_memory_changes_total{change="erased"} 2');
    expect(shrunk).toMatch(/footnote_memory_held(\{\})? 0\b/u);
  });

  it('is text that Prometheus takes', async ({ skip }) => {
    const text = (await opened.telemetry?.text()) ?? '';
    try {
      execFileSync('promtool', ['check', 'metrics'], { input: text, stdio: 'pipe' });
    } catch (thrown) {
      if ((thrown as { code?: string }).code === 'ENOENT') return skip('promtool is not installed');
      // 3: what it would write otherwise (names without units); 1: not the format.
      expect((thrown as { status?: number }).status).toBe(3);
    }
  });

  it('writes one line of the log for each search, with what was asked where that is wanted', () => {
    expect(lines.slice(0, 3)).toMatchObject([
      {
        mode: 'embedded',
        resultCount: 2,
        usedFallback: false,
        sources: expect.arrayContaining(['notes-0', 'notes-1']),
        query: 'lighthouse',
      },
      { resultCount: 0, sources: [], query: 'zzyzx' },
      { query: 'How tall is the lighthouse?' },
    ]);
    expect(lines[0]?.topScore).toBeGreaterThan(0);
    expect(lines[0]?.avgScore).toBeLessThanOrEqual(lines[0]?.topScore ?? 0);
    expect(lines[1]).not.toHaveProperty('topScore');
  });

  it('writes one line for each answer that read past conversations, with the turns that were read', async () => {
    expect(archiveLines).toEqual([]);
    const { conversations, ask } = opened.forScope(localScope());
    const say = (at: number, text: string) =>
      conversations.addTurns('pond', {
        messages: [{ turn_id: `t${at}`, role: 'user', text, timestamp: `2023-06-1${at}T10:00:00Z` }],
      });
    await say(1, 'We decided to dig the pond behind the shed.');
    await say(2, 'The hedge needs cutting before autumn.');
    const asked = await ask({ question: 'What did we decide about the pond?' });
    const chatted = await conversations.chat({ messages: [{ role: 'user', content: 'Where do we dig the pond?' }] });
    expect(archiveLines).toMatchObject([
      { traceId: asked.traceId, outcome: 'answered', turns: [{ conversation_id: 'pond', turn_id: 't1' }] },
      { traceId: chatted.trace_id, query: 'Where do we dig the pond?' },
    ]);
    expect(archiveLines[1]?.turns.map(({ turn_id }) => turn_id)).toEqual(chatted.hydrated_turn_ids);
    expect(JSON.stringify(archiveLines)).not.toContain('shed');
  });

  it('knows every metric that the dashboard and the rules name', async () => {
    const text = (await opened.telemetry?.text()) ?? '';
    const shipped = await Promise.all(
      ['ops/grafana/dashboard.json', 'ops/prometheus/alerts.yml'].map((path) =>
        readFile(join(import.meta.dirname, '../../..', path), 'utf8'),
      ),
    );
    const source = await readFile(join(import.meta.dirname, '../../../src/trace/telemetry/instruments.ts'), 'utf8');
    const made = [...source.matchAll(/'((?:footnote|gen_ai)\.[a-z._]+)'/gu)].map(([, name]) =>
      name?.replaceAll('.', '_'),
    );
    const named = new Set(shipped.join('\n').match(/\b(?:footnote|gen_ai_client)_[a-z_]+(?=[{[\s)\\"]|$)/gu));
    const known = (name: string): boolean =>
      made.some(
        (one) =>
          one !== undefined &&
          (name === one || ['_count', '_sum', '_bucket', '_total'].some((end) => name === `${one}${end}`)),
      );
    expect([...named].filter((name) => !known(name) && !['footnote_role'].includes(name))).toEqual([]);
    expect(named.size).toBeGreaterThan(10);
    expect(text.length).toBeGreaterThan(1000);
  });

  it('exports spans and metrics to the collector, with its headers and without what was said', async () => {
    await opened.close();
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']));
    expect(new Set(received.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer planted']));
    const spans = received
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] })
      .flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
      );
    const roots = spans.filter(({ parentSpanId }) => !parentSpanId);
    expect(roots.map(({ name }) => name).sort()).toEqual(
      expect.arrayContaining(['invoke_agent footnote', 'retrieval footnote', 'retrieval footnote']),
    );
    const below = spans.filter(({ name }) => name === 'retrieval embedded');
    expect(below.length).toBeGreaterThanOrEqual(3);
    for (const span of below) expect(roots.map(({ spanId }) => spanId)).toContain(span.parentSpanId);
    for (const { body } of received) expect(body).not.toMatch(/lighthouse|zzyzx|harbour/u);
  });
});

interface Span {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}
