import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const lighthouse =
  '# The lighthouse\n\nMarta Oliveira designed the lighthouse of Cabo Frio in 1887. The lighthouse is 43 metres tall.\n\nMarta Oliveira was born in Porto in 1849.\n';

describe('asking through the facade', () => {
  let folder: string;
  let opened: OpenedFootnote;
  let footnote: Footnote;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-questions-'));
    opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
    footnote = opened.forScope(localScope());
    await footnote.documents.add({ text: lighthouse, mime: 'text/markdown', uri: 'lighthouse.md', source: 'notes' });
  });
  afterAll(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it('streams, returns, keeps and traces one and the same answer', async () => {
    const events: FootnoteEvent[] = [];
    const answer = await footnote.ask(
      { question: 'Who designed the lighthouse of Cabo Frio?' },
      { onEvent: (event) => events.push(event) },
    );
    expect(answer.claims[0]?.text).toContain('Marta Oliveira');
    const { trace, events: logged } = await footnote.traces.get(answer.traceId);
    expect(logged.map((one) => one.event)).toEqual(JSON.parse(JSON.stringify(events)));
    expect(logged.map((one) => one.seq)).toEqual(logged.map((_, index) => index + 1));
    expect(trace).toMatchObject({ kind: 'ask', eventCount: logged.length });
    expect(await footnote.answers.get(answer.id)).toEqual(answer);
    const text = logged.flatMap(({ event }) => (event.type === 'delta' ? [event.text] : [])).join('');
    expect(text).toBe(answer.answer);
  });

  it('traces what every port was asked and said', async () => {
    const answer = await footnote.ask({ question: 'How tall is the lighthouse?' });
    const { events } = await footnote.traces.get(answer.traceId);
    const calls = events.flatMap(({ event }) => (event.type === 'call' ? [event.call] : []));
    expect(calls.map((call) => `${call.port}.${call.method}`)).toEqual(
      expect.arrayContaining(['store.embedded.search', 'record.documents.chunksById', 'record.spans.readSpan']),
    );
    // What a budget or a source says is nothing where it lets the request go on.
    const silent = new Set(['budget', 'record.sources']);
    for (const call of calls.filter(({ port }) => !silent.has(port)))
      expect(call.response, `${call.port}.${call.method}`).toBeDefined();
    expect(calls.filter(({ error }) => error)).toEqual([]);
  });

  it('leaves a trace of a request that failed', async () => {
    const events: FootnoteEvent[] = [];
    await expect(
      footnote.ask({ question: 'Who?', sources: ['nowhere'] }, { onEvent: (event) => events.push(event) }),
    ).rejects.toMatchObject({ code: 'not-found' });
    const last = events.findLast(({ type }) => type !== 'tape');
    expect(last).toMatchObject({ type: 'error', problem: { code: 'not-found', status: 404 } });
    const traceId = last?.type === 'error' ? last.problem.requestId : '';
    const kept = (await footnote.traces.get(traceId)).events.map(({ event }) => event);
    expect(kept.slice(-2)).toMatchObject([last, { type: 'tape' }]);
  });

  it.each(['vector', 'hybrid'] as const)('serves mode %s of a folder of one document, and says how', async (mode) => {
    const found = await footnote.search({ query: 'lighthouse', mode, explain: true });
    expect(found.results.map(({ uri }) => uri)).toContain('lighthouse.md');
    expect(found.degraded).toContainEqual(
      expect.objectContaining({ component: 'vector', effect: 'Searched by words only.' }),
    );
    expect(found.legs).toBeUndefined();
    const answer = await footnote.ask({ question: 'Who designed the lighthouse of Cabo Frio?', mode });
    expect(answer.claims[0]?.text).toContain('Marta Oliveira');
  });

  it('resolves a follow-up against the session, and keeps both', async () => {
    await footnote.sessions.send('chat-1', { content: 'Who designed the lighthouse of Cabo Frio?' });
    const answer = await footnote.sessions.send('chat-1', { content: 'When was she born?' });
    expect(answer.claims[0]?.text).toContain('1849');
    const turns = await footnote.sessions.turns('chat-1');
    expect(turns.map((turn) => turn.resolvedQuestion)).toEqual([
      'Who designed the lighthouse of Cabo Frio?',
      'When was she born? (Who designed the lighthouse of Cabo Frio)',
    ]);
    expect(turns[1]?.answer).toEqual(answer);
  });

  it('answers thanks with courtesy instead of searching for them', async () => {
    const answer = await footnote.sessions.send('chat-1', { content: 'Thanks!' });
    expect(answer).toMatchObject({ intent: 'conversational', claims: [], ragEnabled: false });
  });

  it('leaves nothing behind of a source that is removed while it is read', async () => {
    const path = join(folder, 'many');
    await mkdir(path);
    for (let n = 0; n < 60; n += 1)
      await writeFile(join(path, `${n}.md`), `# Note ${n}\n\nThe quokka number ${n} sleeps.\n`);
    await footnote.sources.put({ name: 'many', type: 'docs', connector: { kind: 'folder', path } });
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const run = footnote.sources.sync('many', {
      onProgress: ({ counts }) => {
        if (counts.done > 0) resolve();
      },
    });
    await begun;
    await footnote.sources.remove('many');
    expect((await run).state).toBe('cancelled');
    const { data } = await footnote.documents.list({ filter: { op: 'eq', field: 'source', value: 'many' } });
    expect(data).toEqual([]);
    expect((await footnote.search({ query: 'quokka', mode: 'embedded' })).results).toEqual([]);
  });

  it('tells a writer that it could not read what it is about to add', async () => {
    const writer = opened.forScope({
      tenant: 'default',
      principal: { id: 'key:w', role: 'writer', groups: ['staff'] },
    });
    const add = (access: string[]) =>
      writer.documents.add({ text: 'The vault opens at nine.', uri: `${access.join()}.txt`, source: 'notes', access });
    await expect(add(['boss'])).rejects.toMatchObject({ code: 'forbidden' });
    expect(await add(['boss', 'staff'])).toMatchObject([{ status: 'created' }]);
  });

  it('stops when the time is up, and says so', async () => {
    await expect(footnote.ask({ question: 'How tall is it?' }, { timeoutMs: 0 })).rejects.toMatchObject({
      code: 'deadline-exceeded',
    });
    // Its trace is written behind the reply, and there for whoever asks.
    const [trace] = (await footnote.traces.list({ limit: 1 })).data;
    expect(trace).toMatchObject({ kind: 'ask', status: 'deadline-exceeded' });
    expect((await footnote.traces.get(trace?.id ?? '')).events.at(-2)?.event).toMatchObject({ type: 'error' });
  });

  it('re-checks an answer, and sees that its document has changed', async () => {
    await footnote.documents.add({ text: 'The pier is 300 metres long.', uri: 'pier.txt', source: 'notes' });
    const answer = await footnote.ask({ question: 'How long is the pier?' });
    expect(await footnote.answers.verify(answer)).toMatchObject({ ok: true });
    await footnote.documents.add({ text: 'The pier is 310 metres long.', uri: 'pier.txt', source: 'notes' });
    const check = await footnote.answers.verify(answer);
    expect(check.ok).toBe(false);
    expect(check.citations[0]?.ok).toBe(false);
  });
});
