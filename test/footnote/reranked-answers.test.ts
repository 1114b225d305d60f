// The configured reranker orders searches and what answers read, leaves its call in the trace, and harms neither when it is down.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';
import { standardReply } from '../fakes/rerank-http.ts';

const texts = ['Tower tower tower tower stands.', 'The tower of the town is 330 metres tall.', 'A tall tale.'];

it('reranks searches and answers, and goes on without', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-reranked-'));
  const server = await openFakeServer(standardReply);
  const environment = { FOOTNOTE_DATA: folder, MODEL_RERANK: 'service:tiny', RERANK_BASE_URL: `${server.address}/v1` };
  const opened = await openFootnote(loadConfig({ folder, environment }));
  const footnote = opened.forScope(localScope());
  const lines = texts.map((text, at) => JSON.stringify({ _id: `d${at}`, title: `Note ${at}`, text })).join('\n');
  await footnote.documents.add({ bytes: new TextEncoder().encode(lines), name: 'corpus.jsonl', source: 'corpus' }, {});
  const search = () => footnote.search({ query: 'how tall is the tower of the town', mode: 'embedded' }, {});
  const found = await search();
  expect(found.results[0]).toMatchObject({ documentId: 'd1', scores: { rerank: 0.875 }, ranks: { rerank: 1 } });
  const events: string[] = [];
  const answer = await footnote.ask(
    { question: 'How tall is the tower of the town?', mode: 'embedded' },
    { onEvent: (event) => void events.push(event.type === 'call' ? event.call.port : event.type) },
  );
  expect(answer.answer).toContain('330 metres');
  expect(answer.usage.inputTokens).toBe(36);
  expect(events).toEqual(expect.arrayContaining(['reranker', 'reranking']));
  await server.close();
  const without = await search();
  expect(without.results).toHaveLength(3);
  expect(without.degraded).toMatchObject([{ component: 'reranker', code: 'upstream-unavailable' }]);
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});
